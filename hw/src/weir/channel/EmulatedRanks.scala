// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util.Valid
import weir.config.WeirConfig
import weir.device.EmulatedDevice

import scala.collection.immutable.SeqMap

/** The timings in force of the ranks of an emulated memory, in DRAM clocks; fields as in
  * [[weir.device.EmulatedDevice.timings]].
  */
class EmulatedTiming(device: EmulatedDevice) extends Record with ConstraintCycles.ByName {
  val elements: SeqMap[String, UInt] =
    SeqMap.from(device.timings.keys.toSeq.sorted.map(_ -> UInt(device.timingBits.W)))
}

/** Least cycles from one command to another of a rank of an emulated memory, kept beside those of the DRAM; fields as in
  * [[weir.device.EmulatedDevice.constraints]].
  */
class EmulatedConstraintCycles(width: Int) extends Record with ConstraintCycles.ByName {
  val elements: SeqMap[String, UInt] = SeqMap.from(EmulatedDevice.constraints.map(_ -> UInt(width.W)))
}

/** The constraints of an emulated memory at its timings. */
class EmulatedConstraintPort(config: WeirConfig) extends Bundle {
  val timing      = Input(new EmulatedTiming(config.emulated.get))
  val constraints = Output(ConstraintTable.emulatedBundle(config))
}

/** For how many cycles after a command of a bank of an emulated memory there is so much time left until its next row may be
  * activated that a refresh has gone by until then.
  */
class HidingTimes(width: Int) extends Bundle with ConstraintCycles.ByName {
  val afterWrite     = UInt(width.W)
  val afterPrecharge = UInt(width.W)
}

object HidingTimes {

  /** Cycles from the wish for a refresh to its start, of an idle rank, and as many until the rank is given free. */
  private val overhead = 8

  /** From the constraints in force, two cycles later. The refresh must wait for the end of the DRAM's own write. */
  def apply(dram: ConstraintCycles, emulated: EmulatedConstraintCycles): HidingTimes = {
    val toAny   = emulated("writeToAny")
    val close   = emulated("writeToPrecharge")
    val open    = emulated("prechargeToActivate")
    val hiding  = Wire(new HidingTimes(toAny.getWidth + 1))
    val refresh = RegNext(dram.writeToPrecharge +& dram.prechargeToRefresh +& dram.refreshToActivate +& overhead.U)
    val written = Mux(close > toAny, close, toAny)
    for (
      (left, wait) <- Seq(
        hiding.afterWrite     -> (written +& open),
        hiding.afterPrecharge -> open
      )
    ) {
      val until = RegNext(wait)
      left := RegNext(Mux(until > refresh, until - refresh, 0.U)(left.getWidth - 1, 0))
    }
    hiding
  }
}

/** How the room that plays an emulated memory makes ranks of the channel behave like it; directions as the channel sees them.
  * The lines that were read pass through that room too, as the channel gives them ([[ChannelReturn]]), on their way to `place`.
  */
class EmulatedPort(config: WeirConfig) extends Bundle {

  /** The timings in force. Those that take the place of the DRAM's are not below its part's own values, which the channel does
    * not look at; what software adds to the DRAM's timings does not bind them.
    */
  val timing = Input(new EmulatedTiming(config.emulated.get))

  /** Its ranks have no refresh in the eyes of who waits for them: theirs are hidden as far as may be. */
  val hidesRefresh = Input(Bool())

  /** Its ranks may have read commands, and write commands, and rows opened and closed for them. From registers. A command that
    * was chosen in the last high cycle is on `column` in the first low one.
    */
  val mayRead  = Input(Bool())
  val mayWrite = Input(Bool())

  /** Any rank may have read commands: low in a cycle in which no line is to come a read latency later, so that one which was held
    * back can leave. From a register.
    */
  val anyRead = Input(Bool())

  /** A column command of its ranks, in the cycle after it was chosen, and whether it is a write. */
  val column = Output(Valid(Bool()))

  /** An access of its ranks could go, but for a refresh. */
  val exposed = Output(Bool())
}
