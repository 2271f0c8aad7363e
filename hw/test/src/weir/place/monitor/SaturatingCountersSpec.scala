// SPDX-License-Identifier: Apache-2.0
package weir.place.monitor

import chisel3._
import chisel3.simulator.FailedExpectationException
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funspec.AnyFunSpec
import weir.Seed

import scala.util.Random

/** Random counts against sums, most of them right behind another of the same counter or word. */
class SaturatingCountersSpec extends AnyFunSpec with ChiselSim {
  private val count = 64

  private class Bench(flagged: Boolean) extends Module {
    protected val counters: SaturatingCounters = Module(new SaturatingCounters(count, flagged))

    val io = IO(chiselTypeOf(counters.io))
    io <> counters.io
  }

  /** Broken: of two counts in a row of the same counter the second is lost. */
  private class LosesTheSecond(flagged: Boolean) extends Bench(flagged) {
    private val same = RegNext(io.add.valid, false.B) && RegNext(io.add.bits.index) === io.add.bits.index
    counters.io.add.valid := io.add.valid && !same
  }

  /** Broken: everything counts once. */
  private class IgnoresAmount(flagged: Boolean) extends Bench(flagged) {
    counters.io.add.bits.amount := 1.U
  }

  /** Broken: the last word is not cleared. */
  private class ForgetsToClear(flagged: Boolean) extends Bench(flagged) {
    io.clearing := RegNext(io.clear, false.B)
  }

  /** What a counter shows after this sum. */
  private def shown(sum: Long, flagged: Boolean): Long =
    if (flagged) (if (sum > 32767) 1L << 15 else 0) | sum.min(32767) else sum.min(65535)

  private def clear(bench: Bench): Unit = {
    bench.io.clear.poke(true)
    bench.clock.step()
    bench.io.clear.poke(false)
    var cycles = 0
    while (bench.io.clearing.peek().litToBoolean) {
      bench.clock.step()
      cycles += 1
    }
    assert(cycles == count / 2, "a word is cleared in each cycle")
  }

  private def check(flagged: Boolean, rounds: Int)(bench: Bench): Unit = {
    val seed = Seed.value
    info(s"seed $seed")
    val random = new Random(seed)
    bench.io.add.valid.poke(false)
    bench.io.clear.poke(false)
    bench.io.read.poke(false)
    for (_ <- 0 until 2) {
      clear(bench)
      val sums = Array.fill(count)(0L)
      // few of them are busy, one so much that it saturates
      val busy                         = Seq.fill(6)(random.nextInt(count))
      var counts: Option[(Long, Long)] = None
      var before                       = 0
      for (_ <- 0 until rounds) {
        for ((was, is) <- counts) {
          bench.io.counted.valid.expect(true)
          val mask = if (flagged) 0x7fff else 0xffff
          bench.io.counted.bits.before.expect(shown(was, flagged) & mask)
          bench.io.counted.bits.after.expect(shown(is, flagged) & mask)
        }
        if (counts.isEmpty) bench.io.counted.valid.expect(false)
        counts = None
        val adds = random.nextInt(8) > 0
        bench.io.add.valid.poke(adds)
        if (adds) {
          val at = random.nextInt(8) match {
            case 0     => random.nextInt(count)
            case 1 | 2 => before
            case 3     => before ^ 1
            case _     => busy(random.nextInt(random.nextInt(busy.size) + 1))
          }
          val amount = if (random.nextBoolean()) 31 else 1 + random.nextInt(31)
          bench.io.add.bits.index.poke(at)
          bench.io.add.bits.amount.poke(amount)
          counts = Some((sums(at), sums(at) + amount))
          sums(at) += amount
          before = at
        }
        bench.clock.step()
      }
      bench.io.add.valid.poke(false)
      bench.clock.step(2)
      assert(sums.max > 65535 + 31, "none has saturated")
      bench.io.read.poke(true)
      for (word <- 0 until count / 2) {
        bench.io.word.poke(word)
        bench.clock.step()
        val data = bench.io.data.peek().litValue
        for (half <- 0 until 2) {
          val counter = 2 * word + half
          assert(((data >> (16 * half)) & 0xffff) == shown(sums(counter), flagged), s"counter $counter")
        }
      }
      bench.io.read.poke(false)
    }
  }

  for (flagged <- Seq(false, true))
    it(s"counts every access and stays at the greatest value${if (flagged) ", with a flag" else ""}") {
      simulate(new Bench(flagged))(check(flagged, 12000))
    }

  for (
    (what, broken) <- Seq[(String, () => Bench)](
      "the second of two counts in a row is lost" -> (() => new LosesTheSecond(true)),
      "amounts are ignored"                       -> (() => new IgnoresAmount(true))
    )
  )
    it(s"is found to be broken where $what") {
      assertThrows[FailedExpectationException[_]](simulate(broken())(check(flagged = true, 12000)))
    }

  it("is found to be broken where a word is not cleared") {
    assertThrows[TestFailedException](simulate(new ForgetsToClear(true))(check(flagged = true, 12000)))
  }
}
