// SPDX-License-Identifier: Apache-2.0
package weir.config

/** A time as datasheets give it: the longer of a number of clocks and a time. Exact, so that rounding is the standard's
  * alone.
  *
  * @param clocks      DRAM clocks (nCK)
  * @param nanoseconds the time in nanoseconds
  */
case class Duration(clocks: Int, nanoseconds: BigDecimal) {
  require(clocks >= 0, s"Duration.clocks = $clocks: must not be negative")
  require(nanoseconds >= 0, s"Duration.nanoseconds = $nanoseconds: must not be negative")

  private def thousandths(tCKps: Int): BigInt = (nanoseconds * 1000 * 1000 / tCKps).toBigInt

  /** Clocks of `tCKps` picoseconds that last at least this long, rounded as the standard asks. */
  def clocksAt(tCKps: Int, standard: Standard): Int = {
    val exact = nanoseconds * 1000 / tCKps
    val whole = standard match {
      case Standard.Ddr3 => exact.setScale(0, BigDecimal.RoundingMode.CEILING).toInt
      case Standard.Ddr4 => ((thousandths(tCKps) + 974) / 1000).toInt
    }
    clocks.max(whole)
  }

  /** Clocks of `tCKps` picoseconds that last no longer than this, for intervals that must not be exceeded. DDR4's clock
    * periods are rounded down, so the clock may be a picosecond slower than it says.
    */
  def clocksWithin(tCKps: Int, standard: Standard): Int = {
    val slowest = standard match {
      case Standard.Ddr3 => tCKps
      case Standard.Ddr4 => tCKps + 1
    }
    (thousandths(slowest) / 1000).toInt
  }
}

object Duration {
  def ns(nanoseconds: BigDecimal): Duration = Duration(0, nanoseconds)
  def ck(clocks: Int): Duration             = Duration(clocks, 0)

  /** "The greater of so many clocks and so many nanoseconds". */
  def max(clocks: Int, nanoseconds: BigDecimal): Duration = Duration(clocks, nanoseconds)
}
