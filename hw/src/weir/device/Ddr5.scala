// SPDX-License-Identifier: Apache-2.0
package weir.device

import weir.device.CommandClass.{Activate, Precharge}
import weir.device.Duration.{ck, max, ns}
import weir.device.Scope.Rank

/** DDR5, JESD79-5. Its part is a chip of 16 Gb in one speed bin. */
case object Ddr5 extends Standard {

  /** Speed bin tables. */
  val leastCl: Int = 22

  /** CWL is two clocks less than CL (mode register 0). */
  def cwl(tCKps: Int, cl: Int): Int = cl - 2

  /** Rounding algorithms: thousandths of a clock less 0.3 %, cut off, and one clock more, cut off to whole ones. */
  def clocksCovering(nanoseconds: BigDecimal, tCKps: Int): Int =
    (((nanoseconds * 1000 * 997 / tCKps).toBigInt + 1000) / 1000).toInt

  /** A picosecond slower than it says, as periods are rounded down. */
  def slowestClock(tCKps: Int): Int = tCKps + 1

  /** BL16, mode register 0. */
  override val burstLength: Int = 16

  /** CL - CWL + RBL/2 + 2 tCK + tWPRE - tRPST + 0.5 tCK, with a write preamble of two clocks and a read postamble of half a one. */
  override val readToWriteGap: Int = 4

  /** Command truth table: ACT, RD and WR take two clocks of CA, in the first of which CS_n is low. */
  override val longCommandClocks: Int = 2

  /** REFsb (4.10.3). */
  override val sameBankRefresh: Boolean = true

  /** Non-target ODT comes with the two cycles of a command. */
  override val odtPin: Boolean = false

  /** Refresh operation: four in normal mode; eight of half the length with fine granularity. */
  override val mostPostponed: Int = 4

  /** MPC commands calibrate, which are software's. */
  override val zqInterval: Int = 0

  /** Beside those of all standards, where sets of banks are refreshed by themselves (4.10, same-bank refresh): tRFCsb between
    * two of them, tREFSBRD to an activate beside one, and tRRD_L after an activate.
    */
  override def constraints(dram: Timing, burst: Int): Seq[Constraint] =
    super.constraints(dram, burst) ++ (
      if (dram.tREFSBRD.isEmpty) Seq()
      else
        Seq(
          Constraint("refreshToRefresh", Rank, "tRFC", Precharge, Precharge).copy(ofRefresh = true),
          Constraint("refreshToActivateOther", Rank, "tREFSBRD", Precharge, Activate).copy(ofRefresh = true),
          Constraint("activateToRefresh", Rank, "tRRD_L", Activate, Precharge)
        )
    )

  val parts: Seq[Part] = Seq(
    Part(
      name = "DDR5-16Gb-x16-3200BN",
      source = "JESD79-5, 16 Gb x16, speed bin DDR5-3200BN 26-26-26",
      standard = Ddr5,
      width = 16,
      bankGroups = 4,
      banksPerGroup = 4,
      rowBits = 16,
      shortestTCKps = 625,
      tAA = ns(16.25),
      tRCD = ns(16.25),
      tRP = ns(16.25),
      tRAS = ns(32),
      tRC = ns(48.25),
      tRRD_S = ck(8),
      tRRD_L = max(8, 5),
      tFAW = max(40, 25),
      tCCD_S = ck(8),
      tCCD_L = max(8, 5),
      tWTR_S = max(4, 2.5),
      tWTR_L = max(16, 10),
      tRTP = max(12, 7.5),
      tWR = ns(30),
      tRFC = ns(295),
      tRFC2 = ns(160),
      tRFC4 = ns(160),
      tREFI = ns(3900),
      tZQCS = ns(30),
      // of a write that reads its word first, as one with masked bytes does
      tCCD_L_WR = Some(max(32, 20)),
      sameBank = Some(SameBankRefresh(tRFCsb = ns(130), tREFSBRD = ns(30), tREFI2 = ns(1950)))
    )
  )
}
