// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util.log2Ceil
import weir.config.{Geometry, WeirConfig}

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
  val io = IO(new Bundle {
    val timing    = Input(new TimingControl)
    val distances = Output(DistanceTable.bundle(config))
  })

  DistanceTable.frozen(config) match {
    case Some(table) => for ((name, field) <- io.distances.elements) field := table(name).U
    case None        =>
      val timing = RegNext(io.timing)
      val table  = DistanceTable.table[UInt](config, name => timing(name), Hardware(log2Ceil(config.phy.phases)))
      io.distances := RegNext({
        val distances = Wire(DistanceTable.bundle(config))
        for ((name, field) <- distances.elements) field := table(name).pad(field.getWidth)(field.getWidth - 1, 0)
        distances
      })
  }

  /** Arithmetic on timings that may change. The widths hold every legal sum, so that the bits above them are 0. */
  private case class Hardware(shift: Int) extends DistanceTable.Arithmetic[UInt] {
    def constant(value: Int): UInt                   = value.U
    def cycles(clocks: UInt, phaseOffset: Int): UInt = {
      val rounded = (clocks.zext +& (phaseOffset + (1 << shift) - 1).S) >> shift
      Mux(rounded < 1.S, 1.U, rounded.asUInt)
    }
    def wholeCycles(clocks: UInt): UInt   = clocks >> shift
    def larger(a: UInt, b: UInt): UInt    = Mux(a > b, a, b)
    def remainder(a: UInt, b: UInt): UInt = Mux(a > b, a - b, 1.U)
  }
}

object DistanceTable {

  /** What the table is made with: plain numbers for frozen timings, hardware for those that are registers. */
  private[channel] trait Arithmetic[T] {
    def constant(value: Int): T

    /** Least number of cycles, and at least one, for `clocks + phaseOffset` DRAM clocks. */
    def cycles(clocks: T, phaseOffset: Int): T

    /** Cycles that certainly pass within `clocks`. */
    def wholeCycles(clocks: T): T
    def larger(a: T, b: T): T

    /** What `a` is longer than `b`, at least one. */
    def remainder(a: T, b: T): T
  }

  private case class Numbers(phases: Int) extends Arithmetic[Int] {
    def constant(value: Int): Int                  = value
    def cycles(clocks: Int, phaseOffset: Int): Int = Math.floorDiv(clocks + phaseOffset + phases - 1, phases).max(1)
    def wholeCycles(clocks: Int): Int              = clocks / phases
    def larger(a: Int, b: Int): Int                = a.max(b)
    def remainder(a: Int, b: Int): Int             = (a - b).max(1)
  }

  /** Distances in cycles by name.
    *
    * @param timing a timing by its name in [[TimingControl]], in DRAM clocks
    */
  private def table[T](config: WeirConfig, timing: String => T, arithmetic: Arithmetic[T]): Map[String, T] = {
    import arithmetic._
    val phases = CommandPhases(config)
    import phases.{activate, precharge, read, write}
    val cl    = config.timing.cl
    val cwl   = config.timing.cwl
    val burst = Geometry.burstClocks

    def gap(clocks: T, offset: Int, from: Int, to: Int): T = cycles(clocks, offset + from - to)

    val rowCycle            = gap(timing("tRC"), 0, activate, activate)
    val prechargeToActivate = gap(timing("tRP"), 0, precharge, activate)
    // what follows a refresh may be an activate or another command of the rank, whichever phase is the earlier
    val earliest = activate.min(precharge)

    Map(
      "activateToRead"  -> gap(timing("tRCD"), 0, activate, read),
      "activateToWrite" -> gap(timing("tRCD"), 0, activate, write),
      // tRC is kept by holding the precharge back where tRAS + tRP alone would be shorter
      "activateToPrecharge" ->
        larger(gap(timing("tRAS"), 0, activate, precharge), remainder(rowCycle, prechargeToActivate)),
      "prechargeToActivate"      -> prechargeToActivate,
      "readToPrecharge"          -> gap(timing("tRTP"), 0, read, precharge),
      "writeToPrecharge"         -> gap(timing("tWR"), cwl + burst, write, precharge),
      "activateSame"             -> gap(timing("tRRD_L"), 0, activate, activate),
      "activateOther"            -> gap(timing("tRRD_S"), 0, activate, activate),
      "fourActivates"            -> gap(timing("tFAW"), 0, activate, activate),
      "readToReadSame"           -> gap(timing("tCCD_L"), 0, read, read),
      "readToReadOther"          -> gap(timing("tCCD_S"), 0, read, read),
      "readToReadRank"           -> gap(timing("tRTRS"), burst, read, read),
      "readToWrite"              -> gap(constant(cl - cwl + burst + 2), 0, read, write),
      "readToWriteRank"          -> gap(timing("tRTRS"), cl - cwl + burst, read, write),
      "writeToReadSame"          -> gap(timing("tWTR_L"), cwl + burst, write, read),
      "writeToReadOther"         -> gap(timing("tWTR_S"), cwl + burst, write, read),
      "writeToReadRank"          -> gap(timing("tRTRS"), cwl + burst - cl, write, read),
      "writeToWriteSame"         -> gap(timing("tCCD_L"), 0, write, write),
      "writeToWriteOther"        -> gap(timing("tCCD_S"), 0, write, write),
      "writeToWriteRank"         -> gap(timing("tRTRS"), burst, write, write),
      "prechargeToRefresh"       -> gap(timing("tRP"), 0, precharge, precharge),
      "refreshToActivate"        -> gap(timing("tRFC"), 0, precharge, earliest),
      "halfRefreshToActivate"    -> gap(timing("tRFC2"), 0, precharge, earliest),
      "quarterRefreshToActivate" -> gap(timing("tRFC4"), 0, precharge, earliest),
      "calibrateToActivate"      -> gap(timing("tZQCS"), 0, precharge, earliest),
      // rounded down: refreshing a little too often is the safe side
      "refreshInterval"      -> wholeCycles(timing("tREFI")),
      "refreshesToCalibrate" -> timing("zqInterval")
    )
  }

  /** The distances at the config's own timings, by name. */
  private def preset(config: WeirConfig): Map[String, Int] = {
    val timing = config.timing.productElementNames
      .zip(config.timing.productIterator)
      .collect { case (name, value: Int) => name -> value }
      .toMap
    table(config, timing, Numbers(config.phy.phases))
  }

  /** The distances of a config whose timings are frozen, by name. */
  private[channel] def frozen(config: WeirConfig): Option[Map[String, Int]] =
    Option.when(!config.policies.programmableTimings)(preset(config))

  /** Fewest controller cycles from a refresh of a rank to its next command, if there is one that comes in parts or not. */
  private[channel] def shortestRefresh(config: WeirConfig, inParts: Boolean): Int =
    preset(config)(if (inParts) "quarterRefreshToActivate" else "refreshToActivate")

  /** Fewest controller cycles from an activate to the precharge of its bank. */
  private[channel] def activateToPrecharge(config: WeirConfig): Int = preset(config)("activateToPrecharge")

  /** Width of a distance: the largest is made of an 8-bit tWR, a latency and a burst, below 2^10 clocks; frozen ones are
    * as wide as they must be.
    */
  private def width(config: WeirConfig): String => Int = frozen(config) match {
    case Some(table) => name => log2Ceil(table(name) + 1).max(1)
    case None        => {
      case name if name.toLowerCase.endsWith("refreshtoactivate") || name == "calibrateToActivate" =>
        13 - log2Ceil(config.phy.phases)
      case "refreshInterval"      => 16
      case "refreshesToCalibrate" => 20
      case _                      => 10 - log2Ceil(config.phy.phases)
    }
  }

  def bundle(config: WeirConfig): Distances = new Distances(width(config))
}
