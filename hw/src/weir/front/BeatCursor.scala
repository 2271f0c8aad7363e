// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** Walks through the beats of a run. `run` stays the same from its first beat to its last; the beat after the last is the
  * first of the next run, without a cycle between.
  */
class BeatCursor(config: WeirConfig) extends Module {
  private val blocks = new Blocks(config)
  val io             = IO(new Bundle {
    val run = Input(new BeatRun(config))

    /** The present beat is done. */
    val step = Input(Bool())

    /** The bus word of the block that the present beat lies in. */
    val word = Output(UInt(log2Ceil(blocks.words).W))

    /** The word that the beat after it lies in, if it is not the last. */
    val nextWord = Output(UInt(log2Ceil(blocks.words).W))

    /** Whether beats of the run have been done; whether the present one is its last. */
    val begun, last = Output(Bool())
  })
  private val done   = RegInit(0.U(8.W)) // beats
  private val offset = Reg(UInt(blocks.offsetBits.W))

  // From the second beat on the address is aligned to the beat's size; only the bits in the mask advance.
  private val at        = Mux(io.begun, offset, io.run.start)
  private val following = (at | Burst.beatMask(io.run.size)(blocks.offsetBits - 1, 0)) +% 1.U
  private val next      = at & ~io.run.mask | following & io.run.mask
  when(io.step) {
    done   := Mux(io.last, 0.U, done + 1.U)
    offset := next
  }
  private def wordOf(offset: UInt): UInt =
    if (blocks.words == 1) 0.U(0.W) else offset >> (blocks.offsetBits - log2Ceil(blocks.words))
  io.word     := wordOf(at)
  io.nextWord := wordOf(next)
  io.begun    := done =/= 0.U
  io.last     := done === io.run.more
}
