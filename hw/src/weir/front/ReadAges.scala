// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** A read burst whose answer begins; `cycles` are those from the handshake of its address on AR to the first in which its
  * first beat is offered on R, modulo 2 to the power of [[ReadAges.bits]].
  */
class BegunRead(config: WeirConfig) extends Bundle {
  val source = UInt(config.axi.sourceBits.W)
  val cycles = UInt(ReadAges.bits.W)
}

/** Tells for a port how old each read burst is when its answer begins. A burst is asked for, then its first block is given
  * a slot, in the same cycle or later, then the first beat goes from that slot into the register of R; at most one burst,
  * with `Pipeline.request` two, is asked for and has no slot.
  *
  * Latency: `began` comes from a register, in the cycle in which the first beat is first offered.
  */
class ReadAges(config: WeirConfig) extends Module {
  private val slotBits = new Blocks(config).slotBits
  val io               = IO(new Bundle {

    /** The address of a burst is taken. */
    val asked = Input(Bool())

    /** The slot that the first block of the oldest burst without one is given. */
    val opened = Flipped(Valid(UInt(slotBits.W)))

    /** The slot whose burst's first beat is on R from the next cycle on, and the burst's source. */
    val begins = Flipped(Valid(new Bundle {
      val slot   = UInt(slotBits.W)
      val source = UInt(config.axi.sourceBits.W)
    }))
    val began = Valid(new BegunRead(config))
  })
  private val now = RegInit(0.U(ReadAges.bits.W))
  now := now + 1.U

  // when the bursts were asked for that have no slot
  private val without = if (config.pipeline.request) 2 else 1
  private val asked   = Module(new Queue(UInt(ReadAges.bits.W), without, pipe = true, flow = true))
  private val askedAt = Mem(1 << slotBits, UInt(ReadAges.bits.W))
  asked.io.enq.valid := io.asked
  asked.io.enq.bits  := now
  asked.io.deq.ready := io.opened.valid
  assert(asked.io.enq.ready || !io.asked, "ReadAges: more bursts without a slot than expected")
  when(io.opened.valid)(askedAt.write(io.opened.bits, asked.io.deq.bits))

  io.began.valid       := RegNext(io.begins.valid, false.B)
  io.began.bits.source := RegNext(io.begins.bits.source)
  io.began.bits.cycles := RegNext(now - askedAt.read(io.begins.bits.slot) + 1.U)
}

object ReadAges {

  /** Width of an age: a read that waits for 2^20 cycles waits for a master that does not take its data. */
  val bits = 20
}
