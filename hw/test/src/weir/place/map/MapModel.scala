// SPDX-License-Identifier: Apache-2.0
package weir.place.map

import chisel3._
import chisel3.util.Cat
import weir.config.WeirConfig
import weir.place.Site

/** Where a line lies; `bank` holds the bank group above the bank of the group. */
case class Spot(channel: Int, rank: Int, bank: Int, row: Int, column: Int)

object Spot {
  private val width = 20

  /** A place in one word, so that it costs a simulation one peek whichever of its fields have no bits. */
  def pack(site: Site): UInt =
    Cat(
      Seq(site.channel, site.location.rank, site.location.bank, site.location.row, site.location.column)
        .map(field => (0.U(width.W) ## field)(width - 1, 0))
    )

  def unpack(word: BigInt): Spot = {
    val Seq(column, row, bank, rank, channel) =
      Seq.tabulate(5)(field => ((word >> (field * width)) & ((1 << width) - 1)).toInt): @unchecked
    Spot(channel, rank, bank, row, column)
  }
}

/** The address maps once more, by arithmetic on line numbers: no masks, nothing of `weir.place`. */
class MapModel(config: WeirConfig) {
  private val geometry  = config.geometry
  private val columns   = 1 << geometry.lineColumnBits
  private val lineBytes = geometry.dqBits
  private val cacheLine = 64 / lineBytes

  /** Takes digits off a number, the lowest first; the last digit is what is left. */
  private def digits(line: BigInt, sizes: Int*): Seq[Int] = {
    val (rest, taken) = sizes.foldLeft((line, Seq.empty[Int])) { case ((rest, taken), size) =>
      (rest / size, taken :+ (rest % size).toInt)
    }
    taken :+ rest.toInt
  }

  private def rowRankBankColumn(line: BigInt): Spot = {
    val Seq(column, bank, rank, row, channel) =
      digits(line, columns, geometry.banks, geometry.ranks, 1 << geometry.rowBits): @unchecked
    Spot(channel, rank, bank, row, column)
  }

  private def rankRowBankColumn(line: BigInt): Spot = {
    val Seq(column, bank, row, rank, channel) =
      digits(line, columns, geometry.banks, 1 << geometry.rowBits, geometry.ranks): @unchecked
    Spot(channel, rank, bank, row, column)
  }

  /** Pieces of so many lines go to the channels in turn, and in each follow one another row by row. */
  private def inTurn(line: BigInt, piece: Int): Spot = {
    val Seq(within, channel, number) = digits(line, piece, config.channels): @unchecked
    rowRankBankColumn(BigInt(number) * piece + within).copy(channel = channel)
  }

  private def bankInterleaved(line: BigInt): Spot = {
    val chunk                                    = (4 * cacheLine).min(columns)
    val Seq(low, bank, high, channel, rank, row) =
      digits(line, chunk, geometry.banks, columns / chunk, config.channels, geometry.ranks): @unchecked
    Spot(channel, rank, bank, row, high * chunk + low)
  }

  private def bankXor(line: BigInt): Spot = {
    val plain = bankInterleaved(line)
    plain.copy(bank = plain.bank ^ plain.row % geometry.banks)
  }

  val maps: Map[String, BigInt => Spot] = Map(
    "row_rank_bank_column" -> rowRankBankColumn,
    "non_interleaved"      -> (inTurn(_, columns.max(4096 / lineBytes))),
    "channel_interleaved"  -> (inTurn(_, cacheLine)),
    "bank_interleaved"     -> bankInterleaved,
    "bank_xor"             -> bankXor,
    "rank_row_bank_column" -> rankRowBankColumn
  )

  /** A map of masks: channel, rank and bank bits, lowest first. All XORs of masks are made; nobody else's bits are those that
    * are the lowest of none.
    */
  def ofMasks(masks: Seq[BigInt])(line: BigInt): Spot = {
    val parities = masks.map(mask => (mask & line).bitCount % 2)
    val own      = sums(masks).map(_.lowestSetBit)
    val plain    = (0 until config.lineAddressBits).filterNot(own.contains).map(bit => if (line.testBit(bit)) 1 else 0)
    val (column, row)          = plain.splitAt(geometry.lineColumnBits)
    def number(bits: Seq[Int]) = bits.zipWithIndex.map { case (bit, place) => bit << place }.sum
    val (channel, ranked)      = parities.splitAt(config.channelBits)
    val (rank, bank)           = ranked.splitAt(geometry.rankBits)
    Spot(number(channel), number(rank), number(bank), number(row), number(column))
  }

  /** Whether no XOR of masks is nothing. */
  def isOneToOne(masks: Seq[BigInt]): Boolean = !sums(masks).contains(0)

  private def sums(masks: Seq[BigInt]): Set[BigInt] =
    (1 until 1 << masks.size).map(some => masks.indices.filter(BigInt(some).testBit).map(masks).reduce(_ ^ _)).toSet
}
