// SPDX-License-Identifier: Apache-2.0
package weir.media

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funspec.AnyFunSpec
import weir.config.Presets

import scala.collection.mutable
import scala.util.Random

/** Lines of the region and of DRAM by chance, each of the region's with the cycle in which it may leave. */
class SlowReturnsSpec extends AnyFunSpec with ChiselSim {
  private val config = Presets.all("test-hybrid-x16")

  /** @param data which line it is
    * @param due  when it leaves if nothing is in its way
    */
  private case class Held(data: Int, due: Int)

  /** @param pressure  how many cycles have a line of DRAM
    * @param reads     how many have a read command of the region, if it may have one
    * @param expected  the delay that is expected
    * @return the longest that a line waited beyond its time, and whether the region had to wait for room
    */
  private def run(dut: SlowReturns, delay: Int, expected: Int, pressure: Double, reads: Double): (Int, Boolean) = {
    val random          = new Random(delay + (pressure * 100).toInt)
    val latency         = 7
    val coming          = mutable.Queue[(Int, Boolean)]() // when, and whether of the region
    val held            = mutable.Queue[Held]()
    var (late, stopped) = (0, false)
    dut.reset.poke(true)
    dut.io.delay.poke(delay)
    dut.io.in.valid.poke(false)
    dut.io.read.poke(false)
    dut.clock.step(2)
    dut.reset.poke(false)
    for (cycle <- 0 until 1500) {
      val ofDram   = random.nextDouble() < pressure && dut.io.anyRead.peek().litToBoolean
      val mayRead  = dut.io.mayRead.peek().litToBoolean && dut.io.anyRead.peek().litToBoolean
      val ofRegion = !ofDram && mayRead && random.nextDouble() < reads
      stopped |= !mayRead && !ofDram
      dut.io.read.poke(ofRegion)
      if (ofDram || ofRegion) coming += ((cycle + latency, ofRegion))
      val comes = Option.when(coming.headOption.exists(_._1 == cycle))(coming.dequeue()._2)
      val data  = random.nextInt(1 << 16)
      dut.io.in.valid.poke(comes.isDefined)
      dut.io.in.bits.ofEmulated.get.poke(comes.contains(true))
      dut.io.in.bits.data.poke(data)
      if (comes.contains(true)) held += Held(data, cycle + expected)
      val leaves =
        if (comes.contains(false)) Some(data)
        else
          held.headOption.filter(_.due <= cycle).map { line =>
            late = late.max(cycle - line.due)
            held.dequeue().data
          }
      val out = Option.when(dut.io.out.valid.peek().litToBoolean)(dut.io.out.bits.data.peek().litValue.toInt)
      assert(out == leaves, s"cycle $cycle")
      dut.clock.step()
    }
    assert(held.size <= config.axi.readSlots)
    (late, stopped)
  }

  it("lets lines of DRAM pass, and holds those of the region for exactly so long where none passes") {
    simulate(new SlowReturns(config, 10)) { dut =>
      for (delay <- Seq(0, 1, 5, 40)) {
        val (late, _) = run(dut, delay, delay, pressure = 0, reads = 0.3)
        assert(late == 0, s"delay $delay")
        run(dut, delay, delay, pressure = 0.5, reads = 0.3)
      }
    }
  }

  it("makes room for the region's lines where DRAM's come in every cycle, and room is never short") {
    simulate(new SlowReturns(config, 10)) { dut =>
      for (delay <- Seq(1, 20)) {
        val (late, _) = run(dut, delay, delay, pressure = 0.98, reads = 1)
        assert(late > 0 && late < 32 * config.axi.readSlots)
      }
      val (_, stopped) = run(dut, 200, 200, pressure = 0, reads = 1)
      assert(stopped)
    }
  }

  it("is found to be broken where it holds lines for a cycle less") {
    assertThrows[TestFailedException](
      simulate(new SlowReturns(config, 10))(run(_, 4, 5, pressure = 0.2, reads = 0.3))
    )
  }
}
