// SPDX-License-Identifier: Apache-2.0
package weir.config

import weir.config.Duration.{ck, max, ns}

/** DDR4 parts: chips of Micron's 8 Gb DDR4 datasheet, each in all speed bins below. */
object Ddr4Parts {

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
      standard = Standard.Ddr4,
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

  val all: Seq[Part] = bins.flatMap(bin => Seq(part("MT40A1G8", 8, bin), part("MT40A512M16", 16, bin)))
}
