// SPDX-License-Identifier: Apache-2.0
package weir.config

/** How the lines of memory are laid out over channels, ranks, banks, rows and columns.
  *
  * @param map          name of the address map in force after reset, one of [[weir.place.map.AddressMaps]]
  * @param programmable whether software may choose another map while the controller runs, or one that it makes itself of
  *                     masks; if not the others cost no gates. The map with the rank on top is among them where it is that
  *                     of reset
  * @param readable     whether software can read the map in force bit by bit
  */
case class Placement(map: String = "row_rank_bank_column", programmable: Boolean = true, readable: Boolean = true) {
  require(readable || !programmable, "Placement.readable = false: a programmable map must be readable")
}

object Placement {

  /** The map with the rank on top: each rank is one range of addresses. */
  val rankOnTop: String = "rank_row_bank_column"
}
