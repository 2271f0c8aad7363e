// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util.{MuxLookup, log2Ceil}
import weir.config.WeirConfig

/** The constraints at timings and a time scale that may both change, made by one multiplier that goes round over them without
  * end, one in each cycle.
  *
  * The clocks of a constraint are multiplied before they are rounded to cycles, so that with any factor it is less than a cycle
  * longer than it should be. CL and CWL, where a constraint is made of them, are multiplied with it, as a core sees them that is
  * so much faster. Not multiplied are the clocks by which a read's burst comes later after its command than a write's, which
  * bring a read of another rank nearer to a write: when data is on the bus is the PHY's matter. tRFC, tRFC2, tRFC4 and tZQCS
  * grow only with a DRAM that is slow itself. The refresh interval stays, as it is counted in steps ([[TimeSteps]]).
  *
  * While a change goes round, each constraint is the old one or the new one, and both keep the rules of the part, whose timings
  * are those of factor 1.
  *
  * Latency: a change is in force at the latest [[ScaledConstraints.latency]] cycles later. After reset the constraints are those
  * of the config at factor 1.
  */
class ScaledConstraints(config: WeirConfig) extends Module {
  val io = IO(new Bundle {
    val timing      = Input(new TimingControl(config))
    val scale       = Input(new TimeScaleControl(config))
    val constraints = Output(ConstraintTable.bundle(config))
    val emulated    = config.emulated.map(_ => new EmulatedConstraintPort(config))
  })

  private val rules  = ConstraintTable.rules(config)
  private val phases = config.phy.phases

  private val turn = RegInit(0.U(log2Ceil(rules.size).W))
  turn := Mux(turn === (rules.size - 1).U, 0.U, turn + 1.U)

  /** What is said of the rule that has its turn. */
  private def ofRule[T <: Data](turn: UInt, of: ConstraintTable.Rule => T): T = {
    val values = rules.zipWithIndex.map { case (rule, number) => number.U -> of(rule) }
    MuxLookup(turn, values.head._2)(values)
  }

  // first the clocks, and how many times they are taken
  private val timing = ConstraintTable.timingOf(io.timing, io.emulated.map(_.timing)) _
  private val clocks = RegNext(ofRule(turn, rule => timing(rule).getOrElse(0.U) +& rule.constraint.scaled.U))
  private val times = RegNext(Mux(ofRule(turn, _.constraint.ofRefresh.B) && !io.scale.slowMemory, 1.U, io.scale.factor))

  // then so many times as many, and in the end in cycles
  private val product = RegNext(clocks * times)
  private val ends    = RegNext(RegNext(turn))
  private val begun   = RegNext(RegNext(true.B, false.B), false.B) // what is left from before a reset is not taken
  private val sum     = product.zext +& ofRule(ends, rule => (rule.offset + phases - 1).S(10.W))
  private val rounded = sum >> log2Ceil(phases)
  private val cycles  = Mux(rounded < 1.S, 1.U, rounded.asUInt)

  private val preset                         = ConstraintTable.preset(config)
  private val constraints: Map[String, UInt] = rules.map { rule =>
    val bits = ConstraintTable.width(config)(rule.name)
    rule.name -> RegInit(preset(rule.name).U(bits.W)).suggestName(rule.name)
  }.toMap
  for ((rule, number) <- rules.zipWithIndex) {
    // the two that it is held back for have had their turns just before
    val least = rule.heldBack match {
      case None                => cycles
      case Some((whole, part)) =>
        val rest = Mux(constraints(whole) > constraints(part), constraints(whole) - constraints(part), 1.U)
        Mux(cycles > rest, cycles, rest)
    }
    val constraint = constraints(rule.name)
    when(begun && ends === number.U)(constraint := least.pad(constraint.getWidth)(constraint.getWidth - 1, 0))
  }

  for ((name, field) <- io.constraints.elements) field := constraints.getOrElse(name, 0.U)
  for (emulated <- io.emulated; (name, field) <- emulated.constraints.elements)
    field                             := constraints(ConstraintTable.ofEmulated(name))
  io.constraints.refreshInterval      := io.timing.tREFI >> log2Ceil(phases)
  io.constraints.refreshesToCalibrate := io.timing.zqInterval
}

object ScaledConstraints {

  /** Cycles until a change is in force: a round over all rules, three cycles of the multiplier, and two more for the constraint
    * that is made of two others.
    */
  def latency(config: WeirConfig): Int = ConstraintTable.rules(config).size + 5
}
