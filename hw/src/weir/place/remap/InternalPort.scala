// SPDX-License-Identifier: Apache-2.0
package weir.place.remap

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.front.LineTag

/** A line to be read that no AXI port asked for. */
class InternalRead(config: WeirConfig) extends Bundle {
  val line = UInt(config.lineAddressBits.W)
  val tag  = UInt(new LineTag(config).slot.getWidth.W)
}

/** A line to be written that no AXI port asked for; bytes whose strobe is 0 keep their content. */
class InternalWrite(config: WeirConfig) extends Bundle {
  val line   = UInt(config.lineAddressBits.W)
  val data   = UInt(config.geometry.lineBits.W)
  val strobe = UInt(config.geometry.lineBytes.W)
}

/** A line that was read, under the tag of its read. */
class InternalReturn(config: WeirConfig) extends Bundle {
  val tag  = UInt(new LineTag(config).slot.getWidth.W)
  val data = UInt(config.geometry.lineBits.W)

  /** The DRAM's answer did not come: the line is to be read again. */
  val lost = Bool()
}

/** Line reads and writes of the controller's own, at numbers of lines that are not remapped; directions as the requester sees
  * them.
  *
  *   - `reads`: no two under way have one tag. `returns` come in any order and cannot be refused.
  *   - `writes`: `accepted` tells that the oldest one not so reported is seen by every read of that line that is sent from now
  *     on, as a demand write is.
  */
class InternalPort(config: WeirConfig) extends Bundle {
  val reads    = Decoupled(new InternalRead(config))
  val returns  = Flipped(Valid(new InternalReturn(config)))
  val writes   = Decoupled(new InternalWrite(config))
  val accepted = Input(Bool())
}
