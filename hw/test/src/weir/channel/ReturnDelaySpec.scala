// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.config.TimeScaling

import scala.collection.mutable
import scala.util.Random

/** Lines that are held back, against a list of when each came. */
class ReturnDelaySpec extends AnyFunSpec with ChiselSim {
  private val config =
    ChannelConfigs.ddr3.copy(policies = ChannelConfigs.ddr3.policies.copy(timeScaling = TimeScaling(64)))
  // from AR to the DFI 1, of the PHY 9, from there to R 1
  private val fixed = 11

  private case class Line(data: Int, came: Int)

  /** Lines by chance at a factor, first from the DRAM `latency` cycles after their command and from the write queue.
    *
    * @return what is wrong, of the times as of factor `checked`
    */
  private def run(dut: ReturnDelay, seed: Int, factor: Int, checked: Int, cycles: Int): Option[String] = {
    val random    = new Random(seed)
    val latency   = 1 + random.nextInt(9)
    val pressure  = if (seed % 2 == 0) 1.0 else 0.3
    val underWay  = mutable.Queue[Int]() // cycles in which lines come from the DRAM
    val forwarded = mutable.Queue[Int]() // those of lines from the write queue
    val waiting   = mutable.Queue[Line]()
    var wrong     = Option.empty[String]
    dut.reset.poke(true)
    dut.io.factor.poke(factor)
    dut.io.in.valid.poke(false)
    dut.io.read.poke(false)
    dut.io.forward.poke(false)
    dut.clock.step(2)
    dut.reset.poke(false)
    dut.clock.step(2)
    for (cycle <- 0 until cycles) {
      val reads    = random.nextDouble() < pressure && dut.io.mayRead.peek().litToBoolean
      val forwards = random.nextDouble() < pressure / 2 && dut.io.mayForward.peek().litToBoolean
      dut.io.read.poke(reads)
      dut.io.forward.poke(forwards)
      if (reads) underWay += cycle + latency
      if (forwards) forwarded += cycle
      val fromDram  = underWay.headOption.contains(cycle)
      val fromQueue = !fromDram && forwarded.headOption.exists(_ < cycle)
      if (fromDram) underWay.dequeue()
      if (fromQueue) forwarded.dequeue()
      val data = random.nextInt(1 << 16)
      dut.io.in.valid.poke(fromDram || fromQueue)
      dut.io.in.bits.data.poke(data)
      if (fromDram || fromQueue) waiting += Line(data, cycle)
      val due = waiting.headOption.filter(_.came + (checked - 1) * fixed == cycle)
      val out = Option.when(dut.io.out.valid.peek().litToBoolean)(dut.io.out.bits.data.peek().litValue.toInt)
      if (wrong.isEmpty && out != due.map(_.data)) wrong = Some(s"seed $seed, cycle $cycle: $out in place of $due")
      if (due.isDefined) waiting.dequeue()
      dut.clock.step()
    }
    wrong
  }

  it("holds every line back for as long as the factor says, and a check for one factor finds another") {
    simulate(new ReturnDelay(config)) { dut =>
      for ((factor, seed) <- Seq(1, 2, 3, 16, 64).zipWithIndex; extra <- Seq(0, 5)) {
        val wrong = run(dut, seed + extra, factor, factor, 100 + 40 * factor)
        assert(wrong.isEmpty, s"factor $factor: ${wrong.mkString}")
        assert(run(dut, seed + extra, factor, factor + 1, 100 + 40 * factor).isDefined)
      }
    }
  }

  it("never stops reads at the pace of the data bus") {
    simulate(new ReturnDelay(config)) { dut =>
      for (factor <- Seq(1, 2, 5, 64)) {
        val coming = mutable.Queue[Int]()
        dut.io.factor.poke(factor)
        dut.io.forward.poke(false)
        dut.clock.step(64 * fixed + 100)
        for (cycle <- 0 until 40 * factor) {
          val reads = cycle % factor == 0
          assert(dut.io.mayRead.peek().litToBoolean, s"factor $factor, cycle $cycle")
          dut.io.read.poke(reads)
          if (reads) coming += cycle + 9
          dut.io.in.valid.poke(coming.headOption.contains(cycle))
          if (coming.headOption.contains(cycle)) coming.dequeue()
          dut.clock.step()
        }
        dut.io.read.poke(false)
        for (cycle <- 40 * factor until 40 * factor + 10) {
          dut.io.in.valid.poke(coming.headOption.contains(cycle))
          if (coming.headOption.contains(cycle)) coming.dequeue()
          dut.clock.step()
        }
        dut.io.in.valid.poke(false)
      }
    }
  }

  it("loses no line and keeps their order while the factor changes, with reads in every cycle that takes one") {
    simulate(new ReturnDelay(config)) { dut =>
      val random = new Random(1)
      val coming = mutable.Queue[Int]()
      val lines  = mutable.Queue[Int]()
      var left   = 0
      dut.io.forward.poke(false)
      dut.io.factor.poke(1)
      dut.io.in.valid.poke(false)
      dut.io.read.poke(false)
      dut.clock.step(3)
      // what is chosen goes out four cycles later, as many as Channel has between them
      val chosen = mutable.Queue.fill(3)(false)
      for (cycle <- 0 until 6000) {
        if (cycle % 300 == 0) dut.io.factor.poke(Seq(1, 64, 2, 16)(random.nextInt(4)))
        chosen += cycle < 5000 && dut.io.mayRead.peek().litToBoolean
        val reads = chosen.dequeue()
        dut.io.read.poke(reads)
        if (reads) coming += cycle + 9
        val comes = coming.headOption.contains(cycle)
        val data  = random.nextInt(1 << 16)
        dut.io.in.valid.poke(comes)
        dut.io.in.bits.data.poke(data)
        if (comes) {
          coming.dequeue()
          lines += data
        }
        if (dut.io.out.valid.peek().litToBoolean) {
          assert(dut.io.out.bits.data.peek().litValue == lines.dequeue(), s"cycle $cycle")
          left += 1
        }
        dut.clock.step()
      }
      assert(lines.isEmpty && left > 300)
    }
  }
}
