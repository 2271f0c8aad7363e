// SPDX-License-Identifier: Apache-2.0
package weir.device

import weir.device.Duration.{ck, max, ns}

/** DDR4, JESD79-4B. Its parts are chips of Micron's 8 Gb DDR4 datasheet, each in all speed bins below. */
case object Ddr4 extends Standard {

  /** Speed bin tables. */
  val leastCl: Int = 9

  /** Mode register 2, the first of its two sets. */
  private val cwls = Seq(625 -> 16, 750 -> 14, 833 -> 12, 937 -> 11, 1071 -> 10, 1250 -> 9)

  def cwl(tCKps: Int, cl: Int): Int = Standard.cwlByClock(this, cwls, tCKps)

  /** Rounding algorithms: clock periods are given in whole picoseconds, rounded down (833 for 833.3), so that a time of exactly
    * so many clocks comes out a little longer. The algorithm therefore takes thousandths of a clock, cut off, adds 974 and
    * cuts off to whole clocks, which forgives 2.5 % of a clock.
    */
  def clocksCovering(nanoseconds: BigDecimal, tCKps: Int): Int =
    (((nanoseconds * 1000 * 1000 / tCKps).toBigInt + 974) / 1000).toInt

  /** A picosecond slower than it says, as periods are rounded down. */
  def slowestClock(tCKps: Int): Int = tCKps + 1

  /** Fine granularity refresh (4.9). */
  override val refreshesInParts: Boolean = true

  /** A speed bin of JESD79-4B: its tables of speed bins and of timing parameters by speed grade. In each of these bins tAA,
    * tRCD and tRP are the same time.
    *
    * @param grade    speed grade as Micron marks it
    * @param tCKps    shortest clock period in picoseconds, rounded down; the times are in nanoseconds
    * @param tRRD_S1K with a page of 1 KiB (x8), beside 4 clocks; likewise tRRD_L1K, and 2K for a page of 2 KiB (x16)
    * @param tFAW1K   beside 20 clocks; tFAW2K beside 28
    * @param tCCD_L   beside 5 clocks
    */
  private case class Bin(
      grade: String,
      name: String,
      tCKps: Int,
      tRCD: BigDecimal,
      tRAS: BigDecimal,
      tRC: BigDecimal,
      tRRD_S1K: BigDecimal,
      tRRD_L1K: BigDecimal,
      tFAW1K: BigDecimal,
      tRRD_S2K: BigDecimal,
      tRRD_L2K: BigDecimal,
      tFAW2K: BigDecimal,
      tCCD_L: BigDecimal
  )

  // format: off
  private val bins = Seq(
    //                                   tCK  tRCD   tRAS tRC    1K: tRRD_S tRRD_L tFAW 2K: tRRD_S tRRD_L tFAW tCCD_L
    Bin("093E", "DDR4-2133P 15-15-15",   937, 14.06, 33,  47.06, 3.7,       5.3,   21,  5.3,       6.4,   30,  5.355),
    Bin("083E", "DDR4-2400R 16-16-16",   833, 13.32, 32,  45.32, 3.3,       4.9,   21,  5.3,       6.4,   30,  5),
    Bin("075E", "DDR4-2666U 18-18-18",   750, 13.5,  32,  45.5,  3.0,       4.9,   21,  5.3,       6.4,   30,  5),
    Bin("075",  "DDR4-2666V 19-19-19",   750, 14.25, 32,  46.25, 3.0,       4.9,   21,  5.3,       6.4,   30,  5),
    Bin("062E", "DDR4-3200AA 22-22-22",  625, 13.75, 32,  45.75, 2.5,       4.9,   21,  5.3,       6.4,   30,  5)
  )
  // format: on

  private def part(chip: String, width: Int, bin: Bin): Part = {
    val wide = width == 16
    Part(
      name = s"$chip-${bin.grade}",
      source = s"Micron 8 Gb DDR4 datasheet, $chip; JESD79-4B ${bin.name}",
      standard = Ddr4,
      width = width,
      bankGroups = if (wide) 2 else 4,
      banksPerGroup = 4,
      rowBits = 16,
      shortestTCKps = bin.tCKps,
      tAA = ns(bin.tRCD),
      tRCD = ns(bin.tRCD),
      tRP = ns(bin.tRCD),
      tRAS = ns(bin.tRAS),
      tRC = ns(bin.tRC),
      tRRD_S = max(4, if (wide) bin.tRRD_S2K else bin.tRRD_S1K),
      tRRD_L = max(4, if (wide) bin.tRRD_L2K else bin.tRRD_L1K),
      tFAW = if (wide) max(28, bin.tFAW2K) else max(20, bin.tFAW1K),
      tCCD_S = ck(4),
      tCCD_L = max(5, bin.tCCD_L),
      tWTR_S = max(2, 2.5),
      tWTR_L = max(4, 7.5),
      tRTP = max(4, 7.5),
      tWR = ns(15),
      tRFC = ns(350),
      tRFC2 = ns(260),
      tRFC4 = ns(160),
      tREFI = ns(7800),
      tZQCS = ck(128)
    )
  }

  val parts: Seq[Part] = bins.flatMap(bin => Seq(part("MT40A1G8", 8, bin), part("MT40A512M16", 16, bin)))
}
