// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec

class CountdownSpec extends AnyFunSpec with ChiselSim {

  private class Bench extends Module {
    val io = IO(new Bundle {
      val start    = Input(Bool())
      val distance = Input(UInt(4.W))
      val ready    = Output(Bool())
    })
    private val countdown = new Countdown(4)
    when(io.start)(countdown.start(io.distance))
    io.ready := countdown.ready
  }

  /** Cycles from the start (exclusive) to the first ready cycle. */
  private def readyAfter(bench: Bench): Int = {
    bench.clock.step()
    bench.io.start.poke(false)
    var cycles = 1
    while (!bench.io.ready.peek().litToBoolean) {
      bench.clock.step()
      cycles += 1
    }
    cycles
  }

  it("is ready exactly `distance` cycles after the start") {
    simulate(new Bench) { bench =>
      for (distance <- 1 to 15) {
        bench.io.start.poke(true)
        bench.io.distance.poke(distance)
        assert(readyAfter(bench) == distance)
      }
    }
  }

  it("never shortens a wait that is under way, and lengthens a shorter one") {
    simulate(new Bench) { bench =>
      for (first <- 1 to 12; pause <- 1 to 4; second <- 1 to 12) {
        bench.io.start.poke(true)
        bench.io.distance.poke(first)
        bench.clock.step()
        bench.io.start.poke(false)
        bench.clock.step(pause - 1)
        bench.io.start.poke(true)
        bench.io.distance.poke(second)
        assert(readyAfter(bench) == second.max(first - pause))
        bench.clock.step(16)
      }
    }
  }
}
