// SPDX-License-Identifier: Apache-2.0
package weir.config

/** What a JEDEC standard says for all its parts. Each stands in a file of its own, with its parts. */
trait Standard {

  /** Its parts, by the tables of their makers or of the standard. */
  def parts: Seq[Part]

  /** The lowest CAS latency that is used, however slow the clock. */
  def leastCl: Int

  /** The CAS write latency for a clock of `tCKps` picoseconds and a CAS latency of `cl` clocks. */
  def cwl(tCKps: Int, cl: Int): Int

  /** Clocks of `tCKps` picoseconds that cover a minimum time, rounded as the standard asks. */
  def clocksCovering(nanoseconds: BigDecimal, tCKps: Int): Int

  /** The longest period in picoseconds of a clock that is given as `tCKps`. */
  def slowestClock(tCKps: Int): Int

  /** Beats of a burst. */
  def burstLength: Int = 8

  /** Clocks that lie free on the data bus between a read's burst and that of a write to its rank. */
  def readToWriteGap: Int = 2

  /** Clocks that an activate, a read and a write take on the command pins; all other commands take one. */
  def longCommandClocks: Int = 1

  /** Whether its parts can be refreshed in parts of a whole refresh, each refresh of another size (on-the-fly mode). */
  def refreshesInParts: Boolean = false

  /** Whether one bank of each bank group can be refreshed while the others are in use (same-bank refresh). In its geometries
    * the number of a bank has the bank above the bank group, so that what is refreshed together are neighbours.
    */
  def sameBankRefresh: Boolean = false

  /** Refreshes of a rank that may be postponed, and as many that may be pulled in. */
  def mostPostponed: Int = 8

  /** Refreshes between two short ZQ calibrations; 0 where the controller calibrates none. */
  def zqInterval: Int = 16384
}

object Standard {
  val all: Seq[Standard] = Seq(Ddr3, Ddr4, Ddr5)

  /** That of a part; of one that is in no table it is told by its geometry. */
  def of(part: String, geometry: Geometry): Standard =
    Parts.all.get(part).map(_.standard).getOrElse(if (geometry.electrical.bankGroups > 1) Ddr4 else Ddr3)

  /** A CAS write latency by the clock alone.
    *
    * @param table the shortest clock period in picoseconds of each, shortest first
    */
  private[config] def cwlByClock(standard: Standard, table: Seq[(Int, Int)], tCKps: Int): Int =
    table
      .findLast { case (shortest, _) => shortest <= tCKps }
      .getOrElse(
        throw new IllegalArgumentException(s"$standard has no clock of $tCKps ps, its shortest is ${table.head._1} ps")
      )
      ._2
}
