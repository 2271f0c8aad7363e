// SPDX-License-Identifier: Apache-2.0
package weir.observe

import org.scalatest.funspec.AnyFunSpec
import weir.Refusals
import weir.counters.{CounterGroup, EventCounter}

/** A list of counters that cannot be is refused with a sentence that names the counter, its group and the limit. */
class GatheredGroupSpec extends AnyFunSpec with Refusals {
  private val group = CounterGroup("few", "Some counters.", first = 0x100, bytes = 0x100, spacing = 0x20, Seq())

  private def counter(number: Int, name: String): EventCounter[Observed] =
    EventCounter(group, number, name, "Something.", 1, (seen, _) => seen.running)

  it("has a bit for each number that there is") {
    assert(GatheredGroup(group, Seq(counter(0, "a"), counter(3, "b"))).present == 9)
  }
  refused("a number beyond the words of a place", "few", "number 4 of late", "0 to 3")(
    GatheredGroup(group, Seq(counter(4, "late")))
  )
  refused("a number below 0", "few", "number -1 of early")(GatheredGroup(group, Seq(counter(-1, "early"))))
  refused("a number twice", "few", "number 2 of one and other")(
    GatheredGroup(group, Seq(counter(2, "one"), counter(2, "other")))
  )
  refused("a name twice", "few", "name same of numbers 0 and 1")(
    GatheredGroup(group, Seq(counter(0, "same"), counter(1, "same")))
  )
}
