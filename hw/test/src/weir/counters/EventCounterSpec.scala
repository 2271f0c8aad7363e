// SPDX-License-Identifier: Apache-2.0
package weir.counters

import chisel3.UInt
import org.scalatest.funspec.AnyFunSpec
import weir.Refusals

/** A counter that cannot be is refused with a sentence that names it, its group and the limit. */
class EventCounterSpec extends AnyFunSpec with Refusals {
  private val group = CounterGroup("few", "Some counters.", first = 0x100, bytes = 0x100, spacing = 0x20, Seq())

  private def counter(name: String, most: Int): EventCounter[UInt] =
    EventCounter(group, 0, name, "Something.", most, (told, _) => told)

  refused("a name that no register can have", "Bad-Name of few", "lower case")(counter("Bad-Name", most = 1))
  refused("one that never grows", "still of few", "most = 0", "at least 1")(counter("still", most = 0))
  refused("a spacing that is no power of two", "CounterGroup few", "24 for each place", "powers of two")(
    group.copy(spacing = 24)
  )
  it("has its places' last dimension run fastest") {
    val places = group.copy(dimensions = Seq("source" -> 2, "rank" -> 3)).places
    assert(places == Seq(Seq(0, 0), Seq(0, 1), Seq(0, 2), Seq(1, 0), Seq(1, 1), Seq(1, 2)))
  }
}
