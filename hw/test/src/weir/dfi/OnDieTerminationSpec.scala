// SPDX-License-Identifier: Apache-2.0
package weir.dfi

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funspec.AnyFunSpec
import weir.Seed
import weir.config.{Presets, WeirConfig}

import scala.collection.mutable
import scala.util.Random

/** The pins against what is to be terminated when: bursts on the data bus, in DRAM clocks. */
class OnDieTerminationSpec extends AnyFunSpec with ChiselSim {

  /** A burst of eight on the data bus. */
  private case class Burst(rank: Int, write: Boolean, start: Int)

  /** What a pin does to the chips, ODTLon = ODTLoff after it; JESD79-3F 5.2.1, JESD79-4B 5.1. */
  private def latency(config: WeirConfig): Int = config.timing.cwl - 2

  /** The rank that terminates the bursts of another, if there is one: of two ranks the other, of four the one two on. */
  private def beside(ranks: Int, rank: Int): Option[Int] =
    ranks match {
      case 1 => None
      case 2 => Some(1 - rank)
      case 4 => Some((rank + 2) % 4)
    }

  /** Whether a rank is to terminate the bus at a clock: from two clocks before a burst (its preamble) to its end. */
  private def terminates(ranks: Int, bursts: Iterable[Burst], rank: Int, clock: Int): Boolean =
    bursts.exists { burst =>
      val during = clock >= burst.start - 2 && clock < burst.start + 4
      during && (burst.write && burst.rank == rank || beside(ranks, burst.rank).contains(rank))
    }

  /** Commands by chance, and every pin of every clock compared with what it is to be; `broken` changes the pins of a cycle. */
  private def run(config: WeirConfig, broken: (BigInt, BigInt) => BigInt = (pins, _) => pins): Unit =
    simulate(new OnDieTermination(config)) { dut =>
      val random = new Random(Seed.value)
      val ranks  = config.geometry.electrical.ranks
      val n      = config.phy.phases
      val bursts = mutable.Queue[Burst]()
      var before = BigInt(0)
      dut.reset.poke(true)
      dut.io.column.valid.poke(false)
      dut.clock.step(2)
      dut.reset.poke(false)
      for (cycle <- 0 until 2000) {
        // seldom, and as often as may be, so that windows stand alone and overlap
        val valid = random.nextDouble() < (if (cycle % 400 < 200) 0.15 else 0.8)
        val write = random.nextBoolean()
        val rank  = random.nextInt(config.geometry.ranks)
        dut.io.column.valid.poke(valid)
        dut.io.column.bits.write.poke(write)
        if (config.geometry.rankBits > 0) dut.io.column.bits.rank.poke(rank)
        if (valid) {
          val clock = cycle * n + (if (write) config.phy.writePhase else config.phy.readPhase)
          val start = clock + (if (write) config.timing.cwl else config.timing.cl)
          bursts += Burst(if (ranks == 1) 0 else rank, write, start)
          if (bursts.size > 40) bursts.dequeue()
        }
        val peeked = dut.io.odt.peek().litValue
        val pins   = broken(peeked, before)
        before = peeked
        for (phase <- 0 until n; of <- 0 until ranks) {
          val expected = terminates(ranks, bursts, of, cycle * n + phase + latency(config))
          assert(pins.testBit(phase * ranks + of) == expected, s"cycle $cycle phase $phase rank $of")
        }
        dut.clock.step()
      }
    }

  for (
    name <- Seq("test-1rank-1phase", "ecp5-lite", "test-narrow-bus", "test-4rank-2phase", "test-ddr4", "test-2pseudo")
  )
    it(s"terminates the bursts of $name") {
      info(s"seed ${Seed.value}")
      run(Presets.all(name))
    }

  describe("finds pins that are") {
    val config = Presets.all("test-narrow-bus")
    val ranks  = config.geometry.ranks
    val width  = config.phy.phases * ranks
    val all    = (BigInt(1) << width) - 1
    val wrong  = Seq[(String, (BigInt, BigInt) => BigInt)](
      "always high"       -> ((_, _) => all),
      "a clock late"      -> ((pins, before) => (pins << ranks & all) | before >> (width - ranks)),
      "of another rank"   -> ((pins, _) => ((pins & (all / 3)) << 1) | (pins >> 1 & (all / 3))),
      "a clock too short" -> ((pins, before) => pins & (pins << ranks | before >> (width - ranks)))
    )
    for ((fault, change) <- wrong)
      it(fault)(assertThrows[TestFailedException](run(config, change)))
  }
}
