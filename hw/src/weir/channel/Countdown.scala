// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import weir.config.WeirConfig

/** Counts controller cycles until something is allowed again. The events that start a wait are commands in the command
  * register, chosen one cycle before; the result is for the choice of the present cycle. So an event with distance `n` keeps the result low
  * until a choice would come out `n` cycles after it.
  *
  * Where classes rest ([[CommandPhases.rest]]) the result comes from a register and leaves the resting cycle, the one of
  * the event itself, to that rule; else it is combinational from the events. An event never shortens a wait that is under
  * way; at most one of the events may come in a cycle.
  *
  * Short waits that are known at elaboration are shifted out of a row of ones, which needs no adder; all others are
  * counted.
  */
object Countdown {

  /** The longest wait, in cycles, that is shifted and not counted. */
  private val longestShifted = 16

  /** @param starts events with the name of the distance that says how long each keeps away */
  def apply(config: WeirConfig, distances: Distances.ByName)(starts: (Bool, String)*): Bool = {
    val rest = CommandPhases(config).rest
    // what is left to wait after the cycle of the event, and where classes rest after the next one too
    val passed = if (rest) 2 else 1
    DistanceTable.frozen(config) match {
      case Some(table) if starts.forall(start => table(start._2) <= longestShifted) =>
        shifted(rest, starts.map { case (event, name) => event -> (table(name) - passed).max(0) })
      case _ =>
        val waits = starts.map { case (event, name) => event -> distances(name) }
        if (rest) countedAfterRest(waits) else counted(waits)
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

  private def loaded(starts: Seq[(Bool, UInt)]): UInt =
    starts.map { case (event, distance) => Mux(event, distance, 0.U) }.reduce(_ | _)

  /** What the running count says of this cycle comes from a register, so the result is an event's distance away from its
    * inputs, and nothing is clocked while nothing waits: a simulator passes over it.
    */
  private def counted(starts: Seq[(Bool, UInt)]): Bool = {
    val count  = RegInit(0.U(starts.map(_._2.getWidth).max.W))
    val over   = RegInit(true.B) // no more than one cycle was left before this one
    val start  = loaded(starts)
    val begins = start > 1.U
    when(begins || !over) {
      val left = Mux(over, 0.U, count - 1.U)
      val load = Mux(begins, start - 1.U, 0.U)
      val next = Mux(load > left, load, left)
      count := next
      over  := next <= 1.U
    }
    over && !begins
  }

  private def countedAfterRest(starts: Seq[(Bool, UInt)]): Bool = {
    val passed = 2
    val count  = RegInit(0.U(starts.map(_._2.getWidth).max.W))
    val ready  = RegInit(true.B)
    val left   = Mux(ready, 0.U, count - 1.U)
    val start  = loaded(starts)
    val load   = Mux(start > passed.U, start - passed.U, 0.U)
    val next   = Mux(load > left, load, left)
    count := next
    ready := next === 0.U
    ready
  }
}
