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

/** Least cycles from one command to another of a rank of an emulated memory, kept beside those of the DRAM. */
class EmulatedConstraintCycles(width: Int) extends Bundle with ConstraintCycles.ByName {
  private def constraint = UInt(width.W)

  val activateToRead      = constraint
  val activateToWrite     = constraint
  val activateToPrecharge = constraint
  val prechargeToActivate = constraint
  val readToPrecharge     = constraint
  val writeToPrecharge    = constraint

  /** From a write to the next command of its bank, and to a read of its rank. */
  val writeToAny  = constraint
  val writeToRead = constraint
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
    val hiding  = Wire(new HidingTimes(emulated.writeToAny.getWidth + 1))
    val refresh = RegNext(dram.writeToPrecharge +& dram.prechargeToRefresh +& dram.refreshToActivate +& overhead.U)
    val written = Mux(emulated.writeToPrecharge > emulated.writeToAny, emulated.writeToPrecharge, emulated.writeToAny)
    for (
      (left, wait) <- Seq(
        hiding.afterWrite     -> (written +& emulated.prechargeToActivate),
        hiding.afterPrecharge -> emulated.prechargeToActivate
      )
    ) {
      val until = RegNext(wait)
      left := RegNext(Mux(until > refresh, until - refresh, 0.U)(left.getWidth - 1, 0))
    }
    hiding
  }
}

/** How a room behind the channel makes ranks of it behave like another memory; directions as the channel sees them. */
class EmulatedPort(config: WeirConfig) extends Bundle {
  val timing = Input(new EmulatedTiming(config.emulated.get))

  /** Its ranks have no refresh in the eyes of who waits for them: theirs are hidden as far as may be. */
  val hidesRefresh = Input(Bool())

  /** Its ranks may have read and write commands; any rank may have read commands. From registers. */
  val mayRead  = Input(Bool())
  val mayWrite = Input(Bool())
  val anyRead  = Input(Bool())

  /** A column command of its ranks, in the cycle after it was chosen, and whether it is a write. */
  val column = Output(Valid(Bool()))

  /** An access of its ranks could go, but for a refresh. */
  val exposed = Output(Bool())
}
