// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funspec.AnyFunSpec

import scala.util.Random

/** Who came before whom, against a list of the slots in the order in which they were taken. */
class ArrivalOrderSpec extends AnyFunSpec with ChiselSim {
  private val depth = 6

  /** Takes slots by chance, some of them again and again, and compares what is told of each pair of those that were taken. */
  private def check(dut: ArrivalOrder, seed: Int, remembered: Int => Boolean = _ => true): Unit = {
    val random = new Random(seed)
    var order  = Seq.empty[Int] // the oldest first
    for (cycle <- 0 until 400) {
      val before = dut.io.before.map(_.peek().litValue)
      for (slot <- order; other <- order) {
        val came = order.indexOf(other) < order.indexOf(slot)
        assert(before(slot).testBit(other) == came, s"seed $seed, cycle $cycle: whether $other came before $slot")
      }
      val slot = Option.when(random.nextInt(3) > 0)(random.nextInt(depth))
      dut.io.taken.poke(slot.fold(0)(1 << _))
      for (taken <- slot if remembered(cycle)) order = order.filter(_ != taken) :+ taken
      dut.clock.step()
    }
  }

  for (half <- Seq(false, true))
    it(
      s"tells who came before whom with ${if (half) "one bit" else "two bits"} for each pair, and the check notices if not"
    ) {
      simulate(new ArrivalOrder(depth, half)) { dut =>
        for (seed <- 1 to 3) check(dut, seed)
        assertThrows[TestFailedException](check(dut, 4, cycle => cycle != 100))
      }
    }
}
