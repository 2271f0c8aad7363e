// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util.log2Ceil
import weir.config.{Geometry, WeirConfig}

/** Least distances between commands, in controller cycles; named from the earlier command to the later. `Same` means same
  * bank group, `Other` another bank group of the same rank, `Rank` another rank.
  */
class Distances(distanceWidth: Int, refreshWidth: Int) extends Bundle {
  val activateToRead       = UInt(distanceWidth.W)
  val activateToWrite      = UInt(distanceWidth.W)
  val activateToPrecharge  = UInt(distanceWidth.W)
  val prechargeToActivate  = UInt(distanceWidth.W)
  val readToPrecharge      = UInt(distanceWidth.W)
  val writeToPrecharge     = UInt(distanceWidth.W)
  val activateSame         = UInt(distanceWidth.W)
  val activateOther        = UInt(distanceWidth.W)
  val fourActivates        = UInt(distanceWidth.W)
  val readToReadSame       = UInt(distanceWidth.W)
  val readToReadOther      = UInt(distanceWidth.W)
  val readToReadRank       = UInt(distanceWidth.W)
  val readToWrite          = UInt(distanceWidth.W)
  val readToWriteRank      = UInt(distanceWidth.W)
  val writeToReadSame      = UInt(distanceWidth.W)
  val writeToReadOther     = UInt(distanceWidth.W)
  val writeToReadRank      = UInt(distanceWidth.W)
  val writeToWriteSame     = UInt(distanceWidth.W)
  val writeToWriteOther    = UInt(distanceWidth.W)
  val writeToWriteRank     = UInt(distanceWidth.W)
  val refreshToActivate    = UInt(refreshWidth.W)
  val calibrateToActivate  = UInt(refreshWidth.W)
  val refreshInterval      = UInt(16.W)
  val refreshesToCalibrate = UInt(20.W)
}

/** Turns the timings in force (DRAM clocks) into distances in controller cycles, given the phases in which the command
  * classes stand: a command in phase `from` and one `n` cycles later in phase `to` are `n * phases + to - from` clocks
  * apart, so `n` is the least with that not below the timing.
  *
  * Rules (JEDEC JESD79-3F 4.13 and 4.14, JESD79-4 4.24 and 4.25): the data bus is taken from `cl` or `cwl` clocks after the
  * command for four clocks; read to write on a rank leaves two clocks for the bus to turn; between ranks tRTRS; write to
  * read on a rank counts tWTR from the end of the write data, write to precharge counts tWR from there.
  *
  * Latency: two cycles after a change of `timing`; with frozen timings all are constants.
  */
class DistanceTable(config: WeirConfig) extends Module {
  private val phases = CommandPhases(config)
  private val shift  = log2Ceil(phases.phases)
  private val cl     = config.timing.cl
  private val cwl    = config.timing.cwl
  private val burst  = Geometry.burstClocks

  val io = IO(new Bundle {
    val timing    = Input(new TimingControl)
    val distances = Output(DistanceTable.bundle(config))
  })

  private val timing = if (config.policies.programmableTimings) RegNext(io.timing) else io.timing

  /** Cycles for `clocks` (plus a constant) between two phases, never below one. The field's width holds every legal sum, so
    * the bits above it are 0.
    */
  private def cycles(clocks: UInt, offset: Int, from: Int, to: Int): UInt = {
    val sum     = clocks.zext +& (offset + from - to + phases.phases - 1).S
    val rounded = sum >> shift
    Mux(rounded < 1.S, 1.U, rounded.asUInt)
  }

  private def set(distance: UInt, clocks: UInt, offset: Int, from: Int, to: Int): Unit =
    distance := cycles(clocks, offset, from, to).pad(distance.getWidth)(distance.getWidth - 1, 0)

  private def larger(a: UInt, b: UInt): UInt = Mux(a > b, a, b)

  private val d = Wire(DistanceTable.bundle(config))
  import phases._
  private val rowCycle = cycles(timing.tRC, 0, activate, activate)
  set(d.activateToRead, timing.tRCD, 0, activate, read)
  set(d.activateToWrite, timing.tRCD, 0, activate, write)
  set(d.prechargeToActivate, timing.tRP, 0, precharge, activate)
  // tRC is kept by holding the precharge back where tRAS + tRP alone would be shorter
  d.activateToPrecharge := larger(
    cycles(timing.tRAS, 0, activate, precharge),
    Mux(rowCycle > d.prechargeToActivate, rowCycle - d.prechargeToActivate, 1.U)
  )
  set(d.readToPrecharge, timing.tRTP, 0, read, precharge)
  set(d.writeToPrecharge, timing.tWR, cwl + burst, write, precharge)
  set(d.activateSame, timing.tRRD_L, 0, activate, activate)
  set(d.activateOther, timing.tRRD_S, 0, activate, activate)
  set(d.fourActivates, timing.tFAW, 0, activate, activate)

  set(d.readToReadSame, timing.tCCD_L, 0, read, read)
  set(d.readToReadOther, timing.tCCD_S, 0, read, read)
  set(d.readToReadRank, timing.tRTRS, burst, read, read)
  set(d.readToWrite, (cl - cwl + burst + 2).U, 0, read, write)
  set(d.readToWriteRank, timing.tRTRS, cl - cwl + burst, read, write)
  set(d.writeToReadSame, timing.tWTR_L, cwl + burst, write, read)
  set(d.writeToReadOther, timing.tWTR_S, cwl + burst, write, read)
  set(d.writeToReadRank, timing.tRTRS, cwl + burst - cl, write, read)
  set(d.writeToWriteSame, timing.tCCD_L, 0, write, write)
  set(d.writeToWriteOther, timing.tCCD_S, 0, write, write)
  set(d.writeToWriteRank, timing.tRTRS, burst, write, write)

  // what follows may be an activate or another command of the rank, whichever phase is the earlier
  private val earliest = activate.min(precharge)
  set(d.refreshToActivate, timing.tRFC, 0, precharge, earliest)
  set(d.calibrateToActivate, timing.tZQCS, 0, precharge, earliest)
  // rounded down: refreshing a little too often is the safe side
  d.refreshInterval      := timing.tREFI >> shift
  d.refreshesToCalibrate := timing.zqInterval

  io.distances := (if (config.policies.programmableTimings) RegNext(d) else d)
}

object DistanceTable {

  /** Width of a distance: the largest is made of an 8-bit tWR, a latency and a burst, below 2^10 clocks. */
  def width(config: WeirConfig): Int = 10 - log2Ceil(config.phy.phases)

  def bundle(config: WeirConfig): Distances = new Distances(width(config), 13 - log2Ceil(config.phy.phases))
}
