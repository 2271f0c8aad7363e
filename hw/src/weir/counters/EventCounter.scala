// SPDX-License-Identifier: Apache-2.0
package weir.counters

import chisel3.UInt

/** A counter of a room, which `observe` gathers, stores and shows: what it is called and what it adds up.
  *
  * @param group       the group that it is one of
  * @param number      its place in its group, the same for ever: software has it. A new counter takes the first number that
  *                    no counter of the group has had; that of one that goes is not given again.
  * @param name        name in the register map, lower case with underscores
  * @param description what is counted, for the register map
  * @param most        the most that it can grow in one controller cycle
  * @param growth      what it grows by in this cycle, given what the room tells and the place in the group's dimensions
  * @param alone       names a set of counters, by place, of which at most one grows in a cycle and by one; which makes
  *                    them cheap
  * @tparam E          what the room tells
  */
case class EventCounter[E](
    group: CounterGroup,
    number: Int,
    name: String,
    description: String,
    most: Int,
    growth: (E, Seq[Int]) => UInt,
    alone: Seq[Int] => Option[String] = _ => None
) {

  require(
    name.matches("[a-z][a-z0-9_]*"),
    s"EventCounter $name of ${group.name}: its name must be lower case letters, digits and underscores, a letter first"
  )
  require(most >= 1, s"EventCounter $name of ${group.name}: most = $most: must be at least 1")

  /** The same counter, where what the room tells is part of more. */
  def seenIn[F](part: F => E): EventCounter[F] =
    copy(growth = (whole: F, place: Seq[Int]) => growth(part(whole), place))
}
