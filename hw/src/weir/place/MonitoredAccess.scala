// SPDX-License-Identifier: Apache-2.0
package weir.place

import chisel3._
import weir.config.WeirConfig

/** An access of a line of the NVM region, as [[HotMonitor]] sees it.
  *
  * `page` counts pages from the first byte of memory. `redirected` tells that the page has been moved, so that the
  * access goes to DRAM.
  */
class MonitoredAccess(config: WeirConfig) extends Bundle {
  val page       = UInt(new PageNumbers(config).pageBits.W)
  val write      = Bool()
  val redirected = Bool()
}
