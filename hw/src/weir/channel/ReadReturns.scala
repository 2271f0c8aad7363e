// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.front.{LineReturn, LineTag}

/** A line that was read, on its way out of the channel. */
class ChannelReturn(config: WeirConfig) extends LineReturn(config) {

  /** It was read from a rank of the NVM region, and not answered from the write queue. */
  val ofRegion = Option.when(config.nvm.isDefined)(Bool())
}

/** Gives every line that was read its tag, and joins in the lines that are answered from the write queue.
  *
  * Lines come from the DRAM in the order of their commands; one that no command asked for (from software's hand on the DFI)
  * is dropped. A line from the write queue waits until none comes from the DRAM.
  *
  * Latency: none from `readData` to `returns`; from `forward` one cycle or more, with `fastReads` two, as `front` wants no
  * line back in the cycle after it asked for it; with a time scale as [[ReturnDelay]] has it. Throughput: one line per cycle.
  */
class ReadReturns(config: WeirConfig) extends Module {
  val io = IO(new Bundle {

    /** A read command is on the DFI; the tag of its line. */
    val read     = Flipped(Valid(new LineTag(config)))
    val ofRegion = Option.when(config.nvm.isDefined)(Input(Bool()))
    val readData = Flipped(Valid(UInt(config.geometry.lineBits.W)))
    val forward  = Flipped(Decoupled(new LineReturn(config)))
    val returns  = Valid(new ChannelReturn(config))

    /** The time scale's factor, and whether a read may be chosen for all that. */
    val factor  = Option.when(config.policies.timeScaling.isThere)(Input(UInt(7.W)))
    val mayRead = Option.when(config.policies.timeScaling.isThere)(Output(Bool()))
  })

  private val delay = io.factor.map { factor =>
    val delay = Module(new ReturnDelay(config))
    delay.io.factor  := factor
    delay.io.read    := io.read.valid
    delay.io.forward := io.forward.fire
    io.mayRead.foreach(_ := delay.io.mayRead)
    delay.io
  }

  private val tags = Module(new Queue(new LineTag(config), 1 << log2Ceil(config.phy.readLatency + 3)))
  tags.io.enq.valid := io.read.valid
  tags.io.enq.bits  := io.read.bits
  tags.io.deq.ready := io.readData.valid
  assert(tags.io.enq.ready || !io.read.valid, "ReadReturns: more reads under way than the PHY's latency allows")

  /** Whose the lines are that come, in the order of their tags. */
  private val ofRegion = io.ofRegion.map { ofRegion =>
    val marks = Module(new Queue(Bool(), tags.entries))
    marks.io.enq.valid := io.read.valid
    marks.io.enq.bits  := ofRegion
    marks.io.deq.ready := io.readData.valid
    marks.io.deq.bits
  }

  private val permitted = delay.map { delay =>
    val permitted = Wire(chiselTypeOf(io.forward))
    permitted.valid  := io.forward.valid && delay.mayForward
    permitted.bits   := io.forward.bits
    io.forward.ready := permitted.ready && delay.mayForward
    permitted
  }
  private val forward =
    if (config.policies.fastReads) Queue(permitted.getOrElse(io.forward), 1, pipe = true)
    else permitted.getOrElse(io.forward)
  private val forwarded = RegInit(false.B)
  private val line      = RegEnable(forward.bits, forward.fire)
  private val goes      = !io.readData.valid
  forward.ready := !forwarded || goes
  forwarded     := forward.fire || (forwarded && !goes)

  private val returns = Wire(Valid(new ChannelReturn(config)))
  returns.valid     := Mux(io.readData.valid, tags.io.deq.valid, forwarded)
  returns.bits.tag  := line.tag
  returns.bits.data := line.data
  returns.bits.ofRegion.foreach(_ := false.B)
  when(io.readData.valid) {
    returns.bits.tag  := tags.io.deq.bits
    returns.bits.data := io.readData.bits
    returns.bits.ofRegion.zip(ofRegion).foreach { case (mark, is) => mark := is }
  }
  delay match {
    case None        => io.returns := returns
    case Some(delay) =>
      delay.in   := returns
      io.returns := delay.out
  }
}
