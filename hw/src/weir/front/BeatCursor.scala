// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** Walks through the beats of a run. `run` stays the same from its first beat to its last; the beat after the last is the
  * first of the next run, without a cycle between. Outputs are combinational from `run`, before the first beat has been
  * done, and from registers after it.
  */
class BeatCursor(config: WeirConfig) extends Module {
  private val blocks = new Blocks(config)
  val io             = IO(new Bundle {
    val run = Input(new BeatRun(config))

    /** The present beat is done. */
    val step = Input(Bool())

    /** The bus word of the block that the present beat lies in. */
    val word = Output(UInt(log2Ceil(blocks.words).W))

    /** Whether beats of the run have been done; whether the present one is its last. */
    val begun, last = Output(Bool())
  })
  private val begun  = RegInit(false.B)
  private val offset = Reg(UInt(blocks.offsetBits.W))
  private val more   = Reg(UInt(8.W))
  private val last   = Reg(Bool())

  private val at   = Mux(begun, offset, io.run.start)
  private val left = Mux(begun, more, io.run.more)

  // From the second beat on the address is aligned to the beat's size; only the bits in the mask advance.
  private val following = (at | Burst.beatMask(io.run.size)(blocks.offsetBits - 1, 0)) +% 1.U
  when(io.step) {
    begun  := !io.last
    offset := at & ~io.run.mask | following & io.run.mask
    more   := left - 1.U
    last   := left === 1.U
  }
  io.word  := (if (blocks.words == 1) 0.U(0.W) else at >> (blocks.offsetBits - log2Ceil(blocks.words)))
  io.begun := begun
  io.last  := Mux(begun, last, io.run.one)
}
