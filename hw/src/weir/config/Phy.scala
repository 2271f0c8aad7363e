// SPDX-License-Identifier: Apache-2.0
package weir.config

import chisel3.util.isPow2

/** What the controller must know of a LiteDRAM PHY (its `PhySettings`). A controller cycle spans `phases` DRAM clocks;
  * the data of a whole burst crosses the DFI in one controller cycle, as on all LiteDRAM PHYs of DDR3 and DDR4.
  *
  * @param phases       DFI phases: commands that fit in a controller cycle (1, 2 or 4)
  * @param readPhase    phase in which read commands must stand (`rdphase`)
  * @param writePhase   phase in which write commands must stand (`wrphase`)
  * @param readLatency  controller cycles from the DFI read command to its `rddata_valid` (`read_latency`)
  * @param writeLatency controller cycles from the DFI write command to its `wrdata` (`write_latency`)
  */
case class Phy(phases: Int, readPhase: Int, writePhase: Int, readLatency: Int, writeLatency: Int) {
  require(isPow2(phases) && phases <= 4, s"Phy.phases = $phases: must be 1, 2 or 4")
  require(readPhase >= 0 && readPhase < phases, s"Phy.readPhase = $readPhase: must be 0 to ${phases - 1}")
  require(writePhase >= 0 && writePhase < phases, s"Phy.writePhase = $writePhase: must be 0 to ${phases - 1}")
  require(readLatency >= 2 && readLatency <= 31, s"Phy.readLatency = $readLatency: must be 2 to 31 cycles")
  require(writeLatency >= 0 && writeLatency <= 15, s"Phy.writeLatency = $writeLatency: must be 0 to 15 cycles")
}
