// SPDX-License-Identifier: Apache-2.0
package weir.migrate

import chisel3._
import chisel3.util._
import weir.config.{NvmRegion, WeirConfig}
import weir.place.remap.RemapBits

object MoveQueue {

  /** Commands that may wait and be under way together, and results that are kept. */
  val depth = 16
}

/** Commands that wait, and what became of them. Commands have numbers, from 0 on in the order in which they were
  * given; the result of each stands in the place of its number modulo the depth until a command of a number of the
  * same place is given: `pending` from when it is given until `finished`.
  *
  * Latency: a command is on `next` two cycles after it was given. Throughput: a command in each cycle.
  */
class MoveQueue(config: WeirConfig) extends Module {
  import MoveQueue.depth
  private val pageBits    = new RemapBits(config).page
  private val offsetBits  = log2Ceil(NvmRegion.pageBytes)
  private val addressBits = pageBits + offsetBits

  val io = IO(new Bundle {
    val registers = Flipped(new MoverPort(config))
    val next      = Decoupled(new MoveCommand(config))
    val finished  = Flipped(Valid(MoveResult()))
    val lines     = Input(UInt(32.W))
  })
  private val commands  = Module(new Queue(new MoveCommand(config), depth))
  private val issued    = RegInit(0.U(16.W))
  private val completed = RegInit(0.U(16.W))
  private val results   = RegInit(VecInit.fill(depth)(MoveResult.pending.asUInt.pad(MoveResult.bits)))
  private val slotBits  = log2Ceil(depth)

  /** The number of the page of an address, and what is wrong with it. */
  private def page(address: UInt): UInt         = address(addressBits - 1, offsetBits)
  private def isMisaligned(address: UInt): Bool = address(offsetBits - 1, 0).orR
  private def isBeyond(address: UInt): Bool     = address(63, addressBits).orR

  private val asked     = io.registers
  private val operation = MoveOperation.safe(asked.operation)._1
  private val isPromote = operation === MoveOperation.promote
  private val isFlush   = operation === MoveOperation.flush
  // a command of which the result is not kept any more may still be under way: the number of results is that of
  // commands
  private val level = issued - completed
  asked.room := level < depth.U
  private val takes = RegNext(asked.gives, false.B) && asked.room

  commands.io.enq.valid           := RegNext(takes, false.B)
  commands.io.enq.bits.operation  := RegNext(operation)
  commands.io.enq.bits.page       := RegNext(page(asked.page))
  commands.io.enq.bits.frame      := RegNext(page(asked.frame))
  commands.io.enq.bits.misaligned := RegNext(
    !isFlush && isMisaligned(asked.page) || isPromote && isMisaligned(asked.frame)
  )
  commands.io.enq.bits.pageOutside  := RegNext(isBeyond(asked.page))
  commands.io.enq.bits.frameOutside := RegNext(isBeyond(asked.frame))
  assert(commands.io.enq.ready || !commands.io.enq.valid, "MoveQueue: more commands than there is room for")
  io.next <> commands.io.deq

  issued    := issued + takes
  completed := completed + io.finished.valid
  when(io.finished.valid)(results(completed(slotBits - 1, 0)) := io.finished.bits.asUInt)
  when(takes)(results(issued(slotBits - 1, 0))                := MoveResult.pending.asUInt)

  asked.issued    := issued
  asked.completed := completed
  asked.results   := results
  asked.lines     := io.lines
  asked.idle      := issued === completed

  asked.commandEnded := RegNext(io.finished.valid, false.B)
}
