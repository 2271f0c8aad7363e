// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3.util.log2Ceil
import weir.config.WeirConfig

/** The unit in which `front` works, and how it relates to the bus and to the line.
  *
  * A block is the larger of a bus word and a line: where the bus is narrower than a line, a block is a line of several
  * words; where it is wider, a block is a word of several lines. Either way a beat lies in one block.
  */
class Blocks(config: WeirConfig) {

  /** Bytes of a block. */
  val bytes: Int = config.axi.dataBytes.max(config.geometry.lineBytes)

  /** Lines of a block (1 unless the bus is wider than a line). */
  val lines: Int = bytes / config.geometry.lineBytes

  /** Bus words of a block (1 unless the bus is narrower than a line). */
  val words: Int = bytes / config.axi.dataBytes

  /** Blocks that a port may have in flight from AR to R. */
  val slots: Int = config.axi.readSlots / lines

  /** Bits that name a byte of a block. */
  val offsetBits: Int = log2Ceil(bytes)

  /** Bits that name a block of the memory. */
  val numberBits: Int = config.lineAddressBits - log2Ceil(lines)

  val slotBits: Int = log2Ceil(slots)
  val lineBits: Int = log2Ceil(lines)
}
