// SPDX-License-Identifier: Apache-2.0
package weir

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.channel.ChannelConfigs
import weir.channel.refresh.{FineGranularity, RefreshPolicy, Simultaneous, Staggered}
import weir.config.WeirConfig
import weir.regs.{AxiLite, AxiLiteDriver, RegisterMap}

import scala.collection.mutable.ArrayBuffer

/** Ranks of several channels are refreshed one after the other too, or all at once. */
class ChannelTurnsSpec extends AnyFunSpec with ChiselSim {

  /** tREFI in cycles. */
  private val interval = 1600

  private val config: WeirConfig = {
    val ddr4 = ChannelConfigs.ddr4
    ddr4.copy(
      channels = 2,
      timing = ddr4.timing.copy(tREFI = interval * ddr4.phy.phases, tRFC = 60, tRFC2 = 40, tRFC4 = 20)
    )
  }
  private val ranks = config.geometry.ranks
  private val all   = config.channels * ranks

  /** Of each channel the ranks that are refreshed in a cycle, of a controller that has nothing else to do. */
  private class Bench extends Module {
    val s_axil = IO(Flipped(new AxiLite(RegisterMap.addressBits)))

    /** REF: CS_n, RAS_n, CAS_n low, ACT_n, WE_n high (JESD79-4B 4.1). */
    val refreshed = IO(Output(Vec(config.channels, UInt(ranks.W))))

    private val weir = Module(new Weir(config))
    weir.s_axil <> s_axil
    weir.s_axi.foreach(Surroundings.idle)
    for ((dfi, refreshed) <- weir.dfi.zip(refreshed)) {
      Surroundings.answer(dfi, config)
      refreshed := VecInit
        .tabulate(ranks) { rank =>
          VecInit
            .tabulate(config.phy.phases) { phase =>
              val command = Seq(dfi.act_n, dfi.we_n).map(_(phase)) ++ Seq(dfi.ras_n, dfi.cas_n).map(!_(phase))
              !dfi.cs_n(phase * ranks + rank) && command.reduce(_ && _)
            }
            .asUInt
            .orR
        }
        .asUInt
    }
  }

  private case class Done(cycle: Int, channel: Int, rank: Int)

  /** The refreshes of so many tREFI under each policy, in parts of the granularity, one policy after the other. */
  private def refreshes(policies: (RefreshPolicy, Int)*): Seq[Seq[Done]] = {
    val found = ArrayBuffer[Seq[Done]]()
    simulate(new Bench) { dut =>
      val registers = new AxiLiteDriver(dut.s_axil, dut.clock)
      for ((policy, parts) <- policies) {
        assert(registers.write(0x0cc, policy.code) == AxiLiteDriver.okay)
        assert(registers.write(0x0d8, Map(1 -> 0, 4 -> 2)(parts)) == AxiLiteDriver.okay)
        dut.clock.step(3 * interval)
        val done = for {
          cycle           <- 0 until 5 * interval
          (ranks, number) <- {
            val refreshed = dut.refreshed.map(_.peek().litValue)
            dut.clock.step()
            refreshed.zipWithIndex
          }
          rank <- 0 until this.ranks if ranks.testBit(rank)
        } yield Done(cycle, number, rank)
        found += done
      }
    }
    found.toSeq
  }

  /** What is not as it must be where the ranks of all channels take turns, so many refreshes of each in tREFI. */
  private def outOfTurn(done: Seq[Done], parts: Int): Option[String] = {
    val gaps = done.sliding(2).collect { case Seq(a, b) => b.cycle - a.cycle }.toSeq
    val turn = interval / all / parts
    Option.when(done.size < 4 * all * parts || gaps.exists(gap => (gap - turn).abs > 8))(
      s"${done.size} refreshes, ${gaps.mkString(" ")} cycles apart: must be $turn"
    )
  }

  it("staggers the ranks of two channels by equal shares of tREFI, refreshes them at once, and staggers parts") {
    val Seq(staggered, simultaneous, fine, again) =
      refreshes(Staggered -> 1, Simultaneous -> 1, FineGranularity -> 4, Staggered -> 1)
    for (done <- Seq(staggered, again)) {
      assert(outOfTurn(done, 1).isEmpty)
      assert(done.map(one => (one.channel, one.rank)).sliding(all).forall(_.toSet.size == all))
    }
    val groups = simultaneous.dropWhile(_.cycle < interval / 2).grouped(all).filter(_.size == all).toSeq
    assert(groups.size >= 3)
    for (group <- groups) {
      assert(group.map(one => (one.channel, one.rank)).toSet.size == all)
      assert(group.last.cycle - group.head.cycle < 8)
    }
    assert(outOfTurn(fine, 4).isEmpty)
    // the very refreshes that are at once are found to be so
    assert(outOfTurn(simultaneous, 1).nonEmpty)
  }
}
