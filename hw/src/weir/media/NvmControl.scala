// SPDX-License-Identifier: Apache-2.0
package weir.media

import chisel3._
import weir.channel.RegionTiming
import weir.config.NvmTiming

/** What software may change of the NVM region while the controller runs. Values must be legal: `regs` refuses the others. */
class NvmControl extends Bundle {

  /** The region is slow; if not it is DRAM as the rest is. */
  val enable = Bool()
  val timing = new RegionTiming

  /** DRAM clocks by which a line that was read comes later. */
  val readLatency = UInt(NvmTiming.bits.W)
  val bandwidth   = new BandwidthControl
}
