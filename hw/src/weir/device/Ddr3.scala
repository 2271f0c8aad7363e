// SPDX-License-Identifier: Apache-2.0
package weir.device

import weir.device.Duration.{ck, max, ns}

/** DDR3, JESD79-3F. Its parts are chips of Micron's 1, 2, 4 and 8 Gb DDR3 and DDR3L datasheets, each in all speed bins below. */
case object Ddr3 extends Standard {

  /** Speed bin tables: CL 6 and CWL 5 from 2.5 ns on, also with the slow clocks of FPGA boards. */
  val leastCl: Int = 6

  /** Mode register 2. */
  private val cwls = Seq(1070 -> 9, 1250 -> 8, 1500 -> 7, 1875 -> 6, 2500 -> 5)

  def cwl(tCKps: Int, cl: Int): Int = Standard.cwlByClock(this, cwls, tCKps)

  /** nCK = RU(t / tCK). */
  def clocksCovering(nanoseconds: BigDecimal, tCKps: Int): Int =
    (nanoseconds * 1000 / tCKps).setScale(0, BigDecimal.RoundingMode.CEILING).toInt

  def slowestClock(tCKps: Int): Int = tCKps

  /** A speed bin of JESD79-3F: its tables of standard speed bins and of timing parameters by speed bin. In each of these
    * bins tAA, tRCD and tRP are the same time.
    *
    * @param grade         speed grade as Micron marks it
    * @param tCKps         shortest clock period in picoseconds; the times are in nanoseconds
    * @param tRRD1K,tRRD2K with a page of 1 KiB (x4, x8) and 2 KiB (x16); tFAW likewise
    */
  private case class Bin(
      grade: String,
      name: String,
      tCKps: Int,
      tRCD: BigDecimal,
      tRAS: BigDecimal,
      tRC: BigDecimal,
      tRRD1K: BigDecimal,
      tRRD2K: BigDecimal,
      tFAW1K: BigDecimal,
      tFAW2K: BigDecimal
  )

  // format: off
  private val bins = Seq(
    //                                  tCK   tRCD    tRAS  tRC     tRRD 1K 2K   tFAW 1K 2K
    Bin("25",   "DDR3-800E 6-6-6",      2500, 15,     37.5, 52.5,   10,     10,  40,     50),
    Bin("187E", "DDR3-1066F 7-7-7",     1875, 13.125, 37.5, 50.625, 7.5,    10,  37.5,   50),
    Bin("15E",  "DDR3-1333H 9-9-9",     1500, 13.5,   36,   49.5,   6,      7.5, 30,     45),
    Bin("125",  "DDR3-1600K 11-11-11",  1250, 13.75,  35,   48.75,  6,      7.5, 30,     40),
    Bin("107",  "DDR3-1866M 13-13-13",  1070, 13.91,  34,   47.91,  5,      6,   27,     35)
  )
  // format: on

  /** A chip: its datasheet's addressing table, and its density, of which tRFC follows. */
  private case class Chip(name: String, width: Int, rowBits: Int, gigabits: Int)

  private val chips = Seq(
    Chip("MT41J128M8JP", 8, 14, 1),
    Chip("MT41K512M8", 8, 16, 4),
    Chip("MT41K64M16", 16, 13, 1),
    Chip("MT41K128M16", 16, 14, 2),
    Chip("MT41K256M16", 16, 15, 4),
    Chip("MT41K512M16", 16, 16, 8)
  )

  /** JESD79-3F, refresh parameters by device density: gigabits to nanoseconds. */
  private val tRFCs: Map[Int, BigDecimal] = Map(1 -> 110, 2 -> 160, 4 -> 260, 8 -> 350)

  private def part(chip: Chip, bin: Bin): Part = {
    val wide = chip.width == 16
    val tRRD = max(4, if (wide) bin.tRRD2K else bin.tRRD1K)
    val tWTR = max(4, 7.5)
    Part(
      name = s"${chip.name}-${bin.grade}",
      source = s"Micron ${chip.gigabits} Gb DDR3 datasheet, ${chip.name}; JESD79-3F ${bin.name}",
      standard = Ddr3,
      width = chip.width,
      bankGroups = 1,
      banksPerGroup = 8,
      rowBits = chip.rowBits,
      shortestTCKps = bin.tCKps,
      tAA = ns(bin.tRCD),
      tRCD = ns(bin.tRCD),
      tRP = ns(bin.tRCD),
      tRAS = ns(bin.tRAS),
      tRC = ns(bin.tRC),
      tRRD_S = tRRD,
      tRRD_L = tRRD,
      tFAW = ns(if (wide) bin.tFAW2K else bin.tFAW1K),
      tCCD_S = ck(4),
      tCCD_L = ck(4),
      tWTR_S = tWTR,
      tWTR_L = tWTR,
      tRTP = max(4, 7.5),
      tWR = ns(15),
      tRFC = ns(tRFCs(chip.gigabits)),
      tRFC2 = ns(tRFCs(chip.gigabits) / 2),
      tRFC4 = ns(tRFCs(chip.gigabits) / 4),
      tREFI = ns(7800),
      tZQCS = max(64, 80)
    )
  }

  val parts: Seq[Part] = for (chip <- chips; bin <- bins) yield part(chip, bin)
}
