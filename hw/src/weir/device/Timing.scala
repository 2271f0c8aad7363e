// SPDX-License-Identifier: Apache-2.0
package weir.device

/** Timings of a part at one clock, all in DRAM clocks (tCK) unless named otherwise; names as in JEDEC JESD79-3F (DDR3)
  * and JESD79-4 (DDR4). On parts without bank groups the `_S` and `_L` values are equal.
  *
  * @param source  where the numbers come from: datasheet, JEDEC speed bin or paper table
  * @param tCKps   clock period in picoseconds
  * @param cl      CAS latency (read command to first data)
  * @param cwl     CAS write latency (write command to first data)
  * @param tRCD    activate to column command
  * @param tRP     precharge to activate
  * @param tRAS    activate to precharge
  * @param tRC     activate to activate, same bank
  * @param tRRD_S  activate to activate, same rank, another bank group
  * @param tRRD_L  activate to activate, same rank, same bank group
  * @param tFAW    window that holds at most four activates of a rank
  * @param tCCD_S  column to column, same rank, another bank group
  * @param tCCD_L  column to column, same rank, same bank group
  * @param tWTR_S  end of write data to read command, same rank, another bank group
  * @param tWTR_L  end of write data to read command, same rank, same bank group
  * @param tRTP    read to precharge
  * @param tWR     end of write data to precharge
  * @param tRTRS   gap on the data bus between bursts of two ranks
  * @param tRFC    refresh to any command of that rank
  * @param tREFI   average time between refreshes of a rank
  * @param tZQCS   short ZQ calibration to any command of that rank
  * @param zqInterval refreshes of a rank between two of its short ZQ calibrations; 0 switches them off
  * @param tRFC2   refresh of 2x granularity to any command of that rank
  * @param tRFC4   the same of 4x granularity
  * @param tCCD_L_WR write to write, same rank, same bank group; tCCD_L where there is none
  * @param tREFSBRD  refresh of a set of banks to activate of another bank of that rank, where sets are refreshed by
  *                  themselves: then `tRFC` and `tREFI` are theirs
  */
case class Timing(
    source: String,
    tCKps: Int,
    cl: Int,
    cwl: Int,
    tRCD: Int,
    tRP: Int,
    tRAS: Int,
    tRC: Int,
    tRRD_S: Int,
    tRRD_L: Int,
    tFAW: Int,
    tCCD_S: Int,
    tCCD_L: Int,
    tWTR_S: Int,
    tWTR_L: Int,
    tRTP: Int,
    tWR: Int,
    tRTRS: Int,
    tRFC: Int,
    tREFI: Int,
    tZQCS: Int,
    zqInterval: Int,
    tRFC2: Int,
    tRFC4: Int,
    tCCD_L_WR: Option[Int] = None,
    tREFSBRD: Option[Int] = None
) {

  /** All times that there are, in clocks, by name. */
  val clocks: Map[String, Int] = productElementNames
    .zip(productIterator)
    .collect { case (name, value: Int) => name -> value; case (name, Some(value: Int)) => name -> value }
    .toMap

  require(tCKps > 0, s"Timing.tCKps = $tCKps: must be positive")
  for (
    (name, value, bits) <- Seq(
      ("tRCD", tRCD, 8),
      ("tRP", tRP, 8),
      ("tRAS", tRAS, 8),
      ("tRC", tRC, 8),
      ("tRRD_S", tRRD_S, 8),
      ("tRRD_L", tRRD_L, 8),
      ("tFAW", tFAW, 8),
      ("tCCD_S", tCCD_S, 8),
      ("tCCD_L", tCCD_L, 8),
      ("tWTR_S", tWTR_S, 8),
      ("tWTR_L", tWTR_L, 8),
      ("tRTP", tRTP, 8),
      ("tWR", tWR, 8),
      ("tRTRS", tRTRS, 8),
      ("cl", cl, 8),
      ("cwl", cwl, 8),
      ("tRFC", tRFC, 12),
      ("tREFI", tREFI, 16),
      ("tZQCS", tZQCS, 12),
      ("tRFC2", tRFC2, 12),
      ("tRFC4", tRFC4, 12)
    ) ++ tCCD_L_WR.map(("tCCD_L_WR", _, 8)) ++ tREFSBRD.map(("tREFSBRD", _, 8))
  ) require(value >= 1 && value < (1 << bits), s"Timing.$name = $value: must be 1 to ${(1 << bits) - 1} clocks")
  require(tRC >= tRAS, s"Timing.tRC = $tRC: must not be below tRAS = $tRAS")
  for ((name, same, other) <- Seq(("tCCD", tCCD_L, tCCD_S), ("tRRD", tRRD_L, tRRD_S), ("tWTR", tWTR_L, tWTR_S)))
    require(same >= other, s"Timing.${name}_L = $same: must not be below ${name}_S = $other")
  require(cl >= cwl, s"Timing.cl = $cl: must not be below cwl = $cwl")
  require(
    zqInterval >= 0 && zqInterval < (1 << 20),
    s"Timing.zqInterval = $zqInterval: must be 0 to ${(1 << 20) - 1} refreshes"
  )
}
