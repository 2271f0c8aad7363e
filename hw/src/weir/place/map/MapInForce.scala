// SPDX-License-Identifier: Apache-2.0
package weir.place.map

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.place.Site

/** Gates that find the place of a line by an address map, as [[Masks]] defines it, and that show the map's masks. */
abstract class MapInForce(config: WeirConfig) {
  import config.geometry

  /** The bits of channel, rank and bank of a line, and those of column and row, lowest first. */
  protected def chosen(line: UInt): Seq[Bool]
  protected def plain(line: UInt): Seq[Bool]

  /** The masks of these bits, over a line's number. */
  protected def chosenMask(index: Int): UInt
  protected def plainMask(index: UInt): UInt

  /** Where the line lies. */
  def apply(line: UInt): Site = {
    def bits(from: Seq[Bool], low: Int, width: Int): UInt =
      if (width == 0) 0.U(0.W) else VecInit(from.slice(low, low + width)).asUInt
    val masked = chosen(line)
    val rest   = plain(line)
    val site   = Wire(new Site(config))
    site.channel         := bits(masked, 0, config.channelBits)
    site.location.rank   := bits(masked, config.channelBits, geometry.rankBits)
    site.location.bank   := bits(masked, config.channelBits + geometry.rankBits, geometry.bankBits)
    site.location.column := bits(rest, 0, geometry.lineColumnBits)
    site.location.row    := bits(rest, geometry.lineColumnBits, geometry.rowBits)
    site
  }

  /** The mask over byte addresses of the bit of the place with this number of [[PlaceNumbers]], 64 bits. */
  def mask(number: UInt): UInt = {
    val byteBits = log2Ceil(geometry.lineBytes)
    // the lowest three column bits choose a beat of the line, as the highest address bits within the line do
    val beatBits                     = geometry.columnBits - geometry.lineColumnBits
    def numbers(part: String): Range = {
      val first = PlaceNumbers.first(part)
      first until first + PlaceNumbers.bits(config, part)
    }
    // in the order of `chosen`, where the bank group stands above the bank
    val masked =
      (numbers("channel") ++ numbers("rank") ++ PlaceNumbers.ofBank(config.geometry).flatMap(numbers)).zipWithIndex
        .map { case (which, index) => which.U -> (chosenMask(index) << byteBits).asUInt.pad(64) }
    val beats = numbers("column").take(beatBits).zipWithIndex.map { case (which, index) =>
      which.U -> (BigInt(1) << (byteBits - beatBits + index)).U(64.W)
    }
    val columns = numbers("column").drop(beatBits)
    val rows    = numbers("row")
    val isPlain = number >= columns.head.U && number <= columns.last.U || number >= rows.head.U && number <= rows.last.U
    val index   = number - Mux(number >= rows.head.U, (rows.head - columns.size).U, columns.head.U)
    MuxLookup(number, Mux(isPlain, (plainMask(index) << byteBits).asUInt.pad(64), 0.U))(masked ++ beats)
  }
}

/** A map that is fixed by the config: wires and XOR gates. */
class FixedMap(config: WeirConfig, masks: Masks) extends MapInForce(config) {
  protected def chosen(line: UInt): Seq[Bool] =
    masks.chosen.map(mask => (0 until masks.lineBits).filter(mask.testBit).map(line(_)).reduce(_ ^ _))
  protected def plain(line: UInt): Seq[Bool] = masks.plain.map(line(_))
  protected def chosenMask(index: Int): UInt = masks.chosen(index).U
  protected def plainMask(index: UInt): UInt =
    MuxLookup(index, 0.U(masks.lineBits.W))((masks.column ++ masks.row).zipWithIndex.map { case (mask, which) =>
      which.U -> mask.U(masks.lineBits.W)
    })
}
