// SPDX-License-Identifier: Apache-2.0
package weir.place.map

import chisel3.util.log2Ceil

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

/** The address maps that there are. A map to add is an object of NamedMaps.scala and a line here. */
object AddressMaps {

  /** Those that software may choose while the controller runs; their numbers in the register map are their positions here. */
  val choosable: Seq[AddressMap] = Seq(
    RowRankBankColumn,
    NonInterleaved,
    ChannelInterleaved,
    BankInterleaved,
    BankXor
  )

  /** Name and number of the map that software makes of masks. */
  val programmable: (String, Int) = ("programmable", choosable.size)

  /** Those that only a config chooses; their numbers follow. Software that may choose a map can make them of masks. */
  val fixed: Seq[AddressMap] = Seq(RankRowBankColumn)

  val all: Seq[AddressMap] = choosable ++ fixed

  /** Bits of a map's number. */
  val numberBits: Int = log2Ceil(all.size + 1)

  /** The map of that name, one of `all`. */
  def named(name: String): AddressMap =
    all
      .find(_.name == name)
      .getOrElse(
        throw new IllegalArgumentException(s"Placement.map = $name: known are ${all.map(_.name).mkString(", ")}")
      )

  /** Number of the map of that name, one of `all`. */
  def number(name: String): Int = {
    val number = all.indexOf(named(name))
    if (number < choosable.size) number else number + 1
  }
}
