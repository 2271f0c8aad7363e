// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.Seed
import weir.config.WeirConfig
import weir.device.Geometry

import scala.collection.mutable.ArrayBuffer
import scala.util.Random

/** Pseudo-ranks are one rank to the DRAM's timings: commands by chance, as early as [[BankStates]] lets them, against what
  * JESD79-3F asks of one rank.
  */
class BankStatesSpec extends AnyFunSpec with ChiselSim {

  // one phase, so that a cycle is a clock; clocks as in the timings of ChannelConfigs.ddr3
  private val clocks = Map("tRRD" -> 5, "tFAW" -> 24, "tCCD" -> 4, "write to read" -> (8 + 4 + 6), "read to write" -> 9)

  private def config(geometry: Geometry): WeirConfig = {
    val onePhase = ChannelConfigs.onePhase
    onePhase.copy(geometry = geometry, policies = onePhase.policies.copy(programmableTimings = false))
  }
  private val eightBanks =
    Geometry(ranks = 1, bankGroups = 1, banksPerGroup = 8, rowBits = 8, columnBits = 6, dqBits = 8)

  /** The states at the config's own constraints. */
  private class Bench(config: WeirConfig) extends Module {
    private val states = Module(new BankStates(config))
    private val table  = Module(new ConstraintTable(config))
    val io             = IO(chiselTypeOf(states.io))
    table.io.timing := DontCare
    states.io <> io
    states.io.constraints := table.io.constraints
  }

  private sealed trait Kind
  private case object Activate  extends Kind
  private case object Precharge extends Kind
  private case object Read      extends Kind
  private case object Write     extends Kind
  private case class Command(cycle: Int, kind: Kind, bank: Int)

  /** Commands by chance of all that are permitted, one in a cycle. */
  private def commands(geometry: Geometry, cycles: Int, seed: Int): Seq[Command] = {
    val random        = new Random(seed)
    var columns: Kind = Read
    val done          = ArrayBuffer[Command]()
    simulate(new Bench(config(geometry))) { dut =>
      val in = dut.io.commands
      for (cycle <- 0 until cycles) {
        val permitted = Seq(
          Activate  -> dut.io.activate,
          Precharge -> dut.io.precharge,
          Read      -> dut.io.read,
          Write     -> dut.io.write
        ).flatMap { case (kind, banks) =>
          val bits = banks.peek().litValue
          (0 until 8).filter(bits.testBit).map(kind -> _)
        }
        // reads and writes take turns, and rows stay open for a while, so that there is something to read
        if (random.nextInt(12) == 0) columns = if (columns == Read) Write else Read
        val wanted = permitted.filter { case (kind, _) =>
          kind == Activate || kind == columns || kind == Precharge && random.nextInt(40) == 0
        }
        dut.clock.step()
        in.activate.valid.poke(false)
        in.column.valid.poke(false)
        in.rank.valid.poke(false)
        in.closes.poke(0)
        if (wanted.nonEmpty && random.nextInt(8) != 0) {
          val (kind, bank) = wanted(random.nextInt(wanted.size))
          val bit          = BigInt(1) << bank
          done += Command(cycle, kind, bank)
          kind match {
            case Activate =>
              in.activate.valid.poke(true)
              in.activate.bits.bank.poke(bit)
            case Precharge =>
              in.rank.valid.poke(true)
              in.rank.bits.operation.poke(RankOperation.precharge)
              in.closes.poke(bit)
            case _ =>
              in.column.valid.poke(true)
              in.column.bits.write.poke(kind == Write)
              in.column.bits.bank.poke(bit)
          }
        }
      }
    }
    done.toSeq
  }

  /** The fewest cycles of each kind between commands of different halves of the banks, and of five activates. */
  private def nearest(commands: Seq[Command]): Map[String, Int] = {
    val activates = commands.filter(_.kind == Activate)
    val columns   = commands.filter(each => each.kind == Read || each.kind == Write)
    def pairs(of: Seq[Command]): Seq[(Command, Command)] =
      of.sliding(2).collect { case Seq(a, b) if a.bank / 4 != b.bank / 4 => a -> b }.toSeq
    def least(of: Seq[(Command, Command)]): Int                       = of.map { case (a, b) => b.cycle - a.cycle }.min
    def columnsOf(first: Kind, second: Kind): Seq[(Command, Command)] =
      pairs(columns).filter { case (a, b) => a.kind == first && b.kind == second }
    Map(
      "tRRD"          -> least(pairs(activates)),
      "tFAW"          -> activates.sliding(5).map(five => five.last.cycle - five.head.cycle).min,
      "tCCD"          -> least(columnsOf(Read, Read)).min(least(columnsOf(Write, Write))),
      "write to read" -> least(columnsOf(Write, Read)),
      "read to write" -> least(columnsOf(Read, Write))
    )
  }

  private val seed = Seed.value

  describe("BankStates") {
    for (count <- Seq(2, 4))
      it(s"keeps $count pseudo-ranks apart as one rank, and no further") {
        info(s"seed $seed")
        assert(nearest(commands(eightBanks.inPseudoRanks(count), 12000, seed)) == clocks)
      }

    it("is found when it takes them for ranks") {
      val found = nearest(commands(eightBanks.copy(ranks = 2, banksPerGroup = 4), 12000, seed))
      for (name <- Seq("tRRD", "tFAW", "write to read")) assert(found(name) < clocks(name), name)
      assert(found("tCCD") > clocks("tCCD"), "tRTRS")
    }
  }
}
