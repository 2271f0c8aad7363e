// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** An AXI burst as the front room keeps it, decoded once when the address is taken.
  *
  *   - `block` and `offset` are where the next beat starts: the number of the block, counted from the first byte of memory,
  *     and the byte of the block. `outside` tells that it is not in memory, nor is any other beat of the burst, as a 4 KiB
  *     page is never in part.
  *   - `len` is AxLEN: beats less one that are still to be done.
  *   - `mask` has ones in the address bits that advance from beat to beat: all for INCR, none for FIXED, those of the
  *     container (beats times beat size, at most 16 words) for WRAP.
  *   - `wrap` tells WRAP, whose address bits outside `mask` stand still.
  *   - `single` tells that all beats lie in one block, or are to be answered without memory.
  *   - `malformed` tells a burst that AXI4 forbids and that has no sense: see [[Burst.apply]].
  */
class Burst(config: WeirConfig) extends Bundle {
  private val blocks = new Blocks(config)

  val id        = UInt(config.axi.idBits.W)
  val block     = UInt(blocks.numberBits.W)
  val offset    = UInt(blocks.offsetBits.W)
  val outside   = Bool()
  val len       = UInt(8.W)
  val size      = UInt(3.W)
  val mask      = UInt((blocks.offsetBits + Burst.containerBlockBits).W)
  val wrap      = Bool()
  val single    = Bool()
  val malformed = Bool()
}

object Burst {

  /** Block number bits that a WRAP container can span: 16 beats of at most a block each. */
  val containerBlockBits: Int = 4

  private val fixed    = 0.U(2.W)
  private val wrapping = 2.U(2.W)
  private val reserved = 3.U(2.W)

  /** A mask of the byte address bits within one beat of 2^`size` bytes, 7 bits. */
  def beatMask(size: UInt): UInt = VecInit(Seq.tabulate(7)(bit => size > bit.U)).asUInt

  /** Decodes an address channel. Malformed: burst type 3; AxSIZE wider than the bus; FIXED of more than 16 beats; WRAP of
    * other than 2, 4, 8 or 16 beats or with an address that is not a multiple of the beat size.
    */
  def apply(config: WeirConfig, id: UInt, address: UInt, len: UInt, size: UInt, kind: UInt): Burst = {
    val blocks    = new Blocks(config)
    val burst     = Wire(new Burst(config))
    val isFixed   = kind === fixed
    val isWrap    = kind === wrapping
    val fromBase  = address - config.axi.base.U
    val width     = burst.mask.getWidth
    val container = ((len(3, 0) << size).asUInt | beatMask(size)).pad(width)(width - 1, 0)
    val wrapLen   = VecInit(Seq(1, 3, 7, 15).map(beats => len === beats.U)).asUInt.orR

    burst.id        := id
    burst.block     := (fromBase >> blocks.offsetBits)(blocks.numberBits - 1, 0)
    burst.offset    := fromBase(blocks.offsetBits - 1, 0)
    burst.outside   := (fromBase >> blocks.offsetBits >> blocks.numberBits).orR
    burst.len       := len
    burst.size      := size
    burst.mask      := Mux(isWrap, container, Fill(width, !isFixed))
    burst.wrap      := isWrap
    burst.malformed := kind === reserved ||
      size > log2Ceil(config.axi.dataBytes).U ||
      isFixed && len > 15.U ||
      isWrap && (!wrapLen || (address & beatMask(size)).orR)
    burst.single := isFixed || burst.malformed || isWrap && !(container >> blocks.offsetBits).orR
    burst
  }
}
