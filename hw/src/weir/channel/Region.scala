// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util.Valid
import weir.config.{NvmTiming, WeirConfig}

/** The timings in force of the ranks of the NVM region, in DRAM clocks; fields as in [[weir.config.NvmTiming]]. */
class RegionTiming extends Bundle with Distances.ByName {
  private def clocks = UInt(NvmTiming.bits.W)

  val tRCD         = clocks
  val tRP          = clocks
  val tRAS         = clocks
  val tRC          = clocks
  val tRTP         = clocks
  val tWR          = clocks
  val tWTR         = clocks
  val writeLatency = clocks
}

/** Least distances between commands of a rank of the NVM region, in controller cycles, kept beside those of the DRAM. */
class RegionDistances(width: Int) extends Bundle with Distances.ByName {
  private def distance = UInt(width.W)

  val activateToRead      = distance
  val activateToWrite     = distance
  val activateToPrecharge = distance
  val prechargeToActivate = distance
  val readToPrecharge     = distance
  val writeToPrecharge    = distance

  /** From a write to the next command of its bank, and to a read of its rank. */
  val writeToAny  = distance
  val writeToRead = distance
}

/** For how many cycles after a command of a bank of the NVM region there is so much time left until its next row may be
  * activated that a refresh has gone by until then.
  */
class HidingTimes(width: Int) extends Bundle with Distances.ByName {
  val afterWrite     = UInt(width.W)
  val afterPrecharge = UInt(width.W)
}

object HidingTimes {

  /** Cycles from the wish for a refresh to its start, of an idle rank, and as many until the rank is given free. */
  private val overhead = 8

  /** From the distances in force, two cycles later. The refresh must wait for the end of the DRAM's own write. */
  def apply(dram: Distances, region: RegionDistances): HidingTimes = {
    val hiding  = Wire(new HidingTimes(region.writeToAny.getWidth + 1))
    val refresh = RegNext(dram.writeToPrecharge +& dram.prechargeToRefresh +& dram.refreshToActivate +& overhead.U)
    val written = Mux(region.writeToPrecharge > region.writeToAny, region.writeToPrecharge, region.writeToAny)
    for (
      (left, wait) <- Seq(
        hiding.afterWrite     -> (written +& region.prechargeToActivate),
        hiding.afterPrecharge -> region.prechargeToActivate
      )
    ) {
      val until = RegNext(wait)
      left := RegNext(Mux(until > refresh, until - refresh, 0.U)(left.getWidth - 1, 0))
    }
    hiding
  }
}

/** How `media` makes ranks of the channel behave like another memory; directions as the channel sees them. */
class RegionPort(config: WeirConfig) extends Bundle {
  val timing = Input(new RegionTiming)

  /** The region's ranks have no refresh in the eyes of who waits for them: theirs are hidden as far as may be. */
  val hidesRefresh = Input(Bool())

  /** The region's ranks may have read and write commands; any rank may have read commands. From registers. */
  val mayRead  = Input(Bool())
  val mayWrite = Input(Bool())
  val anyRead  = Input(Bool())

  /** A column command of the region, in the cycle after it was chosen, and whether it is a write. */
  val column = Output(Valid(Bool()))

  /** An access of the region could go, but for a refresh. */
  val exposed = Output(Bool())
}
