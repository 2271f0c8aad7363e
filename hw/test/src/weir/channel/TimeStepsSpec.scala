// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.channel.drain.WriteDrain
import weir.channel.refresh.{Refresher, Staggered}
import weir.channel.row.{RowChoice, RowPolicies, RowTimeout}
import weir.config.{TimeScaling, WeirConfig}

/** Steps of a time scale, and that what counts cycles counts steps. */
class TimeStepsSpec extends AnyFunSpec with ChiselSim {
  private val config = ChannelConfigs.ddr3.copy(policies =
    ChannelConfigs.ddr3.policies.copy(timeScaling = TimeScaling(64, slowMemory = true))
  )

  private class Bench(config: WeirConfig) extends Module {
    val io = IO(new Bundle {
      val scale = Input(new TimeScaleControl(config))
      val steps = Output(new TimeSteps)
    })
    io.steps := TimeSteps(config, io.scale)
  }

  it("comes once in each factor cycles") {
    simulate(new Bench(config)) { dut =>
      for (factor <- Seq(1, 2, 3, 64, 5, 1, 64); slow <- Seq(false, true)) {
        dut.io.scale.factor.poke(factor)
        dut.io.scale.slowMemory.poke(slow)
        dut.clock.step(66)
        val seen = for (_ <- 0 until 4 * factor) yield {
          val steps = dut.io.steps
          val both  = (steps.policy.peek().litToBoolean, steps.refresh.peek().litToBoolean)
          dut.clock.step()
          both
        }
        val (policy, refresh) = seen.unzip
        assert(policy.grouped(factor).forall(_.count(identity) == 1), s"factor $factor")
        assert(policy.indexOf(true) + 3 * factor == policy.lastIndexOf(true), s"factor $factor")
        assert(refresh == (if (slow) policy else Seq.fill(4 * factor)(true)))
      }
    }
  }

  /** Cycles until something is so, with a step in the last of each `factor` cycles. */
  private def cyclesUntil(factor: Int, clock: Clock)(step: Boolean => Unit)(isSo: => Boolean): Int = {
    var cycles = 0
    while (!isSo && cycles < 10000) {
      step(cycles % factor == factor - 1)
      clock.step()
      cycles += 1
    }
    cycles
  }

  it("is what a row's timeout counts") {
    simulate(new RowChoice(config)) { dut =>
      dut.io.control.policy.poke(RowPolicies.number(RowTimeout.name))
      dut.io.control.timeout.poke(20)
      for (factor <- Seq(1, 3, 10)) {
        dut.io.banks.column.poke(4)
        dut.clock.step()
        dut.io.banks.column.poke(0)
        val cycles =
          cyclesUntil(factor, dut.clock)(dut.io.banks.step.get.poke(_))(dut.io.closes.peek().litValue.testBit(2))
        assert(cycles == factor * 18, s"factor $factor")
      }
    }
  }

  it("is what the time without a read counts after which writes go") {
    simulate(new WriteDrain(config)) { dut =>
      val view = dut.io.view
      view.control.highWaterMark.poke(8)
      view.control.lowWaterMark.poke(1)
      view.writes(0).poke(1)
      for (factor <- Seq(1, 3, 10)) {
        view.reads.poke(1)
        dut.clock.step()
        view.reads.poke(0)
        val cycles = cyclesUntil(factor, dut.clock)(view.step.get.poke(_))(dut.io.write(0).peek().litToBoolean)
        assert(cycles == factor * 32, s"factor $factor")
      }
    }
  }

  it("is what the refresh interval of a slow memory counts") {
    val interval = 400 // not below a quarter of the part's
    simulate(new Refresher(config)) { dut =>
      val control = dut.io.control
      control.refresh.policy.poke(Staggered.code)
      control.refresh.postpone.poke(8)
      control.refresh.pullIn.poke(8)
      control.refresh.idle.poke(4)
      dut.io.constraints.refreshInterval.poke(interval)
      dut.io.constraints.refreshToActivate.poke(30)
      dut.io.constraints.prechargeToRefresh.poke(6)
      dut.io.command.ready.poke(true)
      dut.io.activity.foreach(_.prechargeable.poke(true))
      dut.io.steps.get.policy.poke(true)
      for (factor <- Seq(1, 3, 7)) {
        val refreshes = (0 until 6 * interval * factor).filter { cycle =>
          dut.io.steps.get.refresh.poke(cycle % factor == 0)
          val refresh = dut.io.refresh(0).peek().litToBoolean
          dut.clock.step()
          refresh
        }
        val gaps = refreshes.drop(1).zip(refreshes).map { case (late, early) => late - early }
        assert(gaps.size >= 4 && gaps.drop(1).forall(_ == interval * factor), s"factor $factor: $gaps")
      }
    }
  }
}
