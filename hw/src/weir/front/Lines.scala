// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util.log2Ceil
import weir.config.WeirConfig

/** Names the place a line read returns to; carried through the controller untouched. Ports from [[LineTag.mover]] on are no AXI
  * ports.
  */
class LineTag(config: WeirConfig) extends Bundle {
  val port = UInt(log2Ceil(LineTag.ports(config)).W)
  val slot = UInt(log2Ceil(config.axi.readSlots).W)
}

object LineTag {

  /** Ports that lines are told apart by. */
  def ports(config: WeirConfig): Int = if (config.remapping.isEmpty) config.axi.ports else tables(config) + 1

  /** The port of lines that a page move reads and writes, and that of lines of the tables that say where pages are; only where
    * there is remapping.
    */
  def mover(config: WeirConfig): Int  = config.axi.ports
  def tables(config: WeirConfig): Int = config.axi.ports + 1
}

/** A read of one line (one DRAM burst). `line` counts lines from the first byte of memory. */
class LineRead(config: WeirConfig) extends Bundle {
  val line   = UInt(config.lineAddressBits.W)
  val source = UInt(config.axi.sourceBits.W)
  val tag    = new LineTag(config)
}

/** A write of one line. `strobe` has a bit for each byte of the line; bytes whose bit is 0 keep their content. */
class LineWrite(config: WeirConfig) extends Bundle {
  val line   = UInt(config.lineAddressBits.W)
  val source = UInt(config.axi.sourceBits.W)
  val port   = UInt(log2Ceil(LineTag.ports(config)).W)
  val data   = UInt(config.geometry.lineBits.W)
  val strobe = UInt(config.geometry.lineBytes.W)
}

/** A line that was read; never refused, as `front` keeps a slot free for every read it sent. */
class LineReturn(config: WeirConfig) extends Bundle {
  val tag  = new LineTag(config)
  val data = UInt(config.geometry.lineBits.W)

  /** The DRAM's answer did not come, and `data` means nothing. */
  val lost = Bool()
}
