// SPDX-License-Identifier: Apache-2.0
package weir.place

/** A way to lay out the lines of memory: which channel, rank, bank, row and column a line's number leads to. Bits of a
  * line's number are written from the lowest to the highest, so `column ++ bank` is the bank above the column.
  */
trait AddressMap {

  /** Name in configs and in the register map. */
  def name: String

  /** What it does, for the register map. */
  def description: String

  def masks(bits: PlaceBits): Masks
}

/** The address maps that there are; their numbers in the register map are their positions here. A map to add gets a file of
  * its own and a line here.
  */
object AddressMaps {
  val all: Seq[AddressMap] = Seq(
    RowRankBankColumn,
    NonInterleaved,
    ChannelInterleaved,
    BankInterleaved,
    BankXor
  )

  /** Name and number of the map that software makes of masks. */
  val programmable: (String, Int) = ("programmable", all.size)

  /** Number of the map of that name, one of `all`. */
  def number(name: String): Int = {
    val number = all.indexWhere(_.name == name)
    require(number >= 0, s"Placement.map = $name: known are ${all.map(_.name).mkString(", ")}")
    number
  }
}
