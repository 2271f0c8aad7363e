// SPDX-License-Identifier: Apache-2.0
package weir.device

import weir.device.Duration.{ck, ns}

/** The DRAM of Table II of "Rank Assignment" (the paper on service interruptions and page colouring): DDR4 at 1600 MT/s with
  * 16 banks, in 8, 16 and 32 Gb, at extended temperature, where refresh comes twice as often, and at normal temperature; and
  * its PCM, which is never refreshed (with refresh policy `none`: its refresh times are those of 8 Gb).
  *
  * The table gives clocks of 1.25 ns; they are turned into times here, so that the parts exist at slower clocks too. It does
  * not give tRFC2 and tRFC4 (those of its Table I), the width of the chips (x8 here, thus four bank groups and the rows that the capacity leaves), CWL (9, as DDR4
  * has at 1600 MT/s) nor tZQCS (128 clocks, JESD79-4B).
  */
object TableTwoParts {
  private val tCKps = 1250

  private def clocks(count: Int): Duration = ns(BigDecimal(count) * tCKps / 1000)

  private def hot(gigabits: Int, rowBits: Int, tRFC: Int, tRFC2: Int, tRFC4: Int): Part =
    Part(
      name = s"TableII-${gigabits}Gb",
      source = s"Rank Assignment, Table II, DRAM column, $gigabits Gb at extended temperature",
      standard = Ddr4,
      width = 8,
      bankGroups = 4,
      banksPerGroup = 4,
      rowBits = rowBits,
      shortestTCKps = tCKps,
      tAA = clocks(11),
      tRCD = clocks(11),
      tRP = clocks(11),
      tRAS = clocks(28),
      tRC = clocks(39),
      tRRD_S = clocks(4),
      tRRD_L = clocks(5),
      tFAW = clocks(20),
      tCCD_S = ck(4),
      tCCD_L = ck(5),
      tWTR_S = clocks(2),
      tWTR_L = clocks(6),
      tRTP = clocks(6),
      tWR = clocks(12),
      tRFC = ns(tRFC),
      tRFC2 = ns(tRFC2),
      tRFC4 = ns(tRFC4),
      tREFI = ns(3900),
      tZQCS = ck(128)
    )

  private def normal(hot: Part): Part =
    hot.copy(
      name = s"${hot.name}-normal",
      source = hot.source.replace("extended", "normal"),
      tREFI = ns(7800)
    )

  private val hots = Seq(hot(8, 16, 350, 240, 160), hot(16, 17, 480, 350, 240), hot(32, 18, 640, 480, 350))

  // eight banks: as x16 chips have
  private val pcm = hots.head.copy(
    name = "TableII-PCM",
    source = "Rank Assignment, Table II, PCM column",
    width = 16,
    bankGroups = 2,
    tRAS = clocks(45),
    tRC = clocks(55),
    tWR = clocks(100)
  )

  val all: Seq[Part] = hots ++ hots.map(normal) :+ pcm
}
