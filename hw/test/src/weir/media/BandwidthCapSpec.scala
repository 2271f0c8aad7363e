// SPDX-License-Identifier: Apache-2.0
package weir.media

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funspec.AnyFunSpec
import weir.Seed
import weir.config.Presets

import scala.util.Random

/** The cap by what its registers mean: how many lines go in how many cycles, and how long one may have to wait, whatever was
  * set before.
  */
class BandwidthCapSpec extends AnyFunSpec with ChiselSim {
  private val config = Presets.all("test-hybrid-x16")

  /** Cycles from a line that is chosen to `mayGo` that knows of it. */
  private val known = 3

  private class Bench(dut: BandwidthCap) {
    var cycle          = 0
    var sent           = 0
    private var chosen = Seq.fill(known - 2)(false)
    dut.io.factor.poke(1)
    dut.io.line.poke(false)

    def set(lines: Int, cycles: Int, factor: Int = 1): Unit = {
      dut.io.control.lines.poke(lines)
      dut.io.control.cycles.poke(cycles)
      dut.io.factor.poke(factor)
    }

    /** So many cycles with a line in each that may have one and for which `wants` is so. */
    def elapse(cycles: Int, wants: => Boolean = true): Unit = for (_ <- 0 until cycles) {
      val goes = dut.io.mayGo.peek().litToBoolean && wants
      dut.io.line.poke(chosen.head)
      chosen = chosen.tail :+ goes
      if (goes) sent += 1
      dut.clock.step()
      cycle += 1
    }

    /** Cycles until a line may go, of which `most` are waited for. */
    def waits(most: Int): Int = {
      val begun = cycle
      while (!dut.io.mayGo.peek().litToBoolean && cycle - begun <= most) elapse(1)
      cycle - begun
    }
  }

  /** Each of the bodies on a cap that comes out of reset. */
  private def bench(bodies: (Bench => Any)*): Unit = simulate(new BandwidthCap(config)) { dut =>
    for (body <- bodies) {
      dut.reset.poke(true)
      dut.clock.step()
      dut.reset.poke(false)
      body(new Bench(dut))
    }
  }

  /** Cycles that a cap takes for so many lines. */
  private def takes(count: Int, lines: Int, cycles: Int, factor: Int): Int =
    (count * cycles * factor + lines - 1) / lines

  it("lets as many lines go as it says, and all without a cap") {
    bench { bench =>
      import bench._
      set(lines = 0, cycles = 4095)
      elapse(100)
      assert(sent == 100)
      for ((lines, cycles, factor) <- Seq((1, 16, 1), (3, 10, 1), (1, 5, 4), (85, 300, 1))) {
        set(lines, cycles, factor)
        elapse(takes(BandwidthCap.burst + 1, lines, cycles, factor))
        val (since, before) = (cycle, sent)
        elapse(1000)
        val expected = (cycle - since).toDouble * lines / (cycles * factor)
        val went     = sent - before
        assert((went - expected).abs < BandwidthCap.burst, s"$lines in $cycles times $factor: $went, not $expected")
      }
    }
  }

  /** Sets caps in any order, with lines and without, and tells a wait for a line that is longer than the cap in force takes
    * for as many lines as may go at once.
    *
    * @param least that is subtracted from what the cap takes, to show that the test sees it
    */
  private def inAnyOrder(bench: Bench, random: Random, changes: Int, least: Int = 0): Unit = {
    import bench._
    for (change <- 0 until changes) {
      // a cap is set from none, from a heavier one and from a lighter one
      val lines  = Seq(0, 0, 1, 1 + random.nextInt(255))(random.nextInt(4))
      val cycles = Seq(1, 16, 1 + random.nextInt(300), 4095)(random.nextInt(4))
      val factor = Seq(1, 1, 2, 64)(random.nextInt(4))
      set(lines, cycles, factor)
      val most = (if (lines == 0) 0 else takes(BandwidthCap.burst, lines, cycles, factor)) + known - least
      if (most > 0 && most < 4000) {
        val waited = waits(most)
        assert(waited <= most, s"change $change: longer than $most cycles under $lines lines in $cycles times $factor")
      }
      val share = random.nextDouble()
      elapse(random.nextInt(150), random.nextDouble() < share)
    }
  }

  it("keeps no line waiting for longer than the cap in force says, in whatever order caps are set") {
    val seed = Seed.value
    info(s"seed $seed")
    bench(
      bench => withClue(s"seed $seed: ")(inAnyOrder(bench, new Random(seed), 300)),
      // a wait of that length is reached
      bench => intercept[TestFailedException](inAnyOrder(bench, new Random(seed), 300, least = 40)),
      { bench =>
        bench.set(lines = 0, cycles = 4095)
        bench.elapse(2000)
        bench.set(lines = 1, cycles = 16)
        assert(bench.waits(100) <= known, "what went without a cap is not forgotten")
      }
    )
  }
}
