// SPDX-License-Identifier: Apache-2.0
package weir.place.map

import chisel3.util.log2Ceil
import weir.config.WeirConfig

/** What a bit of a line's number can be a bit of. */
sealed trait Part
object Part {
  case object Channel extends Part
  case object Rank    extends Part
  case object Bank    extends Part
  case object Row     extends Part
  case object Column  extends Part
}

/** The parts of a line's place in a config, each with as many bits as it has there; a map puts them into an order.
  *
  * `column` counts lines of the row. `bank` holds the bank group above the bank of the group, as [[Location]] does.
  */
class PlaceBits(config: WeirConfig) {
  import config.geometry

  val channel: Seq[Part] = Seq.fill(config.channelBits)(Part.Channel)
  val rank: Seq[Part]    = Seq.fill(geometry.rankBits)(Part.Rank)
  val bank: Seq[Part]    = Seq.fill(geometry.bankBits)(Part.Bank)
  val row: Seq[Part]     = Seq.fill(geometry.rowBits)(Part.Row)
  val column: Seq[Part]  = Seq.fill(geometry.lineColumnBits)(Part.Column)

  /** Bits of a line's number that stay within a cache line of 64 bytes; none where a line is as long. */
  val cacheLine: Int = log2Ceil(64) - log2Ceil(geometry.lineBytes)

  /** Bits of a line's number that stay within a page of 4 KiB. */
  val page: Int = log2Ceil(4096) - log2Ceil(geometry.lineBytes)
}
