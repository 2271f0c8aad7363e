// SPDX-License-Identifier: Apache-2.0
package weir.counters

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec

class LatencyBucketsSpec extends AnyFunSpec with ChiselSim {

  private class Bench extends Module {
    val io = IO(new Bundle {
      val cycles = Input(UInt(20.W))
      val bucket = Output(UInt(4.W))
    })
    io.bucket := LatencyBuckets(io.cycles)
  }

  it("puts a latency into the bucket whose range it is in") {
    // below 8, then a power of two each, the last one open
    val bounds = 8 +: (4 to 13).map(1 << _)
    simulate(new Bench) { dut =>
      for (bound <- bounds; cycles <- Seq(bound - 1, bound)) {
        dut.io.cycles.poke(cycles)
        dut.io.bucket.expect(bounds.count(_ <= cycles))
      }
      dut.io.cycles.poke((1 << 20) - 1)
      dut.io.bucket.expect(LatencyBuckets.count - 1)
    }
  }

  it("says the ranges in words") {
    assert(Seq(0, 1, 2, 11).map(LatencyBuckets.range) == Seq("below 8", "8 to 15", "16 to 31", "8192 and more"))
  }
}
