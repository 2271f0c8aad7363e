// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.channel.{ChannelConfigs, RankOperation}
import weir.config.Presets

/** The sequence of commands that refreshes a rank. */
class RefreshSequenceSpec extends AnyFunSpec with ChiselSim {
  private val config = ChannelConfigs.ddr3
  private val whole  = RefreshShares(2, 2, 1, inParts = false)
  private val fine   = RefreshShares(4, 2, 1, inParts = true)

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

  describe("RefreshSequence") {
    val tRP                                                         = 6
    def start(sequence: RefreshSequence, calibrateEvery: Int): Unit = {
      sequence.io.constraints.refreshToActivate.poke(30)
      sequence.io.constraints.halfRefreshToActivate.poke(20)
      sequence.io.constraints.quarterRefreshToActivate.poke(12)
      sequence.io.granularity.poke(0)
      sequence.io.completes.poke(true)
      sequence.io.constraints.calibrateToActivate.poke(20)
      sequence.io.constraints.refreshesToCalibrate.poke(calibrateEvery)
      sequence.io.wanted.poke(false)
      sequence.io.prechargeable.poke(true)
      sequence.io.constraints.prechargeToRefresh.poke(tRP)
      sequence.io.command.ready.poke(true)
      sequence.clock.step()
    }

    def expectCommand(sequence: RefreshSequence, operation: RankOperation.Type, limit: Int): Int = {
      val cycle = firstHigh(sequence.clock, sequence.io.command.valid, limit)
      sequence.io.command.bits.expect(operation)
      cycle
    }

    it("waits for open rows, precharges all, refreshes after tRP, and blocks the rank for tRFC") {
      simulate(new RefreshSequence(config, whole)) { sequence =>
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
      simulate(new RefreshSequence(config, whole)) { sequence =>
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
      simulate(new RefreshSequence(config, whole)) { sequence =>
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

    it("keeps the rank for a tZQCS that takes more bits than tRFC, where timings are constant") {
      simulate(new RefreshSequence(Presets.all("ecp5-lite"), whole)) { sequence =>
        import sequence.io.constraints._
        assert(calibrateToActivate.getWidth > refreshToActivate.getWidth)
        Seq(prechargeToRefresh -> 2, refreshToActivate -> 20, calibrateToActivate -> 32, refreshesToCalibrate -> 1)
          .foreach { case (constraint, value) => constraint.poke(value) }
        sequence.io.completes.poke(true)
        sequence.io.prechargeable.poke(true)
        sequence.io.command.ready.poke(true)
        sequence.io.wanted.poke(true)
        sequence.clock.step(2)
        sequence.io.wanted.poke(false)
        expectCommand(sequence, RankOperation.refresh, 8)
        sequence.clock.step()
        expectCommand(sequence, RankOperation.calibrate, 40)
        sequence.clock.step()
        for (_ <- 1 until 32) {
          sequence.io.blocks.expect(true)
          sequence.clock.step()
        }
        sequence.io.blocks.expect(false)
      }
    }

    for ((granularity, time) <- Seq(1 -> 20, 2 -> 12))
      it(
        s"keeps the rank for $time cycles in a refresh of granularity $granularity, and follows with another at once"
      ) {
        simulate(new RefreshSequence(config, fine)) { sequence =>
          start(sequence, calibrateEvery = 0)
          sequence.io.granularity.poke(granularity)
          sequence.io.wanted.poke(true)
          sequence.clock.step()
          // what is wanted later is for the next
          sequence.io.granularity.poke(0)
          expectCommand(sequence, RankOperation.prechargeAll, 2)
          sequence.clock.step()
          expectCommand(sequence, RankOperation.refresh, tRP + 1)
          sequence.io.part.expect(granularity)
          sequence.clock.step()
          assert(expectCommand(sequence, RankOperation.refresh, 100) == time - 1)
          sequence.io.part.expect(0)
          sequence.io.wanted.poke(false)
          sequence.clock.step()
          for (_ <- 1 until 30) {
            sequence.io.blocks.expect(true)
            sequence.io.command.valid.expect(false)
            sequence.clock.step()
          }
          sequence.io.blocks.expect(false)
        }
      }

    it("counts parts for ZQ calibration only when they make up a whole refresh") {
      simulate(new RefreshSequence(config, fine)) { sequence =>
        start(sequence, calibrateEvery = 2)
        sequence.io.granularity.poke(2)
        val calibrated = for (refresh <- 1 to 16) yield {
          sequence.io.completes.poke(refresh % 4 == 0)
          sequence.io.wanted.poke(true)
          sequence.clock.step(2)
          sequence.io.wanted.poke(false)
          expectCommand(sequence, RankOperation.refresh, tRP + 1)
          sequence.clock.step()
          var calibrates = false
          while (sequence.io.blocks.peek().litToBoolean) {
            if (sequence.io.command.valid.peek().litToBoolean) {
              sequence.io.command.bits.expect(RankOperation.calibrate)
              calibrates = true
            }
            sequence.clock.step()
          }
          calibrates
        }
        assert(calibrated.zip(1 to 16).collect { case (true, refresh) => refresh } == Seq(8, 16))
      }
    }
  }
}
