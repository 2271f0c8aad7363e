// SPDX-License-Identifier: Apache-2.0
package weir.media

import weir.registers.RegisterBundle

/** How many lines may go in how many controller cycles on average; no lines for any number. */
class BandwidthControl extends RegisterBundle {
  import BandwidthControl._

  private val cap = register(
    "nvm_bandwidth",
    0x13c,
    "Bandwidth cap of the region, reads and writes together: lines in so many controller cycles on average."
  )
  val lines  = cap.setting("lines", 0, lineBits, 0, 0, (1 << lineBits) - 1, "Lines; 0 for no cap.")
  val cycles = cap.setting("cycles", 16, cycleBits, 1, 1, (1 << cycleBits) - 1, "Controller cycles.")
}

object BandwidthControl {
  val lineBits: Int  = 8
  val cycleBits: Int = 12
}
