// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.PackedBench

/** Breaks the design in each way that the checks of the traffic test are for, and wants the check that names it. */
class FrontMutationSpec extends AnyFunSpec with ChiselSim {
  private val config = FrontConfigs.whole

  /** One of `complaints` must end a run; which of several depends on what is under way when the fault shows. */
  private def wants(
      complaints: Seq[String],
      dut: PackedFront,
      bench: PackedBench,
      checkedAs: weir.config.WeirConfig
  ): Unit = {
    bench.reset()
    val error = intercept[AssertionError](
      for (seed <- 1 to 20) FrontTraffic.run(checkedAs, bench, seed, FrontTraffic.paces(seed % 4), bursts = 150)
    )
    assert(
      complaints.exists(error.getMessage.contains(_)),
      s"wanted ${complaints.mkString(" or ")}: ${error.getMessage}"
    )
  }

  private def flip(field: String, bit: Int)(bench: PackedBench): Unit =
    bench.replace(field, bench.get(field).flipBit(bit))

  it("finds each of its mutations by the right check") {
    simulate(new PackedFront(config)) { dut =>
      def broken(complaints: String*)(tamper: PackedBench => Unit): Unit =
        wants(complaints, dut, new PackedBench(dut, tamper), config)

      broken("byte lane")(bench => if (bench.get("axi.0.rresp") == 0) flip("axi.0.rdata", 40)(bench))
      broken("RLAST is")(bench => if (bench.get("axi.0.rid") == 3) flip("axi.0.rlast", 0)(bench))
      broken("RRESP")(bench => if (bench.get("axi.0.rresp") == 3) bench.replace("axi.0.rresp", 2))
      broken("data with an error")(bench => if (bench.get("axi.0.rresp") == 2) bench.replace("axi.0.rdata", 1))
      var midway = false
      broken("an R beat of id", "in the middle of a burst") { bench =>
        if (midway) flip("axi.0.rid", 1)(bench)
        if (bench.high("axi.0.rvalid") && bench.driving("axi.0.rready") == 1) midway = !bench.high("axi.0.rlast")
      }
      broken("BRESP")(bench => if (bench.get("axi.0.bresp") == 2) bench.replace("axi.0.bresp", 0))
      broken("B of id", "BRESP", "answered, but byte")(bench => if (bench.cycle > 100) bench.replace("axi.0.bid", 2))
      broken("reads has ExpectedLine")(flip("reads.bits.line", 3))
      broken("reads has ExpectedLine")(flip("reads.bits.source", 0))
      broken("writes has ExpectedLine")(flip("writes.bits.line", 3))
      broken("reads")(bench => bench.replace("writes.bits.data", bench.get("writes.bits.data").flipBit(9)))
      broken("reads")(bench =>
        if (bench.get("writes.bits.strobe").bitCount > 1)
          bench.replace("writes.bits.strobe", bench.get("writes.bits.strobe").clearBit(7))
      )
      broken("without a strobe")(_.replace("writes.bits.strobe", 0))
      broken("changed while it waited")(bench =>
        if (bench.cycle % 3 == 0 && bench.driving("axi.0.rready") == 0) bench.replace("axi.0.rvalid", 0)
      )
      broken("changed while it waited")(bench =>
        if (bench.cycle % 3 == 0 && bench.driving("axi.0.bready") == 0) bench.replace("axi.0.bvalid", 0)
      )
      for (signal <- Seq("rvalid", "bvalid"))
        broken("nothing has moved")(_.replace(s"axi.0.$signal", 0))
      var taken = (-1, BigInt(0)) // cycle and slot of the last read
      broken("is asked for twice") { bench =>
        if (bench.high("reads.valid") && bench.driving("reads.ready") == 1) {
          if (taken._1 == bench.cycle - 1) bench.replace("reads.bits.tag.slot", taken._2)
          taken = (bench.cycle, bench.get("reads.bits.tag.slot"))
        }
      }
    }
  }

  it("finds an answer that goes out before its lines are accepted") {
    simulate(new PackedFront(config)) { dut =>
      val hasty = new PackedBench(dut) {
        private var sent                                     = 0
        override def set(field: String, value: BigInt): Unit = field match {
          case "writeAccepted.valid" => super.set(field, if (sent > 0) 1 else 0)
          case _                     => super.set(field, value)
        }
        override def step(): Unit = {
          if (driving("writeAccepted.valid") == 1) sent -= 1
          if (high("writes.valid") && driving("writes.ready") == 1) sent += 1
          super.step()
        }
      }
      wants(Seq("answered, but byte"), dut, hasty, config)
    }
  }

  it("finds mixed beats where bursts must stay whole") {
    val mixes = config.copy(axi = config.axi.copy(interleave = true))
    simulate(new PackedFront(mixes))(dut => wants(Seq("in the middle of a burst"), dut, new PackedBench(dut), config))
  }
}
