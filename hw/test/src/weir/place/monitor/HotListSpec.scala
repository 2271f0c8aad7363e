// SPDX-License-Identifier: Apache-2.0
package weir.place.monitor

import chisel3._
import chisel3.simulator.FailedExpectationException
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.Seed
import weir.config.Presets

import scala.collection.mutable
import scala.util.Random

/** The ring against a queue: hardware fills it by chance, software empties it in bursts by chance. */
class HotListSpec extends AnyFunSpec with ChiselSim {
  private val config  = Presets.all("test-hot-monitor")
  private val records = 16

  private class Bench extends Module {
    protected val list: HotList = Module(new HotList(config))

    val io = IO(chiselTypeOf(list.io))
    io <> list.io
  }

  /** Broken: it takes a full ring for one with room. */
  private class NeverFull extends Bench {
    list.io.head := list.io.tail
  }

  /** Broken: an overflow is forgotten. */
  private class ForgetsOverflow extends Bench {
    io.overflowed := RegNext(list.io.overflowed, false.B) && !list.io.overflowed
  }

  private def check(bench: Bench): Unit = {
    val seed = Seed.value
    info(s"seed $seed")
    val random     = new Random(seed)
    val io         = bench.io
    val held       = mutable.Queue.empty[(BigInt, Int)]
    var head       = 0
    var overflowed = false
    var overflows  = 0
    io.append.valid.poke(false)
    io.clearOverflowed.poke(false)
    io.read.poke(false)
    io.head.poke(0)
    for (round <- 0 until 300) {
      val level = 1 + random.nextInt(records - 1)
      io.level.poke(level)
      for (_ <- 0 until random.nextInt(if (round % 5 == 0) 40 else 6)) {
        val (page, count) = (BigInt(13, random), random.nextInt(1 << 15))
        val appends       = random.nextInt(4) > 0
        val clears        = random.nextInt(10) == 0
        io.append.valid.poke(appends)
        io.append.bits.page.poke(page)
        io.append.bits.count.poke(count)
        io.clearOverflowed.poke(clears)
        bench.clock.step()
        if (clears) overflowed = false
        if (appends) {
          if (held.size < records - 1) held += ((page, count))
          else {
            overflowed = true
            overflows += 1
          }
        }
        io.append.valid.poke(false)
        io.clearOverflowed.poke(false)
        io.tail.expect((head + held.size) % records)
        io.overflowed.expect(overflowed)
        io.reached.expect(held.size >= level)
      }
      // software reads some of what there is, and moves the head
      val reads = random.nextInt(held.size + 1)
      for (number <- 0 until reads; half <- 0 until 2) {
        io.read.poke(true)
        io.word.poke(2 * ((head + number) % records) + half)
        bench.clock.step()
        io.data.expect(if (half == 0) held(number)._1 else BigInt(held(number)._2))
      }
      io.read.poke(false)
      held.remove(0, reads)
      head = (head + reads) % records
      io.head.poke(head)
    }
    assert(overflows > 20, "the ring was hardly ever full")
  }

  it("keeps what fits in the order in which it came, and tells what does not") {
    simulate(new Bench)(check)
  }

  it("is found to be broken where it does not notice that it is full") {
    assertThrows[FailedExpectationException[_]](simulate(new NeverFull)(check))
  }

  it("is found to be broken where it forgets an overflow") {
    assertThrows[FailedExpectationException[_]](simulate(new ForgetsOverflow)(check))
  }
}
