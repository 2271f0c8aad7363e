// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import weir.config.WeirConfig

/** Counts controller cycles until something is allowed again. The events that start a wait are commands in the command
  * register, chosen one cycle before; the result is for the choice of the present cycle. So an event whose constraint is `n` cycles keeps the result low
  * until a choice would come out `n` cycles after it.
  *
  * Where classes rest ([[CommandPhases.classesRest]]) the result comes from a register and leaves the resting cycle, the one of
  * the event itself, to that rule; else it is combinational from the events. An event never shortens a wait that is under
  * way; at most one of the events may come in a cycle.
  *
  * Short waits that are known at elaboration are shifted out of a row of ones, which needs no adder; all others are
  * counted.
  */
object Countdown {

  /** The longest wait, in cycles, that is shifted and not counted. */
  private val longestShifted = 16

  /** @param starts events with the name of the constraint that says how long each keeps away */
  def apply(config: WeirConfig, constraints: ConstraintCycles.ByName)(starts: (Bool, String)*): Bool = {
    val rest = CommandPhases(config).classesRest
    // what is left to wait after the cycle of the event, and where classes rest after the next one too
    val passed = if (rest) 2 else 1
    ConstraintTable.frozen(config) match {
      case Some(table) if starts.forall(start => table(start._2) <= longestShifted) =>
        shifted(rest, starts.map { case (event, name) => event -> (table(name) - passed).max(0) })
      case _ =>
        counted(rest, passed, starts.map { case (event, name) => event -> constraints(name) })
    }
  }

  private def shifted(rest: Boolean, starts: Seq[(Bool, Int)]): Bool = {
    val width = starts.map(_._2).max
    if (width == 0) true.B
    else {
      val waits = RegInit(0.U(width.W))
      val next  = starts
        .map { case (event, cycles) => Mux(event, ((BigInt(1) << cycles) - 1).U(width.W), 0.U) }
        .foldLeft(waits >> 1)(_ | _)
      waits := next
      !(if (rest) waits(0) else next(0))
    }
  }

  private def counted(rest: Boolean, passed: Int, starts: Seq[(Bool, UInt)]): Bool = {
    val count = RegInit(0.U(starts.map(_._2.getWidth).max.W))
    val ready = RegInit(true.B)
    val left  = Mux(ready, 0.U, count - 1.U)
    val start = starts.map { case (event, constraint) => Mux(event, constraint, 0.U) }.reduce(_ | _)
    val load  = Mux(start > passed.U, start - passed.U, 0.U)
    val next  = Mux(load > left, load, left)
    count := next
    ready := next === 0.U
    if (rest) ready else next === 0.U
  }
}
