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
}
