// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3.UInt
import chisel3.util.{isPow2, log2Ceil}

/** A counter: what it is called and what it adds up.
  *
  * @param number      its place in its group, the same for ever: software has it. A new counter takes the first number that
  *                    no counter of the group has had; that of one that goes is not given again.
  * @param name        name in the register map, lower case with underscores
  * @param description what is counted, for the register map
  * @param most        the most that it can grow in one controller cycle
  * @param growth      what it grows by in this cycle, given what is observed and the place in the group's dimensions
  * @param alone       names a set of counters, by place, of which at most one grows in a cycle and by one; which makes
  *                    them cheap
  */
case class EventCounter(
    number: Int,
    name: String,
    description: String,
    most: Int,
    growth: (Observed, Seq[Int]) => UInt,
    alone: Seq[Int] => Option[String] = _ => None
)

/** Counters that exist once for each place, a combination of the dimensions' values. Each place has the same number of words
  * of 64 bits, a counter the word of its number in each, so that no other counter moves where one is added.
  *
  * @param name        name in the register map
  * @param description what its members have in common
  * @param first       byte offset of the first place, a multiple of `bytes`
  * @param bytes       bytes of the register map that are the group's, a power of two
  * @param spacing     bytes from one place to the next, a power of two
  * @param dimensions  name and size of each dimension; none for counters of the only channel
  * @param counters    the counters of one place; a config may have none
  */
case class CounterGroup(
    name: String,
    description: String,
    first: Int,
    bytes: Int,
    spacing: Int,
    dimensions: Seq[(String, Int)],
    counters: Seq[EventCounter]
) {
  require(
    isPow2(bytes) && isPow2(spacing) && first % bytes == 0 && spacing >= 8,
    f"CounterGroup $name: $bytes bytes at 0x$first%x, $spacing for each place: must be powers of two, the offset a multiple"
  )
  for (counter <- counters)
    require(
      counter.number >= 0 && counter.number < spacing / 8,
      s"CounterGroup $name: number ${counter.number} of ${counter.name}: must be 0 to ${spacing / 8 - 1}"
    )
  for ((number, those) <- counters.groupBy(_.number))
    require(
      those.size == 1,
      s"CounterGroup $name: number $number of ${those.map(_.name).mkString(" and ")}: must be of one"
    )

  /** The places, the last dimension running fastest. */
  val places: Seq[Seq[Int]] =
    dimensions.foldLeft(Seq(Seq.empty[Int])) { case (outer, (_, size)) =>
      outer.flatMap(at => (0 until size).map(at :+ _))
    }

  /** The most places that there is room for. */
  val mostPlaces: Int   = bytes / spacing
  val isWithin: Boolean = places.size <= mostPlaces

  /** Counters of all places together. */
  val size: Int = places.size * counters.size

  /** Bit n is 1 where there is a counter of number n. */
  val present: BigInt = counters.map(counter => BigInt(1) << counter.number).foldLeft(BigInt(0))(_ | _)

  /** Bits of the number of a word in its place, and of that of a place. */
  val wordBits: Int  = log2Ceil(spacing / 8)
  val placeBits: Int = log2Ceil(mostPlaces)
}
