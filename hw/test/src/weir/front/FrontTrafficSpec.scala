// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.{LongRun, PackedBench}

/** Random traffic over bus widths, port counts and buffer sizes. `WEIR_SEED` replays a seed; each run prints its own. */
class FrontTrafficSpec extends AnyFunSpec with ChiselSim {
  private val seeds = sys.env.get("WEIR_SEED").map(_.toLong).map(Seq(_)).getOrElse(Seq(1L, 2L))

  private val usual = Seq(FrontConfigs.equal, FrontConfigs.narrow, FrontConfigs.wide)

  for (config <- FrontConfigs.all)
    it(s"answers random bursts as AXI4 has it: ${config.name}", LongRun.unless(usual.contains(config)): _*) {
      simulate(new PackedFront(config)) { dut =>
        val bench = new PackedBench(dut)
        for (seed <- seeds; pace <- FrontTraffic.paces) {
          info(s"seed $seed, $pace, from cycle ${bench.cycle}")
          FrontTraffic.run(config, bench, seed, pace, bursts = 150 / config.axi.ports.max(new Blocks(config).lines / 2))
        }
        info(s"${bench.cycle} cycles")
      }
    }
}
