// SPDX-License-Identifier: Apache-2.0
package weir.migrate

import chisel3._
import weir.config.WeirConfig
import weir.place.remap.{MovePort, RemapControl}

/** Moves pages between DRAM and the NVM region while accesses to them go on: takes commands from registers, queues
  * them ([[MoveQueue]]), carries out one after the other ([[MoveSequence]]), and tells what became of each.
  *
  * A command is refused, with a [[MoveResult]] and no effect, when an address is misaligned, the page is not in the
  * region, the frame not among the frames or in use, the page already there, or remapping disabled; a flush never is.
  *
  * Throughput: of a page's lines a window ([[weir.config.Migration]]) at a time, each of which takes a read and a
  * write of a line and the wait for the accesses to it that were under way; never more than the rate that software
  * sets.
  */
class PageMover(config: WeirConfig) extends Module {
  val io = IO(new Bundle {
    val registers = Flipped(new MoverPort(config))
    val control   = Input(new RemapControl(config))
    val place     = new MovePort(config)

    /** Of the channel's [[weir.channel.WriteFence]]. */
    val mark    = Output(Bool())
    val pending = Input(Bool())
  })
  private val queue    = Module(new MoveQueue(config))
  private val sequence = Module(new MoveSequence(config))
  private val copy     = Module(new LineCopy(config))
  private val words    = Module(new WordAccess(config))
  private val limit    = Module(new RateLimit(config))

  queue.io.registers <> io.registers
  sequence.io.commands <> queue.io.next
  queue.io.finished   := sequence.io.finished
  sequence.io.control := io.control

  io.place.window      := sequence.io.window
  io.place.fence.valid := sequence.io.fence
  sequence.io.fenced   := io.place.fence.ready
  sequence.io.updates <> io.place.updates
  sequence.io.updated := io.place.updated
  io.place.frames <> sequence.io.frames
  sequence.io.frame   := io.place.frame
  sequence.io.pending := io.pending
  io.mark             := sequence.io.mark

  copy.io.request <> sequence.io.copy
  sequence.io.copied := copy.io.done
  words.io.request <> sequence.io.words
  sequence.io.wordDone := words.io.done
  sequence.io.word     := words.io.data

  limit.io.rate   := io.registers.rate
  limit.io.begins := copy.io.begins
  copy.io.may     := limit.io.may
  private val copied = RegInit(0.U(32.W))
  copied         := copied + copy.io.begins
  queue.io.lines := copied

  // never both at a time, as the sequence waits for each
  private val memory = io.place.memory
  private val users  = Seq(copy.io.memory, words.io.memory)
  memory.reads.valid  := users.map(_.reads.valid).reduce(_ || _)
  memory.reads.bits   := Mux(copy.io.memory.reads.valid, copy.io.memory.reads.bits, words.io.memory.reads.bits)
  memory.writes.valid := users.map(_.writes.valid).reduce(_ || _)
  memory.writes.bits  := Mux(copy.io.memory.writes.valid, copy.io.memory.writes.bits, words.io.memory.writes.bits)
  for (user <- users) {
    user.reads.ready  := memory.reads.ready
    user.writes.ready := memory.writes.ready
    user.returns      := memory.returns
    user.accepted     := memory.accepted
  }
}
