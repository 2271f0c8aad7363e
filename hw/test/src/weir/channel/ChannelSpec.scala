// SPDX-License-Identifier: Apache-2.0
package weir.channel

import circt.stage.ChiselStage
import org.scalatest.funspec.AnyFunSpec

/** Configs that a channel refuses. */
class ChannelSpec extends AnyFunSpec {

  describe("Channel") {
    it("refuses a row that may be closed in the cycle after its activate, before the access it was opened for") {
      val short  = ChannelConfigs.ddr3.timing.copy(tRAS = 2, tRC = 13)
      val config = ChannelConfigs.ddr3.copy(name = "shortest-row", timing = short)
      val error  = intercept[IllegalArgumentException](ChiselStage.emitCHIRRTL(new Channel(config)))
      assert(
        error.getMessage.contains("shortest-row: a row may be closed 1 controller cycle after its activate (tRAS)")
      )
    }

    it("takes one that stays open for two cycles, and with fewer phases one of a single cycle") {
      val timing = ChannelConfigs.ddr3.timing.copy(tRAS = 8, tRC = 19)
      ChiselStage.emitCHIRRTL(new Channel(ChannelConfigs.ddr3.copy(timing = timing)))
      val short = ChannelConfigs.ddr4.timing.copy(tRAS = 2, tRC = 13)
      ChiselStage.emitCHIRRTL(new Channel(ChannelConfigs.ddr4.copy(timing = short)))
    }
  }
}
