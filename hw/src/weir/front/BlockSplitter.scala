// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** Sends the needed lines of a block one after the other, lowest first. Where a block is one line it is wires.
  *
  * `needed` has a bit for each line and stays until it is accepted, with its last line or at once if no line is needed.
  * Latency: none. Throughput: one line per cycle, without a gap between blocks.
  */
class BlockSplitter(lines: Int) extends Module {
  val io = IO(new Bundle {
    val needed = Flipped(Decoupled(UInt(lines.W)))

    /** Number of the line within its block. */
    val line = Decoupled(UInt(log2Ceil(lines).W))

    /** Whether no line of the block has been sent yet; whether none follows. */
    val first, last = Output(Bool())
  })

  if (lines == 1) {
    io.line.valid   := io.needed.valid && io.needed.bits(0)
    io.line.bits    := 0.U(0.W)
    io.first        := true.B
    io.last         := true.B
    io.needed.ready := io.line.ready || !io.needed.bits(0)
  } else {
    val sent   = RegInit(0.U(lines.W))
    val left   = io.needed.bits & ~sent
    val lowest = PriorityEncoderOH(left)
    io.line.valid   := io.needed.valid && left.orR
    io.line.bits    := OHToUInt(lowest)
    io.first        := sent === 0.U
    io.last         := (left & ~lowest) === 0.U
    io.needed.ready := io.last && (io.line.ready || !left.orR)
    when(io.line.fire)(sent := Mux(io.last, 0.U, sent | lowest))
  }
}

object BlockSplitter {

  /** The lines of its block that a read touches, a bit for each. */
  def touched(config: WeirConfig, access: BlockAccess): UInt = {
    val blocks = new Blocks(config)
    if (blocks.lines == 1) 1.U(1.W)
    else {
      val run         = access.run
      val beat        = Burst.beatMask(run.size)(blocks.offsetBits - 1, 0)
      val advances    = run.mask.orR
      val span        = Mux(advances, (run.more << run.size)(blocks.offsetBits - 1, 0), 0.U)
      val firstByte   = Mux(access.container, run.start & ~run.mask, run.start)
      val lastByte    = Mux(access.container, run.start | run.mask, ((run.start & ~beat) +% span) | beat)
      val lineShift   = blocks.offsetBits - blocks.lineBits
      val (low, high) = (firstByte >> lineShift, lastByte >> lineShift)
      VecInit(Seq.tabulate(blocks.lines)(line => line.U >= low && line.U <= high)).asUInt
    }
  }
}
