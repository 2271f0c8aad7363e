// SPDX-License-Identifier: Apache-2.0
package weir.place.monitor

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec

/** The course of intervals, cycle by cycle as one letter each: idle, Clearing, counting, draining. */
class IntervalTimerSpec extends AnyFunSpec with ChiselSim {
  private val letters = Seq("i", "C", "c", "d")

  /** Counters that take three cycles to clear and two to drain. */
  private class Course(timer: IntervalTimer) {
    private var clears = 0
    private var drains = 0

    for (bit <- Seq(timer.io.start, timer.io.stop, timer.io.periodic, timer.io.busy, timer.io.clearing)) bit.poke(false)

    /** Goes on for so many cycles with start and stop in those given; an ended interval is a `!` behind its letter. */
    def run(cycles: Int, start: Set[Int] = Set(), stop: Set[Int] = Set()): String =
      (0 until cycles).map { cycle =>
        timer.io.start.poke(start(cycle))
        timer.io.stop.poke(stop(cycle))
        timer.io.clearing.poke(clears > 0)
        val state = letters(timer.io.state.peek().litValue.toInt)
        if (state == "c") drains = 2
        timer.io.busy.poke(drains > 0)
        val ended = if (timer.io.ended.peek().litToBoolean) "!" else ""
        val clear = timer.io.clear.peek().litToBoolean
        if (state == "d" && drains > 0) drains -= 1
        clears = if (clear) 3 else (clears - 1).max(0)
        timer.clock.step()
        state + ended
      }.mkString
  }

  it("counts for an interval that software starts, and again only when it is started again") {
    simulate(new IntervalTimer) { timer =>
      val course = new Course(timer)
      timer.io.cycles.poke(5)
      assert(course.run(8) == "iiiiiiii")
      assert(course.run(20, start = Set(1)) == "iiCCCCcccccddd!iiiiii")
      timer.io.cycles.poke(1)
      assert(course.run(12, start = Set(0)) == "iCCCCcddd!iii")
    }
  }

  it("begins the next interval by itself if it is periodic") {
    simulate(new IntervalTimer) { timer =>
      val course = new Course(timer)
      timer.io.cycles.poke(2)
      timer.io.periodic.poke(true)
      assert(course.run(21, start = Set(0)) == "iCCCCccddd!CCCCccddd!CC")
      timer.io.periodic.poke(false)
      assert(course.run(12) == "CCccddd!iiiii")
    }
  }

  it("ends or restarts an interval without a word where software says so") {
    simulate(new IntervalTimer) { timer =>
      val course = new Course(timer)
      timer.io.cycles.poke(100)
      timer.io.periodic.poke(true)
      // stopped in the middle, restarted in the middle, stopped while it drains and while it clears
      assert(course.run(14, start = Set(0), stop = Set(7)) == "iCCCCcccdddiii")
      assert(course.run(20, start = Set(0, 6)) == "iCCCCccdddCCCCcccccc")
      assert(course.run(8, start = Set(0), stop = Set(2)) == "cdddiiii")
      assert(course.run(10, start = Set(0), stop = Set(2)) == "iCCCCiiiii")
      // of both at once start counts
      assert(course.run(8, start = Set(0), stop = Set(0)) == "iCCCCccc")
      assert(course.run(10, start = Set(0), stop = Set(0)) == "cdddCCCCcc")
    }
  }

  it("ends an interval that has lasted as long as it is made") {
    simulate(new IntervalTimer) { timer =>
      val course = new Course(timer)
      timer.io.cycles.poke(0xffffffffL)
      assert(course.run(15, start = Set(0)) == "iCCCCcccccccccc")
      timer.io.cycles.poke(4)
      assert(course.run(6) == "cddd!ii")
    }
  }
}
