// SPDX-License-Identifier: Apache-2.0
package weir

import _root_.circt.stage.ChiselStage
import org.scalatest.funspec.AnyFunSpec
import weir.config.Presets

class WeirSpec extends AnyFunSpec {
  for ((name, config) <- Presets.all)
    it(s"can be built as $name") {
      assert(ChiselStage.emitCHIRRTL(new Weir(config)).contains("public module Weir"))
    }

  for (count <- Seq(2, 4))
    it(s"can be built for a board in $count pseudo-ranks") {
      val board   = Presets.all("ecpix5-lite")
      val divided = board.copy(geometry = board.geometry.inPseudoRanks(count))
      assert(ChiselStage.emitCHIRRTL(new Weir(divided)).contains("public module Weir"))
    }
}
