// SPDX-License-Identifier: Apache-2.0
package weir.place.map

import chisel3.util.log2Ceil
import weir.config.Placement

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

  private val belowProgrammable: Seq[AddressMap] = Seq(
    RowRankBankColumn,
    NonInterleaved,
    ChannelInterleaved,
    BankInterleaved,
    BankXor
  )

  /** Name and number of the map that software makes of masks. */
  val programmable: (String, Int) = ("programmable", belowProgrammable.size)

  private val aboveProgrammable: Seq[AddressMap] = Seq(RankRowBankColumn)

  val all: Seq[AddressMap] = belowProgrammable ++ aboveProgrammable

  /** Those that software may choose while the controller runs, where it may choose one at all: some need gates only in
    * configs that have them after reset. Elsewhere software can make these of masks.
    */
  def choosable(placement: Placement): Seq[AddressMap] =
    belowProgrammable ++ aboveProgrammable.filter(_.name == placement.map)

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
    if (number < programmable._2) number else number + 1
  }
}
