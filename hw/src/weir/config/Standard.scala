// SPDX-License-Identifier: Apache-2.0
package weir.config

/** What a JEDEC standard says for all its parts.
  *
  * How times become clocks differs. DDR3 (JESD79-3F) rounds up: nCK = RU(t / tCK). DDR4 (JESD79-4B, rounding algorithms)
  * gives clock periods in whole picoseconds, rounded down (833 for 833.3), so that a time of exactly so many clocks comes
  * out a little longer; it therefore takes thousandths of a clock, cut off, adds 974 and cuts off to whole clocks, which
  * forgives 2.5 % of a clock. [[Duration.clocksAt]] does both.
  *
  * @param leastCl the lowest CAS latency that is used, however slow the clock
  * @param cwls    the shortest clock period in picoseconds of each CAS write latency (mode register 2; the first of the two
  *                sets of DDR4), shortest first
  */
sealed abstract class Standard(val leastCl: Int, cwls: Seq[(Int, Int)]) {

  /** The CAS write latency for a clock of `tCKps` picoseconds. */
  def cwl(tCKps: Int): Int =
    cwls
      .findLast { case (shortest, _) => shortest <= tCKps }
      .getOrElse(
        throw new IllegalArgumentException(s"$this has no clock of $tCKps ps, its shortest is ${cwls.head._1} ps")
      )
      ._2
}

object Standard {

  /** JESD79-3F, speed bin tables: CL 6 and CWL 5 from 2.5 ns on, also with the slow clocks of FPGA boards. */
  case object Ddr3 extends Standard(6, Seq(1070 -> 9, 1250 -> 8, 1500 -> 7, 1875 -> 6, 2500 -> 5))

  /** JESD79-4B, speed bin tables and mode register 2. */
  case object Ddr4 extends Standard(9, Seq(625 -> 16, 750 -> 14, 833 -> 12, 937 -> 11, 1071 -> 10, 1250 -> 9))
}
