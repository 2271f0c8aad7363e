// SPDX-License-Identifier: Apache-2.0
package weir.device

/** A DRAM chip in one speed grade; timings as its datasheet gives them, names and meanings as in [[Timing]]. On parts
  * without bank groups the `_S` and `_L` values are equal.
  *
  * @param name          as its maker writes it, the speed grade last
  * @param source        where organisation and timings come from
  * @param width         data pins of a chip
  * @param bankGroups    bank groups; 1 where there are none
  * @param banksPerGroup banks of a bank group; all banks where there are no groups
  * @param rowBits       row address bits
  * @param shortestTCKps shortest clock period of the speed grade in picoseconds
  * @param tAA           read command to first data: CL covers it
  * @param tRFC2         refresh of 2x granularity; of a DDR3 part, which has none, half of tRFC, as a DRAM beyond JEDEC
  *                      would take at best; tRFC4 likewise
  * @param tCCD_L_WR     of writes; tCCD_L where there is none
  * @param sameBank      times of refreshes of one bank of each bank group, of a standard that has such
  */
case class Part(
    name: String,
    source: String,
    standard: Standard,
    width: Int,
    bankGroups: Int,
    banksPerGroup: Int,
    rowBits: Int,
    shortestTCKps: Int,
    tAA: Duration,
    tRCD: Duration,
    tRP: Duration,
    tRAS: Duration,
    tRC: Duration,
    tRRD_S: Duration,
    tRRD_L: Duration,
    tFAW: Duration,
    tCCD_S: Duration,
    tCCD_L: Duration,
    tWTR_S: Duration,
    tWTR_L: Duration,
    tRTP: Duration,
    tWR: Duration,
    tRFC: Duration,
    tRFC2: Duration,
    tRFC4: Duration,
    tREFI: Duration,
    tZQCS: Duration,
    tCCD_L_WR: Option[Duration] = None,
    sameBank: Option[SameBankRefresh] = None
) {

  /** The geometry of `ranks` ranks, each with as many of these chips as fill a data bus of `dqBits`. */
  def geometry(ranks: Int, dqBits: Int): Geometry = {
    require(dqBits % width == 0, s"Part $name: a data bus of $dqBits bits is no multiple of its $width data pins")
    Geometry(
      ranks,
      bankGroups,
      banksPerGroup,
      rowBits,
      Part.columnBits,
      dqBits,
      burstLength = standard.burstLength,
      bankAboveGroup = standard.sameBankRefresh
    )
  }

  /** Average time between the refreshes of a rank, or `ofSets` of banks. */
  def refreshInterval(ofSets: Boolean): Duration = sameBank.filter(_ => ofSets).fold(tREFI)(_.tREFI2)

  /** The timings in clocks of `tCKps` picoseconds (where the period is no whole number, rounded down).
    *
    * Minimum times are rounded as the standard asks; tREFI is a maximum and rounded down. CL is the least that covers tAA,
    * CWL follows from the clock. JEDEC leaves the gap on the data bus between ranks to the system; it is two clocks here,
    * as in Table II of the paper on rank assignment, for the preamble of one rank after the postamble of the other. Short
    * ZQ calibration comes every 16384 refreshes (128 ms at 7.8 us): the interval that JESD79-3F section 5.5 works out as
    * its example, for a drift of 1 degree and 15 mV in a second.
    *
    * @param ofSets whether sets of banks are refreshed by themselves; the part has times of that
    */
  def timing(tCKps: Int, ofSets: Boolean = false): Timing = {
    val sets = Option.when(ofSets)(
      sameBank.getOrElse(throw new IllegalArgumentException(s"Part $name: sets of its banks have no refresh"))
    )
    require(
      tCKps >= shortestTCKps,
      s"Part $name: a clock period of $tCKps ps is shorter than the $shortestTCKps ps of its speed grade"
    )
    def at(time: Duration): Int = time.clocksAt(tCKps, standard)
    val cl                      = at(tAA).max(standard.leastCl)
    Timing(
      source = source,
      tCKps = tCKps,
      cl = cl,
      cwl = standard.cwl(tCKps, cl),
      tRCD = at(tRCD),
      tRP = at(tRP),
      tRAS = at(tRAS),
      tRC = at(tRC),
      tRRD_S = at(tRRD_S),
      tRRD_L = at(tRRD_L),
      tFAW = at(tFAW),
      tCCD_S = at(tCCD_S),
      tCCD_L = at(tCCD_L),
      tWTR_S = at(tWTR_S),
      tWTR_L = at(tWTR_L),
      tRTP = at(tRTP),
      tWR = at(tWR),
      tRTRS = 2,
      tRFC = at(sets.map(_.tRFCsb).getOrElse(tRFC)),
      tREFI = refreshInterval(ofSets).clocksWithin(tCKps, standard),
      tZQCS = at(tZQCS),
      zqInterval = standard.zqInterval,
      tRFC2 = at(tRFC2),
      tRFC4 = at(tRFC4),
      tCCD_L_WR = tCCD_L_WR.map(at),
      tREFSBRD = sets.map(times => at(times.tREFSBRD))
    )
  }
}

/** Refresh of one bank of each bank group (same-bank refresh).
  *
  * @param tRFCsb   to the next refresh of the rank, and to an activate of one of its banks
  * @param tREFSBRD to an activate of another bank of the rank
  * @param tREFI2   average time between refreshes of a bank
  */
case class SameBankRefresh(tRFCsb: Duration, tREFSBRD: Duration, tREFI2: Duration)

object Part {

  /** Column address bits; every DDR3, DDR4 and DDR5 chip of 8 or 16 data pins has 1024 columns. */
  val columnBits: Int = 10
}
