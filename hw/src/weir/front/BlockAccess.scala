// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import weir.config.WeirConfig

/** The beats of a burst that lie in one block, and how the byte offset runs through the block from beat to beat. */
class BeatRun(config: WeirConfig) extends Bundle {
  private val blocks = new Blocks(config)

  /** Byte of the block at which the first beat starts. */
  val start = UInt(blocks.offsetBits.W)

  /** AxSIZE. */
  val size = UInt(3.W)

  /** Offset bits that advance: all for INCR, none for FIXED, those of the container for WRAP. */
  val mask = UInt(blocks.offsetBits.W)

  /** Beats less one. */
  val more = UInt(8.W)
}

/** What a burst wants of one block. */
class BlockAccess(config: WeirConfig) extends Bundle {
  private val blocks = new Blocks(config)

  val id = UInt(config.axi.idBits.W)

  /** The block's number, counted from the first byte of memory. */
  val block = UInt(blocks.numberBits.W)
  val run   = new BeatRun(config)

  /** Whether the run wraps around inside the block. */
  val container = Bool()

  /** Whether it is the first, the last block of its burst. */
  val first, last = Bool()

  /** OKAY, or the error with which the block's beats are answered and for which memory is left alone. */
  val response = UInt(2.W)

  def failed: Bool = response =/= Response.okay
}
