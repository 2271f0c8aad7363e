// SPDX-License-Identifier: Apache-2.0
package weir.place

import chisel3._
import chisel3.util.log2Ceil
import weir.config.WeirConfig

/** The bits of a place in the order in which software reads their masks, each at a number that is the same in every config:
  * as many numbers as the widest config has bits, of which narrower ones leave some unused.
  */
object PlaceNumbers {

  /** Name and numbers of each part: bank bits are those within the bank group, column bits those that DRAM gets. */
  val parts: Seq[(String, Int)] =
    Seq("channel" -> 1, "rank" -> 2, "bank_group" -> 2, "bank" -> 4, "column" -> 11, "row" -> 18)

  val count: Int = parts.map(_._2).sum

  /** First number of a part. */
  def first(part: String): Int = parts.takeWhile(_._1 != part).map(_._2).sum

  /** Bits that a part has in a config. */
  def bits(config: WeirConfig, part: String): Int = {
    import config.geometry
    Map(
      "channel"    -> config.channelBits,
      "rank"       -> geometry.rankBits,
      "bank_group" -> geometry.bankGroupBits,
      "bank"       -> (geometry.bankBits - geometry.bankGroupBits),
      "column"     -> geometry.columnBits,
      "row"        -> geometry.rowBits
    )(part)
  }
}

/** How `regs` reads the address map in force and, where it is programmable, puts another in force; directions as `regs` sees
  * them.
  */
class MapPort(config: WeirConfig) extends Bundle {

  /** Bit of the place whose mask is read, by [[PlaceNumbers]]. */
  val number = Output(UInt(log2Ceil(PlaceNumbers.count).W))

  /** Its mask over the byte addresses of memory, in the same cycle; zero where the config has no such bit. */
  val mask = Input(UInt(64.W))

  val choice = Option.when(config.placement.programmable)(new MapChoice(config))
}

/** A map to be put in force. It is checked while `check` is high, which takes as many cycles as a line's number has bits, and
  * two; it must not change meanwhile. From then on `checked` is high until `check` falls, and `oneToOne` tells whether
  * the map may be taken; `take`, for one cycle while `checked` is high, puts it in force for every line from the next
  * cycle on.
  */
class MapChoice(config: WeirConfig) extends Bundle {

  /** Number of the map, by [[AddressMaps]]. */
  val map = Output(UInt(AddressMaps.numberBits.W))

  /** Masks of the programmable map, over the bits of a line's number: channel, rank, bank, each with the lowest bit first. */
  val masks = Output(
    Vec(config.channelBits + config.geometry.rankBits + config.geometry.bankBits, UInt(config.lineAddressBits.W))
  )

  val check    = Output(Bool())
  val checked  = Input(Bool())
  val oneToOne = Input(Bool())
  val take     = Output(Bool())
}
