// SPDX-License-Identifier: Apache-2.0
package weir.device

/** A time as datasheets give it: the longer of a number of clocks and a time. Exact, so that rounding is the standard's
  * alone.
  *
  * @param clocks      DRAM clocks (nCK)
  * @param nanoseconds the time in nanoseconds
  */
case class Duration(clocks: Int, nanoseconds: BigDecimal) {
  require(clocks >= 0, s"Duration.clocks = $clocks: must not be negative")
  require(nanoseconds >= 0, s"Duration.nanoseconds = $nanoseconds: must not be negative")

  /** Clocks of `tCKps` picoseconds that last at least this long, rounded as the standard asks. */
  def clocksAt(tCKps: Int, standard: Standard): Int = clocks.max(standard.clocksCovering(nanoseconds, tCKps))

  /** Clocks of `tCKps` picoseconds that last no longer than this, for intervals that must not be exceeded. */
  def clocksWithin(tCKps: Int, standard: Standard): Int =
    (nanoseconds * 1000 / standard.slowestClock(tCKps)).toInt
}

object Duration {
  def ns(nanoseconds: BigDecimal): Duration = Duration(0, nanoseconds)
  def ck(clocks: Int): Duration             = Duration(clocks, 0)

  /** "The greater of so many clocks and so many nanoseconds". */
  def max(clocks: Int, nanoseconds: BigDecimal): Duration = Duration(clocks, nanoseconds)
}
