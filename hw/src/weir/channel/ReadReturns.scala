// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.front.{LineReturn, LineTag}

/** A line that was read, on its way out of the channel. */
class ChannelReturn(config: WeirConfig) extends LineReturn(config) {

  /** It was read from a rank of an emulated memory, and not answered from the write queue. */
  val ofEmulated = config.emulated.map(_ => Bool())
}

/** Gives every line that was read its tag, and joins in the lines that are answered from the write queue.
  *
  * A line comes from the DRAM `readLatency` cycles after its command, as LiteDRAM's PHYs and its own crossbar have it: that,
  * and not how many have come, tells whose it is. So one that does not come (the PHY was reset) is answered as lost and
  * shifts no other; one that no command asked for (of software's hand on the DFI) is dropped. A line from the
  * write queue waits until none is due from the DRAM.
  *
  * Latency: none from `readData` to `returns`; from `forward` one cycle or more, and never in the cycle after `front`
  * asked for the line, which wants none so soon; with a time scale as [[ReturnDelay]] has it. Throughput: one line per cycle.
  */
class ReadReturns(config: WeirConfig) extends Module {
  val io = IO(new Bundle {

    /** A read command is on the DFI; the tag of its line. */
    val read       = Flipped(Valid(new LineTag(config)))
    val ofEmulated = config.emulated.map(_ => Input(Bool()))
    val readData   = Flipped(Valid(UInt(config.geometry.lineBits.W)))
    val forward    = Flipped(Decoupled(new LineReturn(config)))
    val returns    = Valid(new ChannelReturn(config))

    /** No read is under way. From registers: a command of this cycle is not counted. */
    val quiet = Output(Bool())

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

  /** What is known of a read when its line comes. */
  private class Expected extends Bundle {
    val valid      = Bool()
    val tag        = new LineTag(config)
    val ofEmulated = config.emulated.map(_ => Bool())
  }

  // A turn of the place and the register behind the memory are the latency: what is read in a cycle is what was written
  // there a turn before. Without the register the look-up would stand before all that `front` does with a line.
  private val turn           = config.phy.readLatency - 1
  private val (place, turns) = Counter(true.B, turn)
  private val inFlight       = Mem(turn, UInt((new Expected).getWidth.W))
  private val asked          = Wire(new Expected)
  asked.valid := io.read.valid
  asked.tag   := io.read.bits
  asked.ofEmulated.zip(io.ofEmulated).foreach { case (mark, is) => mark := is }
  inFlight.write(place, asked.asUInt)
  private val found = inFlight.read(place).asTypeOf(new Expected)
  // reset leaves the memory as it is, so nothing of the first turn counts
  private val started  = RegInit(false.B)
  when(turns)(started := true.B)
  private val expected = RegNext(found)
  private val comes    = RegNext(started && found.valid, false.B)

  private val thisTurn = RegInit(false.B)
  private val lastTurn = RegInit(false.B)
  thisTurn := (thisTurn && !turns) || io.read.valid
  when(turns)(lastTurn := thisTurn)
  io.quiet := !thisTurn && !lastTurn && !comes

  private val permitted = delay.map { delay =>
    val permitted = Wire(chiselTypeOf(io.forward))
    permitted.valid  := io.forward.valid && delay.mayForward
    permitted.bits   := io.forward.bits
    io.forward.ready := permitted.ready && delay.mayForward
    permitted
  }
  private val forward =
    if (!config.pipeline.place && !config.pipeline.arrival) Queue(permitted.getOrElse(io.forward), 1, pipe = true)
    else permitted.getOrElse(io.forward)
  private val forwarded = RegInit(false.B)
  private val line      = RegEnable(forward.bits, forward.fire)
  private val goes      = !comes
  forward.ready := !forwarded || goes
  forwarded     := forward.fire || (forwarded && !goes)

  private val returns = Wire(Valid(new ChannelReturn(config)))
  returns.valid     := comes || forwarded
  returns.bits.tag  := Mux(comes, expected.tag, line.tag)
  returns.bits.lost := comes && !io.readData.valid
  returns.bits.data := (if (config.policies.forwarding) Mux(comes, io.readData.bits, line.data) else io.readData.bits)
  returns.bits.ofEmulated.zip(expected.ofEmulated).foreach { case (mark, is) => mark := comes && is }
  delay match {
    case None        => io.returns := returns
    case Some(delay) =>
      delay.in   := returns
      io.returns := delay.out
  }
}
