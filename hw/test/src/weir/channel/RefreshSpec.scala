// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec

/** The debt of refreshes, and the sequence that pays one. */
class RefreshSpec extends AnyFunSpec with ChiselSim {
  private val config   = ChannelConfigs.ddr3
  private val interval = 100

  /** Cycle, counted from the end of reset, in which `signal` is first high. */
  private def firstHigh(clock: Clock, signal: Bool, limit: Int): Int = {
    var cycle = 0
    while (!signal.peek().litToBoolean) {
      assert(cycle < limit, s"not high within $limit cycles")
      clock.step()
      cycle += 1
    }
    cycle
  }

  private def startDebt(debt: RefreshDebt, idle: Boolean, postpone: Int): Unit = {
    debt.io.interval.poke(interval)
    debt.io.postpone.poke(postpone)
    debt.io.idle.poke(idle)
    debt.io.refresh.poke(false)
  }

  describe("RefreshDebt") {
    it("wants a refresh of an idle rank once per interval") {
      simulate(new RefreshDebt(config, rank = 0)) { debt =>
        startDebt(debt, idle = true, postpone = 8)
        firstHigh(debt.clock, debt.io.wanted, 2000)
        var refreshes = 0
        for (_ <- 0 until 20 * interval) {
          val wanted = debt.io.wanted.peek().litToBoolean
          debt.io.refresh.poke(wanted)
          if (wanted) refreshes += 1
          debt.clock.step()
          // `wanted` is a register: what was paid shows a cycle later
          debt.io.refresh.poke(false)
          debt.clock.step()
        }
        assert(refreshes >= 39 && refreshes <= 41)
      }
    }

    for (postpone <- Seq(1, 4, 8))
      it(s"forces a refresh of a busy rank when $postpone are owed, and not before") {
        simulate(new RefreshDebt(config, rank = 0)) { debt =>
          startDebt(debt, idle = false, postpone = postpone)
          val first = config.timing.tREFI / config.phy.phases
          val cycle = firstHigh(debt.clock, debt.io.forced, 10000)
          assert(cycle >= first + (postpone - 1) * interval)
          assert(cycle <= first + (postpone - 1) * interval + 3)
          assert(debt.io.wanted.peek().litToBoolean)
        }
      }

    it("shifts the ranks against each other by an equal share of the interval") {
      val firsts = for (rank <- 0 until 2) yield {
        var cycle = 0
        simulate(new RefreshDebt(config, rank)) { debt =>
          startDebt(debt, idle = true, postpone = 8)
          cycle = firstHigh(debt.clock, debt.io.wanted, 10000)
        }
        cycle
      }
      assert(firsts(1) - firsts(0) == config.timing.tREFI / config.phy.phases / 2)
    }
  }

  describe("RefreshSequence") {
    val tRP                                                         = 6
    def start(sequence: RefreshSequence, calibrateEvery: Int): Unit = {
      sequence.io.distances.refreshToActivate.poke(30)
      sequence.io.distances.calibrateToActivate.poke(20)
      sequence.io.distances.refreshesToCalibrate.poke(calibrateEvery)
      sequence.io.wanted.poke(false)
      sequence.io.prechargeable.poke(true)
      sequence.io.distances.prechargeToRefresh.poke(tRP)
      sequence.io.command.ready.poke(true)
      sequence.clock.step()
    }

    def expectCommand(sequence: RefreshSequence, operation: RankOperation.Type, limit: Int): Int = {
      val cycle = firstHigh(sequence.clock, sequence.io.command.valid, limit)
      sequence.io.command.bits.expect(operation)
      cycle
    }

    it("waits for open rows, precharges all, refreshes after tRP, and blocks the rank for tRFC") {
      simulate(new RefreshSequence(config)) { sequence =>
        start(sequence, calibrateEvery = 0)
        sequence.io.wanted.poke(true)
        sequence.io.prechargeable.poke(false)
        sequence.clock.step()
        sequence.io.wanted.poke(false)
        for (_ <- 0 until 10) {
          sequence.io.blocks.expect(true)
          sequence.io.command.valid.expect(false)
          sequence.clock.step()
        }
        sequence.io.prechargeable.poke(true)
        sequence.io.command.valid.expect(true)
        sequence.io.command.bits.expect(RankOperation.prechargeAll)
        sequence.io.refresh.expect(false)
        sequence.clock.step()
        // the refresh goes out exactly tRP after the precharge
        for (_ <- 1 until tRP) {
          sequence.io.command.valid.expect(false)
          sequence.clock.step()
        }
        sequence.io.command.valid.expect(true)
        sequence.io.command.bits.expect(RankOperation.refresh)
        sequence.io.refresh.expect(true)
        sequence.clock.step()
        // the rank is free again exactly 30 cycles after the refresh
        for (_ <- 1 until 30) {
          sequence.io.blocks.expect(true)
          sequence.clock.step()
        }
        sequence.io.blocks.expect(false)
      }
    }

    it("holds the refresh until its phase is free") {
      simulate(new RefreshSequence(config)) { sequence =>
        start(sequence, calibrateEvery = 0)
        sequence.io.wanted.poke(true)
        sequence.clock.step(2)
        sequence.io.wanted.poke(false)
        sequence.io.command.ready.poke(false)
        expectCommand(sequence, RankOperation.refresh, tRP + 1)
        for (_ <- 0 until 4) {
          sequence.io.refresh.expect(false)
          sequence.clock.step()
        }
        sequence.io.command.ready.poke(true)
        sequence.io.refresh.expect(true)
      }
    }

    it("calibrates ZQ after every third refresh, and keeps the rank for tZQCS") {
      simulate(new RefreshSequence(config)) { sequence =>
        start(sequence, calibrateEvery = 3)
        for (round <- 1 to 6) {
          sequence.io.wanted.poke(true)
          sequence.clock.step(2)
          sequence.io.wanted.poke(false)
          expectCommand(sequence, RankOperation.refresh, tRP + 1)
          sequence.clock.step()
          if (round % 3 == 0) {
            assert(expectCommand(sequence, RankOperation.calibrate, 40) == 29)
            sequence.clock.step()
            for (_ <- 1 until 20) {
              sequence.io.blocks.expect(true)
              sequence.clock.step()
            }
            sequence.io.blocks.expect(false)
          } else {
            for (_ <- 1 until 30) {
              sequence.io.command.valid.expect(false)
              sequence.clock.step()
            }
            sequence.io.blocks.expect(false)
          }
        }
      }
    }
  }
}
