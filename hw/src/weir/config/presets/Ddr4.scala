// SPDX-License-Identifier: Apache-2.0
package weir.config.presets

import weir.config._
import weir.config.presets.Shapes._

/** A rank of each speed of DDR4. */
object Ddr4 {

  private def ddr4(name: String, part: String, tCKps: Int): WeirConfig =
    config(
      name,
      part,
      tCKps,
      ranks = 1,
      dqBits = 64,
      Phys.ultraScale(_),
      Axi(ports = 1, dataBits = 512, idBits = 4, addressBits = 40, readSlots = 64, interleave = true)
    )

  val all: Seq[WeirConfig] = Seq(
    ddr4("ddr4-2133-x8", "MT40A1G8-093E", 937),
    ddr4("ddr4-2400-x8", "MT40A1G8-083E", 833),
    ddr4("ddr4-2400-x16", "MT40A512M16-083E", 833),
    ddr4("ddr4-2666-x8", "MT40A1G8-075", 750),
    ddr4("ddr4-3200-x8", "MT40A1G8-062E", 625)
  )
}
