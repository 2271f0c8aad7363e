// SPDX-License-Identifier: Apache-2.0
package weir.place.remap

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.config.{Presets, WeirConfig}
import weir.{LongRun, Packed, PackedBench}

/** Accesses to pages that live here and there, and move meanwhile: each goes where its line is, and reads the newest data. */
class RemapUnitSpec extends AnyFunSpec with ChiselSim {
  private val seed = sys.env.getOrElse("WEIR_SEED", "1").toInt

  private class PackedRemap(config: WeirConfig) extends Packed(new RemapUnit(config), (unit: RemapUnit) => unit.io)

  private def run(config: WeirConfig)(test: Packed[_] => Unit): Unit = simulate(new PackedRemap(config))(test)

  for (name <- Seq("test-remapping", "test-remapping-x16")) {
    val config = Presets.all(name)
    describe(name) {
      it(
        "sends every access where its line is while pages move, and reads the newest data",
        LongRun.unless(name == "test-remapping"): _*
      ) {
        run(config) { dut =>
          for ((table, run) <- Seq(false, true, false, true).zipWithIndex) {
            val bench = new PackedBench(dut)
            bench.reset()
            val model = new RemapModel(config, bench, seed + run, table)
            info(s"seed ${seed + run}, pointers in ${if (table) "a table" else "homes"}")
            model.prepare(2 + run)
            model.run(if (config.geometry.lineBytes == 64) 4000 else 8000, 0.9, 0.9)
            model.run(2000, 0.3, 0.3)
            model.run(1000, 1, 1)
            model.finish()
            info(s"${model.moved} moves, ${model.readsChecked} reads")
            assert(model.moved > 2 && model.readsChecked > 200)
          }
        }
      }

      it("counts what can be seen from outside") {
        run(config) { dut =>
          val bench = new PackedBench(dut)
          bench.reset()
          val model = new RemapModel(config, bench, seed, table = true, moves = false)
          model.prepare(4)
          model.run(3000, 0.7, 0.8)
          model.finish()
          model.run(5, 0, 0)
          val Seq(hits, misses, pointerHits, pointerMisses, reads, writes) = model.counters
          assert(hits + misses == model.lookedUp)
          assert(misses * (64 / config.geometry.lineBytes) == model.bitmapFetches)
          assert(reads + writes == model.redirected)
          assert(pointerMisses == model.pointerFetches && pointerHits + pointerMisses == reads + writes)
        }
      }
    }
  }

  describe("mutations") {
    val config = Presets.all("test-remapping")

    def found(complaint: String, fault: RemapModel.Fault = RemapModel.Sound)(tamper: PackedBench => Unit): Unit =
      run(config) { dut =>
        val error = intercept[AssertionError] {
          for (run <- 0 until 5) {
            val bench = new PackedBench(dut, tamper)
            bench.reset()
            val model = new RemapModel(config, bench, seed + run, table = false, memory = fault)
            model.prepare(4)
            model.run(4000, 0.9, 0.3)
            model.run(2000, 0.9, 0.9)
            model.finish()
          }
        }
        assert(error.getMessage.contains(complaint), error.getMessage)
      }

    it("finds a fence that does not wait")(found("read of line") { bench =>
      if (bench.driving("move.fence.valid") == 1) bench.replace("move.fence.ready", 1)
    })
    it("finds bitmaps that are not what memory holds")(found("went to line", RemapModel.EmptyBitmaps)(_ => ()))
    it("finds an access that goes home in spite of its pointer")(found("went to line") { bench =>
      if (bench.get("placed.reads.bits.line") / 64 == 40) bench.replace("placed.reads.bits.line", 1 << 19)
    })
    it("finds a frame whose writes do not make it dirty")(found("dirty should be true") { bench =>
      bench.replace("move.frame.dirty", 0)
    })
  }
}
