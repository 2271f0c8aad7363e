// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util.log2Ceil
import weir.channel.drain.DrainControl
import weir.channel.refresh.RefreshPolicy
import weir.channel.row.RowControl
import weir.config.WeirConfig

/** Timings in force, in DRAM clocks; fields as in [[weir.config.Timing]]. `cl` and `cwl` follow from the mode registers
  * and the PHY and are no run-time choice, so they are not here.
  */
class TimingControl extends Bundle {
  val tRCD       = UInt(8.W)
  val tRP        = UInt(8.W)
  val tRAS       = UInt(8.W)
  val tRC        = UInt(8.W)
  val tRRD_S     = UInt(8.W)
  val tRRD_L     = UInt(8.W)
  val tFAW       = UInt(8.W)
  val tCCD_S     = UInt(8.W)
  val tCCD_L     = UInt(8.W)
  val tWTR_S     = UInt(8.W)
  val tWTR_L     = UInt(8.W)
  val tRTP       = UInt(8.W)
  val tWR        = UInt(8.W)
  val tRTRS      = UInt(8.W)
  val tRFC       = UInt(12.W)
  val tREFI      = UInt(16.W)
  val tZQCS      = UInt(12.W)
  val zqInterval = UInt(20.W)
  val tRFC2      = UInt(12.W)
  val tRFC4      = UInt(12.W)

  /** The field of a name. */
  def apply(name: String): UInt = elements(name).asInstanceOf[UInt]
}

/** What software may change of the channel while it runs. Values must be legal: `regs` refuses the others. */
class ChannelControl(config: WeirConfig) extends Bundle {
  val timing          = new TimingControl
  val highWaterMark   = UInt(log2Ceil(config.policies.writeQueue + 1).W)
  val lowWaterMark    = UInt(log2Ceil(config.policies.writeQueue + 1).W)
  val ageLimit        = UInt(12.W)
  val refreshPostpone = UInt(4.W)
  val draining        = new DrainControl
  val rows            = new RowControl
  val timeScale       = Option.when(config.policies.timeScaling.isThere)(new TimeScaleControl)

  /** Code of the refresh policy ([[weir.channel.refresh.RefreshPolicy.all]]), and what it is told. Of the granularity 0 is
    * 1x, 1 is 2x, 2 is 4x.
    */
  val refreshPolicy      = UInt(RefreshPolicy.codeBits.W)
  val refreshPullIn      = UInt(4.W)
  val refreshIdle        = UInt(12.W)
  val refreshGranularity = UInt(2.W)
  val refreshDrainAhead  = UInt(12.W)
}
