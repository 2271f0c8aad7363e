// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** Who an access is from: the port above the bits `sourceIdHigh` to `sourceIdLow` of the AXI id. */
object SourceTag {
  def apply(config: WeirConfig, port: UInt, id: UInt): UInt =
    Cat(port, id(config.axi.sourceIdHigh, config.axi.sourceIdLow))
}
