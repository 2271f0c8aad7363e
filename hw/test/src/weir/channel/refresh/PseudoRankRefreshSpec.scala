// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.LongRun
import weir.channel.{Channel, ChannelConfigs, RankOperation}
import weir.config.WeirConfig
import weir.device.Geometry

import scala.collection.mutable.ArrayBuffer

/** Refreshes of pseudo-ranks: of real parts one for all, beyond JEDEC each by itself, with calibrations for all. */
class PseudoRankRefreshSpec extends AnyFunSpec with ChiselSim {
  private val interval = 400
  private val four     = Geometry(1, 4, 4, rowBits = 8, columnBits = 6, dqBits = 8).inPseudoRanks(4)

  private def config(beyondJedec: Boolean): WeirConfig = {
    val ddr4 = ChannelConfigs.ddr4
    ddr4.copy(
      geometry = four,
      timing = ddr4.timing.copy(tREFI = interval * ddr4.phy.phases, tRFC = 60, tRFC2 = 40, tRFC4 = 20),
      policies = ddr4.policies.copy(beyondJedec = beyondJedec)
    )
  }

  private case class Sent(cycle: Int, operation: RankOperation.Type, rank: Int, blocks: BigInt)

  /** What a refresher sends in so many cycles, calibrating after every `calibrate` refreshes. */
  private def sent(config: WeirConfig, policy: RefreshPolicy, calibrate: Int, cycles: Int): Seq[Sent] = {
    val found = ArrayBuffer[Sent]()
    simulate(new Refresher(config)) { dut =>
      val control = dut.io.control
      control.refresh.policy.poke(policy.code)
      control.refresh.postpone.poke(8)
      control.refresh.pullIn.poke(0)
      control.refresh.idle.poke(4)
      control.refresh.drainAhead.poke(0)
      control.refresh.granularity.poke(0)
      dut.io.constraints.refreshInterval.poke(interval)
      dut.io.constraints.refreshToActivate.poke(30)
      dut.io.constraints.halfRefreshToActivate.poke(20)
      dut.io.constraints.quarterRefreshToActivate.poke(10)
      dut.io.constraints.calibrateToActivate.poke(20)
      dut.io.constraints.refreshesToCalibrate.poke(calibrate)
      dut.io.constraints.prechargeToRefresh.poke(6)
      dut.io.command.ready.poke(true)
      for (activity <- dut.io.activity) {
        activity.idle.poke(false)
        activity.busy.poke(false)
        activity.prechargeable.poke(true)
      }
      for (cycle <- 0 until cycles) {
        if (dut.io.command.valid.peek().litToBoolean) {
          val operation =
            RankOperation.all.find(_.litValue == dut.io.command.bits.operation.peek().litValue).get
          found += Sent(cycle, operation, dut.io.command.bits.rank.peek().litValue.toInt, dut.io.blocks.peek().litValue)
        }
        dut.clock.step()
      }
    }
    found.toSeq
  }

  it("refreshes them together on real parts, by any policy for one rank") {
    val real = config(beyondJedec = false)
    assert(RefreshPolicy.possible(real) == RefreshPolicy.all.filterNot(_.beyondJedec))
    for (policy <- Seq(Staggered, Simultaneous)) {
      val refreshes = sent(real, policy, calibrate = 0, 10 * interval).filter(_.operation == RankOperation.refresh)
      assert((9 to 10).contains(refreshes.size), policy.name)
      assert(refreshes.sliding(2).forall { case Seq(a, b) => b.cycle - a.cycle == interval }, policy.name)
    }
  }

  for ((count, beyondJedec, mark) <- Seq((2, false, 4), (4, false, 4), (4, true, 1)))
    it(
      s"marks parts of refreshes of $count by ${if (beyondJedec) "BA0 beyond JEDEC" else "BG0 on a real part"}",
      LongRun.unless(count == 4): _*
    ) {
      val fine = config(beyondJedec).copy(geometry = four.electrical.inPseudoRanks(count))
      val only = fine.policies.copy(
        refresh = "fine",
        refreshGranularity = 4,
        programmablePolicies = false,
        programmableTimings = false
      )
      val marks = ArrayBuffer[Int]()
      simulate(new Channel(fine.copy(policies = only))) { dut =>
        dut.io.reads.valid.poke(false)
        dut.io.writes.valid.poke(false)
        dut.io.readData.valid.poke(false)
        dut.io.control.ageLimit.poke(100)
        dut.io.control.draining.highWaterMark.poke(4)
        dut.io.control.draining.lowWaterMark.poke(1)
        dut.io.control.refresh.postpone.poke(8)
        dut.io.control.refresh.granularity.poke(2)
        val command = dut.io.commands.rank
        for (_ <- 0 until 4 * interval) {
          if (
            command.valid.peek().litToBoolean &&
            command.bits.operation.peek().litValue == RankOperation.refresh.litValue
          ) {
            val rank = command.bits.rank.peek().litValue.toInt
            marks += rank * fine.geometry.banks + command.bits.bank.peek().litValue.toInt
          }
          dut.clock.step()
        }
      }
      // four parts in each interval, of all at once or of each
      val each = if (beyondJedec) count else 1
      assert((15 * each to 17 * each).contains(marks.size))
      assert(marks.toSet == (0 until each).map(_ * 4 + mark).toSet)
    }

  it("refreshes each by itself beyond JEDEC") {
    val refreshes =
      sent(config(beyondJedec = true), Staggered, calibrate = 0, 10 * interval)
        .filter(_.operation == RankOperation.refresh)
    for (rank <- 0 until 4) {
      val mine = refreshes.filter(_.rank == rank)
      assert(mine.sliding(2).forall { case Seq(a, b) => b.cycle - a.cycle == interval }, s"rank $rank")
      assert(mine.forall(_.blocks == (1 << rank)), s"rank $rank: no other is kept from accesses")
    }
  }

  for (policy <- Seq(Staggered, Simultaneous, DeferUntilEmpty))
    it(
      s"calibrates when all are closed and none is in refresh, once for all, under ${policy.name}",
      LongRun.unless(policy == Staggered): _*
    ) {
      val all          = sent(config(beyondJedec = true), policy, calibrate = 2, 40 * interval)
      val calibrations = all.filter(_.operation == RankOperation.calibrate)
      assert((16 to 20).contains(calibrations.size))
      for (calibration <- calibrations) {
        assert(calibration.blocks == 15)
        for (rank <- 0 until 4) {
          // what went before closed the rank, and its refresh, if that came after, is over
          val before  = all.filter(each => each.cycle < calibration.cycle && each.rank == rank)
          val refresh = before.filter(_.operation == RankOperation.refresh).map(_.cycle).lastOption
          assert(calibration.cycle - before.filter(_.operation == RankOperation.prechargeAll).last.cycle >= 6)
          assert(refresh.forall(calibration.cycle - _ >= 29), s"rank $rank at ${calibration.cycle}")
        }
        val after = all.find(_.cycle > calibration.cycle)
        assert(after.forall(_.cycle - calibration.cycle >= 20))
      }
      for (rank <- 0 until 4) {
        val refreshes = all.count(each => each.rank == rank && each.operation == RankOperation.refresh)
        assert((30 to 41).contains(refreshes), s"rank $rank: $refreshes refreshes")
      }
    }
}
