// SPDX-License-Identifier: Apache-2.0
package weir.observe

import weir.counters.{CounterGroup, EventCounter}

/** A group and the counters that the rooms of a config have of it.
  *
  * @param counters the counters of one place, by number; a config may have none
  */
case class GatheredGroup(group: CounterGroup, counters: Seq[EventCounter[Observed]]) {
  for (counter <- counters)
    require(
      counter.number >= 0 && counter.number < group.words,
      s"CounterGroup ${group.name}: number ${counter.number} of ${counter.name}: must be 0 to ${group.words - 1}"
    )
  for ((number, those) <- counters.groupBy(_.number))
    require(
      those.size == 1,
      s"CounterGroup ${group.name}: number $number of ${those.map(_.name).mkString(" and ")}: must be of one"
    )
  for ((name, those) <- counters.groupBy(_.name))
    require(
      those.size == 1,
      s"CounterGroup ${group.name}: name $name of numbers ${those.map(_.number).mkString(" and ")}: must be of one"
    )

  /** Counters of all places together. */
  val size: Int = group.places.size * counters.size

  /** Bit n is 1 where there is a counter of number n. */
  val present: BigInt = counters.map(counter => BigInt(1) << counter.number).foldLeft(BigInt(0))(_ | _)
}
