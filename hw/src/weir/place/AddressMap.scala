// SPDX-License-Identifier: Apache-2.0
package weir.place

import chisel3._
import weir.config.Geometry

/** Where the line with number `line` lies: an address map. Pure wiring or a few gates, no state. */
trait AddressMap {

  /** @param line line number within the channel, `geometry.lineAddressBits` wide */
  def apply(geometry: Geometry, line: UInt): Location
}

/** Row above rank above bank above column: a row holds consecutive lines, and consecutive rows lie in different banks, so
  * that a stream finds its next row's bank free. It is LiteDRAM's `ROW_BANK_COL`, whose bank number has the rank on top.
  */
object RowRankBankColumn extends AddressMap {
  def apply(geometry: Geometry, line: UInt): Location = {
    val location = Wire(new Location(geometry))
    val fields   = Seq(location.column, location.bank, location.rank, location.row)
    fields.foldLeft(0) { (low, field) =>
      val width = field.getWidth
      field := (if (width == 0) 0.U(0.W) else line(low + width - 1, low))
      low + width
    }
    location
  }
}
