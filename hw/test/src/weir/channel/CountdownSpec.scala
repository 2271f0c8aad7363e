// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.config.WeirConfig

class CountdownSpec extends AnyFunSpec with ChiselSim {
  private val four = ChannelConfigs.ddr3
  private val two  = ChannelConfigs.ddr4

  private def frozen(config: WeirConfig): WeirConfig =
    config.copy(policies = config.policies.copy(programmableTimings = false))

  /** Waits that two of the constraints make, both live. */
  private class Bench(config: WeirConfig) extends Module {
    val io = IO(new Bundle {
      val first, second = Input(Bool())
      val constraints   = Input(ConstraintTable.bundle(config))
      val ready         = Output(Bool())
    })
    io.ready := Countdown(config, io.constraints)(
      io.first  -> "activateToPrecharge",
      io.second -> "readToPrecharge"
    )
  }

  private def start(bench: Bench, first: Boolean, second: Boolean): Unit = {
    bench.io.first.poke(first)
    bench.io.second.poke(second)
  }

  /** Cycles from the event to the first command that the result lets be chosen: a choice is a command a cycle later. */
  private def commandAfter(bench: Bench, rest: Boolean): Int = {
    var cycles = 1
    if (rest) {
      bench.clock.step()
      start(bench, first = false, second = false)
      cycles += 1
    }
    while (!bench.io.ready.peek().litToBoolean) {
      bench.clock.step()
      start(bench, first = false, second = false)
      cycles += 1
    }
    start(bench, first = false, second = false)
    cycles
  }

  for ((config, rest) <- Seq(four -> false, two -> true)) {
    def atLeast(cycles: Int): Int = if (rest) cycles.max(2) else cycles

    it(
      s"lets a command out exactly as many cycles after the event as its constraint has, ${config.phy.phases} phases"
    ) {
      simulate(new Bench(config)) { bench =>
        start(bench, first = false, second = false)
        bench.clock.step(2)
        for (constraint <- 1 to 40) {
          bench.io.constraints.activateToPrecharge.poke(constraint)
          start(bench, first = true, second = false)
          assert(commandAfter(bench, rest) == atLeast(constraint))
          bench.clock.step()
        }
      }
    }

    it(s"never shortens a wait that is under way, and lengthens a shorter one, ${config.phy.phases} phases") {
      simulate(new Bench(config)) { bench =>
        start(bench, first = false, second = false)
        bench.clock.step(2)
        for (first <- 1 to 12; pause <- 1 to 4; second <- 1 to 12) {
          bench.io.constraints.activateToPrecharge.poke(first)
          bench.io.constraints.readToPrecharge.poke(second)
          start(bench, first = true, second = false)
          bench.clock.step()
          start(bench, first = false, second = false)
          bench.clock.step(pause - 1)
          start(bench, first = false, second = true)
          assert(commandAfter(bench, rest) == atLeast(second.max(first - pause)))
          bench.clock.step(16)
        }
      }
    }

    // 8 and 15 cycles are shifted, 50 are counted
    for (clocks <- Seq(2, 8 * config.phy.phases, 15 * config.phy.phases, 50 * config.phy.phases))
      it(s"keeps frozen constraints of $clocks clocks, ${config.phy.phases} phases") {
        val fixed = frozen(config.copy(timing = config.timing.copy(tRAS = clocks, tRC = clocks + config.timing.tRP)))
        val table = ConstraintTable.frozen(fixed).get
        simulate(new Bench(fixed)) { bench =>
          for ((name, field) <- bench.io.constraints.elements) field.asInstanceOf[UInt].poke(table(name))
          start(bench, first = false, second = false)
          bench.clock.step(2)
          for (first <- Seq(true, false)) {
            start(bench, first, second = !first)
            val constraint = if (first) table("activateToPrecharge") else table("readToPrecharge")
            assert(commandAfter(bench, rest) == atLeast(constraint))
            bench.clock.step(200)
          }
        }
      }
  }
}
