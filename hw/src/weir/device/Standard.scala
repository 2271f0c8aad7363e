// SPDX-License-Identifier: Apache-2.0
package weir.device

import weir.device.CommandClass.{Activate, Precharge, Read, Write}
import weir.device.Scope.{Bank, OtherGroup, OtherRank, Rank, SameGroup}

/** What a JEDEC standard says for all its parts. Each stands in a file of its own, with its parts. */
trait Standard extends Device {

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

  /** Whether chips have an ODT pin; if not their termination follows the commands that they see. */
  def odtPin: Boolean = true

  /** Refreshes of a rank that may be postponed, and as many that may be pulled in. */
  def mostPostponed: Int = 8

  /** Refreshes between two short ZQ calibrations; 0 where the controller calibrates none. */
  def zqInterval: Int = 16384

  /** Those of all standards (JESD79-3F 4.13 and 4.14, JESD79-4 4.24 and 4.25): the data bus is taken from `cl` or `cwl` clocks
    * after the command for a burst; read to write on a rank leaves some clocks for the bus to turn; between ranks tRTRS; write
    * to read on a rank counts tWTR from the end of the write data, write to precharge counts tWR from there.
    */
  def constraints(dram: Timing, burst: Int): Seq[Constraint] = {
    val readToData  = dram.cl
    val writeToData = dram.cwl
    // what follows a refresh may be an activate or another command of the rank
    def refresh(between: String, timing: String): Constraint =
      Constraint(between, Rank, Precharge, Seq(Activate, Precharge), Some(timing), ofRefresh = true)

    Seq(
      Constraint("activateToRead", Bank, "tRCD", Activate, Read),
      Constraint("activateToWrite", Bank, "tRCD", Activate, Write),
      Constraint("rowCycle", Bank, "tRC", Activate, Activate),
      Constraint("prechargeToActivate", Bank, "tRP", Precharge, Activate),
      // tRC is kept by holding the precharge back where tRAS + tRP alone would be shorter
      Constraint("activateToPrecharge", Bank, "tRAS", Activate, Precharge)
        .copy(heldBack = Some("rowCycle" -> "prechargeToActivate")),
      Constraint("readToPrecharge", Bank, "tRTP", Read, Precharge),
      Constraint("writeToPrecharge", Bank, "tWR", Write, Precharge).copy(scaled = writeToData + burst),
      Constraint("activate", SameGroup, "tRRD_L", Activate, Activate),
      Constraint("activate", OtherGroup, "tRRD_S", Activate, Activate),
      Constraint("fourActivates", Rank, "tFAW", Activate, Activate),
      Constraint("readToRead", SameGroup, "tCCD_L", Read, Read),
      Constraint("readToRead", OtherGroup, "tCCD_S", Read, Read),
      Constraint("readToRead", OtherRank, "tRTRS", Read, Read).copy(scaled = burst),
      Constraint(
        "readToWrite",
        Rank,
        Read,
        Seq(Write),
        None,
        scaled = readToData - writeToData + burst + readToWriteGap
      ),
      Constraint("readToWrite", OtherRank, "tRTRS", Read, Write).copy(scaled = readToData - writeToData + burst),
      Constraint("writeToRead", SameGroup, "tWTR_L", Write, Read).copy(scaled = writeToData + burst),
      Constraint("writeToRead", OtherGroup, "tWTR_S", Write, Read).copy(scaled = writeToData + burst),
      // data is on the bus when the PHY puts it there, so what brings bursts nearer to each other does not grow
      Constraint("writeToRead", OtherRank, "tRTRS", Write, Read).copy(scaled = burst, fixed = writeToData - readToData),
      Constraint("writeToWrite", SameGroup, if (dram.tCCD_L_WR.nonEmpty) "tCCD_L_WR" else "tCCD_L", Write, Write),
      Constraint("writeToWrite", OtherGroup, "tCCD_S", Write, Write),
      Constraint("writeToWrite", OtherRank, "tRTRS", Write, Write).copy(scaled = burst),
      Constraint("prechargeToRefresh", Rank, "tRP", Precharge, Precharge),
      refresh("refreshToActivate", "tRFC"),
      refresh("halfRefreshToActivate", "tRFC2"),
      refresh("quarterRefreshToActivate", "tRFC4"),
      refresh("calibrateToActivate", "tZQCS")
    )
  }
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
  private[device] def cwlByClock(standard: Standard, table: Seq[(Int, Int)], tCKps: Int): Int =
    table
      .findLast { case (shortest, _) => shortest <= tCKps }
      .getOrElse(
        throw new IllegalArgumentException(s"$standard has no clock of $tCKps ps, its shortest is ${table.head._1} ps")
      )
      ._2
}
