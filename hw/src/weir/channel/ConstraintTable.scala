// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util.log2Ceil
import weir.config.{NvmTiming, WeirConfig}

/** Turns the timings in force (DRAM clocks) into constraints in controller cycles, given the phases in which the command
  * classes stand: a command in phase `from` and one `n` cycles later in phase `to` are `n * phases + to - from` clocks
  * apart, so `n` is the least with that not below the timing.
  *
  * Rules (JEDEC JESD79-3F 4.13 and 4.14, JESD79-4 4.24 and 4.25): the data bus is taken from `cl` or `cwl` clocks after the
  * command for four clocks; read to write on a rank leaves two clocks for the bus to turn; between ranks tRTRS; write to
  * read on a rank counts tWTR from the end of the write data, write to precharge counts tWR from there.
  *
  * Latency: two cycles after a change of `timing`; with time scaling that of [[ScaledConstraints]]; with frozen timings all are
  * constants.
  */
class ConstraintTable(config: WeirConfig) extends Module {
  val io = IO(new Bundle {
    val timing      = Input(new TimingControl(config))
    val scale       = Option.when(config.policies.timeScaling.isThere)(Input(new TimeScaleControl(config)))
    val constraints = Output(ConstraintTable.bundle(config))

    /** The same of the ranks of the NVM region. */
    val region = Option.when(config.nvm.isDefined)(new Bundle {
      val timing      = Input(new RegionTiming)
      val constraints = Output(ConstraintTable.regionBundle(config))
    })
  })

  (ConstraintTable.frozen(config), io.scale) match {
    case (Some(table), _)    => for ((name, field) <- io.constraints.elements) field := table(name).U
    case (None, Some(scale)) =>
      val scaled = Module(new ScaledConstraints(config))
      scaled.io.timing := io.timing
      scaled.io.scale  := scale
      io.constraints   := scaled.io.constraints
      for ((region, inner) <- io.region.zip(scaled.io.region)) {
        inner.timing       := region.timing
        region.constraints := inner.constraints
      }
    case (None, None) =>
      val timing = RegNext(io.timing)
      val region = io.region.map(port => RegNext(port.timing))
      val table  = ConstraintTable.table[UInt](
        config,
        ConstraintTable.timingOf(timing, region),
        Hardware(log2Ceil(config.phy.phases))
      )
      for (port <- io.region)
        port.constraints := RegNext({
          val constraints = Wire(ConstraintTable.regionBundle(config))
          for ((name, field) <- constraints.elements)
            field := table(ConstraintTable.ofRegion(name)).pad(field.getWidth)(field.getWidth - 1, 0)
          constraints
        })
      io.constraints := RegNext({
        val constraints = Wire(ConstraintTable.bundle(config))
        for ((name, field) <- constraints.elements) field := table(name).pad(field.getWidth)(field.getWidth - 1, 0)
        constraints
      })
  }

  /** Arithmetic on timings that may change. The widths hold every legal sum, so that the bits above them are 0. */
  private case class Hardware(shift: Int) extends ConstraintTable.Arithmetic[UInt] {
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

object ConstraintTable {

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

  /** What keeps two commands apart, in clocks.
    *
    * @param timing    the timing, by its name in [[TimingControl]], or behind `nvm_` in [[RegionTiming]]
    * @param scaled    clocks beside it that a time scale multiplies as it does the timing
    * @param fixed     clocks that it does not: by which the bursts come nearer to each other than their commands
    * @param from,to   phases of the two commands
    * @param heldBack  names of two rules: of the first at least what it is longer than the second
    * @param ofRefresh whether a DRAM that is as fast as its part takes this time whatever the time scale
    */
  private[channel] case class Rule(
      timing: Option[String],
      scaled: Int,
      fixed: Int,
      from: Int,
      to: Int,
      heldBack: Option[(String, String)] = None,
      ofRefresh: Boolean = false
  ) {

    /** What is added to the clocks that are multiplied, so that cycles come of them. */
    val offset: Int = fixed + from - to
  }

  /** The rules by the names of their constraints, and the row cycle, by which precharges are held back. */
  private[channel] def rules(config: WeirConfig): Seq[(String, Rule)] = {
    val phases = CommandPhases(config)
    import phases.{activate, precharge, read, write}
    val cl    = config.timing.cl
    val cwl   = config.timing.cwl
    val burst = config.geometry.burstClocks

    def gap(timing: String, from: Int, to: Int, scaled: Int = 0, fixed: Int = 0): Rule =
      Rule(Some(timing), scaled, fixed, from, to)
    // what follows a refresh may be an activate or another command of the rank, whichever phase is the earlier
    def refresh(timing: String): Rule = gap(timing, precharge, activate.min(precharge)).copy(ofRefresh = true)

    val always = Seq(
      "activateToRead"      -> gap("tRCD", activate, read),
      "activateToWrite"     -> gap("tRCD", activate, write),
      "rowCycle"            -> gap("tRC", activate, activate),
      "prechargeToActivate" -> gap("tRP", precharge, activate),
      // tRC is kept by holding the precharge back where tRAS + tRP alone would be shorter
      "activateToPrecharge" ->
        gap("tRAS", activate, precharge).copy(heldBack = Some("rowCycle" -> "prechargeToActivate")),
      "readToPrecharge"  -> gap("tRTP", read, precharge),
      "writeToPrecharge" -> gap("tWR", write, precharge, cwl + burst),
      "activateSame"     -> gap("tRRD_L", activate, activate),
      "activateOther"    -> gap("tRRD_S", activate, activate),
      "fourActivates"    -> gap("tFAW", activate, activate),
      "readToReadSame"   -> gap("tCCD_L", read, read),
      "readToReadOther"  -> gap("tCCD_S", read, read),
      "readToReadRank"   -> gap("tRTRS", read, read, burst),
      "readToWrite"      -> Rule(None, cl - cwl + burst + config.standard.readToWriteGap, 0, read, write),
      "readToWriteRank"  -> gap("tRTRS", read, write, cl - cwl + burst),
      "writeToReadSame"  -> gap("tWTR_L", write, read, cwl + burst),
      "writeToReadOther" -> gap("tWTR_S", write, read, cwl + burst),
      // data is on the bus when the PHY puts it there, so what brings bursts nearer to each other does not grow
      "writeToReadRank"          -> gap("tRTRS", write, read, burst, cwl - cl),
      "writeToWriteSame"         -> gap(if (config.timing.tCCD_L_WR.nonEmpty) "tCCD_L_WR" else "tCCD_L", write, write),
      "writeToWriteOther"        -> gap("tCCD_S", write, write),
      "writeToWriteRank"         -> gap("tRTRS", write, write, burst),
      "prechargeToRefresh"       -> gap("tRP", precharge, precharge),
      "refreshToActivate"        -> refresh("tRFC"),
      "halfRefreshToActivate"    -> refresh("tRFC2"),
      "quarterRefreshToActivate" -> refresh("tRFC4"),
      "calibrateToActivate"      -> refresh("tZQCS")
    )

    lazy val ofSets = Seq(
      "refreshToRefresh"       -> gap("tRFC", precharge, precharge).copy(ofRefresh = true),
      "refreshToActivateOther" -> gap("tREFSBRD", precharge, activate).copy(ofRefresh = true),
      "activateToRefresh"      -> gap("tRRD_L", activate, precharge)
    )

    lazy val ofNvm = Seq(
      "activateToRead"      -> gap("nvm_tRCD", activate, read),
      "activateToWrite"     -> gap("nvm_tRCD", activate, write),
      "rowCycle"            -> gap("nvm_tRC", activate, activate),
      "prechargeToActivate" -> gap("nvm_tRP", precharge, activate),
      "activateToPrecharge" -> gap("nvm_tRAS", activate, precharge)
        .copy(heldBack = Some(ofRegion("rowCycle") -> ofRegion("prechargeToActivate"))),
      "readToPrecharge"  -> gap("nvm_tRTP", read, precharge),
      "writeToPrecharge" -> gap("nvm_tWR", write, precharge, cwl + burst),
      // whichever command it is, in the earliest of their phases
      "writeToAny"  -> gap("nvm_writeLatency", write, read.min(write).min(precharge)),
      "writeToRead" -> gap("nvm_tWTR", write, read, cwl + burst)
    )

    always ++
      (if (config.sameBankRefresh) ofSets else Seq()) ++
      (if (config.nvm.nonEmpty) ofNvm.map { case (name, rule) => ofRegion(name) -> rule } else Seq())
  }

  /** The name among all rules of a constraint of the NVM region. */
  private[channel] def ofRegion(name: String): String = s"region${name.capitalize}"

  /** Finds timings by the names that rules have for them. */
  private[channel] def timingOf(timing: TimingControl, region: Option[RegionTiming])(name: String): UInt =
    region.filter(_ => name.startsWith("nvm_")).map(_(name.stripPrefix("nvm_"))).getOrElse(timing(name))

  /** ConstraintCycles in cycles by name.
    *
    * @param timing a timing by its name in [[TimingControl]], in DRAM clocks
    */
  private def table[T](config: WeirConfig, timing: String => T, arithmetic: Arithmetic[T]): Map[String, T] = {
    import arithmetic._
    val gaps = rules(config).map { case (name, rule) =>
      name -> cycles(rule.timing.map(timing).getOrElse(constant(0)), rule.scaled + rule.offset)
    }.toMap
    val held =
      for ((name, rule) <- rules(config); (whole, shorter) <- rule.heldBack)
        yield name -> larger(gaps(name), remainder(gaps(whole), gaps(shorter)))
    gaps ++ held ++ Map(
      // rounded down: refreshing a little too often is the safe side
      "refreshInterval"      -> wholeCycles(timing("tREFI")),
      "refreshesToCalibrate" -> timing("zqInterval")
    )
  }

  /** The constraints at the config's own timings, by name. */
  private[channel] def preset(config: WeirConfig): Map[String, Int] = {
    val timing =
      config.timing.clocks ++ config.nvmTiming.toSeq.flatMap(_.all).map { case (name, value) => s"nvm_$name" -> value }
    table(config, timing, Numbers(config.phy.phases))
  }

  /** The constraints of a config whose timings are frozen, by name. */
  private[channel] def frozen(config: WeirConfig): Option[Map[String, Int]] =
    Option.when(!config.policies.programmableTimings)(preset(config))

  /** Fewest controller cycles from a refresh of a rank to its next command, if there is one that comes in parts or not. */
  private[weir] def shortestRefresh(config: WeirConfig, inParts: Boolean): Int =
    preset(config)(if (inParts) "quarterRefreshToActivate" else "refreshToActivate")

  /** Fewest controller cycles from an activate to the precharge of its bank. */
  private[weir] def activateToPrecharge(config: WeirConfig): Int = preset(config)("activateToPrecharge")

  /** Fewest controller cycles between two activates of a rank, of different bank groups. */
  private[channel] def activateInterval(config: WeirConfig): Int = preset(config)("activateOther")

  /** Width of a constraint: the largest is made of an 8-bit tWR, a latency and a burst, below 2^10 clocks, or of so many times
    * as many; frozen ones are as wide as they must be.
    */
  private[channel] def width(config: WeirConfig): String => Int = frozen(config) match {
    case Some(table) => name => log2Ceil(table(name) + 1).max(1)
    case None        => {
      val scaling = config.policies.timeScaling
      val times   = log2Ceil(scaling.greatest)
      val phases  = log2Ceil(config.phy.phases)

      val ofRefresh = 13 - phases + (if (scaling.slowMemory) times else 0)

      {
        case "calibrateToActivate" | "refreshToRefresh"             => ofRefresh
        case name if name.toLowerCase.endsWith("refreshtoactivate") => ofRefresh
        case "refreshInterval"                                      => 16
        case "refreshesToCalibrate"                                 => 20
        case name if name.startsWith("region")                      => regionWidth(config)
        case _                                                      => 10 - phases + times
      }
    }
  }

  def bundle(config: WeirConfig): ConstraintCycles = new ConstraintCycles(width(config), config.sameBankRefresh)

  /** Width of a constraint of the NVM region: the largest is made of tWR, a latency and a burst. */
  private[channel] def regionWidth(config: WeirConfig): Int =
    NvmTiming.bits + 1 - log2Ceil(config.phy.phases) + log2Ceil(config.policies.timeScaling.greatest)

  def regionBundle(config: WeirConfig): RegionConstraintCycles = new RegionConstraintCycles(regionWidth(config))
}
