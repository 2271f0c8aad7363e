// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util.log2Ceil
import weir.config.WeirConfig
import weir.device.{Constraint, Device}

/** Turns the timings in force (DRAM clocks) into constraints in controller cycles, given the phases in which the command
  * classes stand: a command in phase `from` and one `n` cycles later in phase `to` are `n * phases + to - from` clocks
  * apart, so `n` is the least with that not below the timing.
  *
  * Which constraints there are the devices behind the channel say ([[weir.device.Device]]): the standard of its DRAM, and the
  * memory that is emulated in some of its ranks.
  *
  * Latency: two cycles after a change of `timing`; with time scaling that of [[ScaledConstraints]]; with frozen timings all are
  * constants.
  */
class ConstraintTable(config: WeirConfig) extends Module {
  val io = IO(new Bundle {
    val timing      = Input(new TimingControl(config))
    val scale       = Option.when(config.policies.timeScaling.isThere)(Input(new TimeScaleControl(config)))
    val constraints = Output(ConstraintTable.bundle(config))

    /** The same of the ranks of an emulated memory. */
    val emulated = config.emulated.map(_ => new EmulatedConstraintPort(config))
  })

  (ConstraintTable.frozen(config), io.scale) match {
    case (Some(table), _)    => for ((name, field) <- io.constraints.elements) field := table(name).U
    case (None, Some(scale)) =>
      val scaled = Module(new ScaledConstraints(config))
      scaled.io.timing := io.timing
      scaled.io.scale  := scale
      io.constraints   := scaled.io.constraints
      for ((emulated, inner) <- io.emulated.zip(scaled.io.emulated)) {
        inner <> emulated
      }
    case (None, None) =>
      val timing   = RegNext(io.timing)
      val emulated = io.emulated.map(port => RegNext(port.timing))
      val table    = ConstraintTable.table[UInt](
        config,
        ConstraintTable.timingOf(timing, emulated),
        ConstraintTable.Intervals(timing.tREFI, timing.zqInterval),
        Hardware(log2Ceil(config.phy.phases))
      )
      for (port <- io.emulated)
        port.constraints := RegNext({
          val constraints = Wire(ConstraintTable.emulatedBundle(config))
          for ((name, field) <- constraints.elements)
            field := table(ConstraintTable.ofEmulated(name)).pad(field.getWidth)(field.getWidth - 1, 0)
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

    /** a − b, at least one. */
    def remainder(a: T, b: T): T
  }

  private case class Numbers(phases: Int) extends Arithmetic[Int] {
    def constant(value: Int): Int                  = value
    def cycles(clocks: Int, phaseOffset: Int): Int = Math.floorDiv(clocks + phaseOffset + phases - 1, phases).max(1)
    def wholeCycles(clocks: Int): Int              = clocks / phases
    def larger(a: Int, b: Int): Int                = a.max(b)
    def remainder(a: Int, b: Int): Int             = (a - b).max(1)
  }

  /** A constraint of one of the devices behind the channel.
    *
    * @param name       among those of all devices
    * @param ofEmulated whether the device is the emulated memory
    * @param heldBack   names of two other rules, whole and part: this one is at least whole − part
    * @param offset     what is added to the clocks that are multiplied, so that cycles come of them
    */
  private[channel] case class Rule(
      name: String,
      constraint: Constraint,
      ofEmulated: Boolean,
      heldBack: Option[(String, String)],
      offset: Int
  )

  /** The rules of all devices, and the row cycles, by which precharges are held back. */
  private[channel] def rules(config: WeirConfig): Seq[Rule] = {
    val phases = CommandPhases(config)

    def rulesOf(device: Device, ofEmulated: Boolean): Seq[Rule] = {
      def named(name: String): String = if (ofEmulated) ConstraintTable.ofEmulated(name) else name
      for (constraint <- device.constraints(config.timing, config.geometry.burstClocks))
        yield Rule(
          named(constraint.name),
          constraint,
          ofEmulated,
          constraint.heldBack.map { case (whole, part) => named(whole) -> named(part) },
          constraint.fixed + phases.of(constraint.from) - constraint.to.map(phases.of).min
        )
    }
    rulesOf(config.standard, ofEmulated = false) ++ config.emulated.toSeq.flatMap(rulesOf(_, ofEmulated = true))
  }

  /** The name among all rules of a constraint of the emulated memory. */
  private[channel] def ofEmulated(name: String): String = s"emulated${name.capitalize}"

  /** The timing of a rule, if it has one. */
  private[channel] def timingOf(timing: TimingControl, emulated: Option[EmulatedTiming])(rule: Rule): Option[UInt] =
    rule.constraint.timing.map(name => if (rule.ofEmulated) emulated.get(name) else timing(name))

  /** Constraints in cycles, by the names of their rules.
    *
    * @param timing    the timing of a rule in DRAM clocks, if it has one
    * @param intervals the intervals between refreshes and between calibrations
    */
  private def table[T](
      config: WeirConfig,
      timing: Rule => Option[T],
      intervals: Intervals[T],
      arithmetic: Arithmetic[T]
  ): Map[String, T] = {
    import arithmetic._
    val gaps = rules(config)
      .map(rule => rule.name -> cycles(timing(rule).getOrElse(constant(0)), rule.constraint.scaled + rule.offset))
      .toMap
    val held =
      for (rule <- rules(config); (whole, part) <- rule.heldBack)
        yield rule.name -> larger(gaps(rule.name), remainder(gaps(whole), gaps(part)))
    gaps ++ held ++ Map(
      // rounded down: refreshing a little too often is the safe side
      "refreshInterval"      -> wholeCycles(intervals.tREFI),
      "refreshesToCalibrate" -> intervals.zqInterval
    )
  }

  /** Intervals, which are no constraints between two commands: DRAM clocks, and a number of refreshes. */
  private case class Intervals[T](tREFI: T, zqInterval: T)

  /** The constraints at the config's own timings, by name. */
  private[channel] def preset(config: WeirConfig): Map[String, Int] = {
    val dram                              = config.timing.clocks
    val emulated                          = config.emulated.map(_.timings)
    def timingOf(rule: Rule): Option[Int] =
      rule.constraint.timing.map(name => if (rule.ofEmulated) emulated.get(name) else dram(name))
    table(config, timingOf, Intervals(dram("tREFI"), dram("zqInterval")), Numbers(config.phy.phases))
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

      val emulated  = rules(config).filter(_.ofEmulated).map(_.name).toSet
      val ofRefresh = 13 - phases + (if (scaling.slowMemory) times else 0)

      {
        case "calibrateToActivate" | "refreshToRefresh"             => ofRefresh
        case name if name.toLowerCase.endsWith("refreshtoactivate") => ofRefresh
        case "refreshInterval"                                      => 16
        case "refreshesToCalibrate"                                 => 20
        case name if emulated(name)                                 => emulatedWidth(config)
        case _                                                      => 10 - phases + times
      }
    }
  }

  def bundle(config: WeirConfig): ConstraintCycles = new ConstraintCycles(width(config), config.sameBankRefresh)

  /** Width of a constraint of the emulated memory: the largest is made of a timing, a latency and a burst. */
  private[channel] def emulatedWidth(config: WeirConfig): Int =
    config.emulated.get.timingBits + 1 - log2Ceil(config.phy.phases) + log2Ceil(config.policies.timeScaling.greatest)

  def emulatedBundle(config: WeirConfig): EmulatedConstraintCycles = new EmulatedConstraintCycles(emulatedWidth(config))
}
