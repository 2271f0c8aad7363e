// SPDX-License-Identifier: Apache-2.0
package weir.counters

import chisel3.util.{isPow2, log2Ceil}

/** Counters that exist once for each place, a combination of the dimensions' values. Each place has the same number of words
  * of 64 bits, a counter the word of its number in each, so that no other counter moves where one is added.
  *
  * @param name        name in the register map
  * @param description what its members have in common
  * @param first       byte offset of the first place, a multiple of `bytes`
  * @param bytes       bytes of the register map that are the group's, a power of two
  * @param spacing     bytes from one place to the next, a power of two
  * @param dimensions  name and size of each dimension; none for counters of the only channel
  */
case class CounterGroup(
    name: String,
    description: String,
    first: Int,
    bytes: Int,
    spacing: Int,
    dimensions: Seq[(String, Int)]
) {
  require(
    isPow2(bytes) && isPow2(spacing) && first % bytes == 0 && spacing >= 8,
    f"CounterGroup $name: $bytes bytes at 0x$first%x, $spacing for each place: must be powers of two, the offset a multiple"
  )

  /** The places, the last dimension running fastest. */
  val places: Seq[Seq[Int]] =
    dimensions.foldLeft(Seq(Seq.empty[Int])) { case (outer, (_, size)) =>
      outer.flatMap(at => (0 until size).map(at :+ _))
    }

  /** The most places that there is room for. */
  val mostPlaces: Int   = bytes / spacing
  val isWithin: Boolean = places.size <= mostPlaces

  /** Words of a place. */
  val words: Int = spacing / 8

  /** Bits of the number of a word in its place, and of that of a place. */
  val wordBits: Int  = log2Ceil(words)
  val placeBits: Int = log2Ceil(mostPlaces)
}
