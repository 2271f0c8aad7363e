// SPDX-License-Identifier: Apache-2.0
package weir.device

import weir.device.CommandClass.{Activate, Precharge, Read, Write}
import weir.device.Scope.{Bank, Rank}

/** The NVM region as the channel sees it: a memory whose rows are slow to open, to close and to write.
  *
  * @param firstRank the region's first rank
  * @param timing    its times after reset
  */
case class NvmDevice(firstRank: Int, timing: NvmTiming) extends EmulatedDevice {

  val name: String = "NVM region"

  /** All but `readLatency`, which the channel does not keep. */
  val timings: Map[String, Int] = timing.all - "readLatency"
  val timingBits: Int           = NvmTiming.bits

  def constraints(dram: Timing, burst: Int): Seq[Constraint] = Seq(
    Constraint("activateToRead", Bank, "tRCD", Activate, Read),
    Constraint("activateToWrite", Bank, "tRCD", Activate, Write),
    Constraint("rowCycle", Bank, "tRC", Activate, Activate),
    Constraint("prechargeToActivate", Bank, "tRP", Precharge, Activate),
    Constraint("activateToPrecharge", Bank, "tRAS", Activate, Precharge)
      .copy(heldBack = Some("rowCycle" -> "prechargeToActivate")),
    Constraint("readToPrecharge", Bank, "tRTP", Read, Precharge),
    Constraint("writeToPrecharge", Bank, "tWR", Write, Precharge).copy(scaled = dram.cwl + burst),
    // whichever command it is
    Constraint("writeToAny", Bank, Write, Seq(Read, Write, Precharge), Some("writeLatency")),
    Constraint("writeToRead", Rank, "tWTR", Write, Read).copy(scaled = dram.cwl + burst)
  )
}
