// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._

/** Chooses one of `n` requests, starting above the one taken last: a request is passed by at most `n` - 1 others.
  * Combinational; area and delay grow with `n` and its logarithm.
  */
class RotatingChoice(n: Int) extends Module {
  val io = IO(new Bundle {
    val requests = Input(UInt(n.W))

    /** The choice is taken; the next one starts above it. */
    val take   = Input(Bool())
    val any    = Output(Bool())
    val oneHot = Output(UInt(n.W))
    val index  = Output(UInt(log2Ceil(n).W))
  })
  private val above = RegInit(0.U(n.W))
  private val later = io.requests & above
  private val from  = Mux(later.orR, later, io.requests)

  // The lowest one: x & -x, a carry chain.
  private val lowest = from & (~from +% 1.U)
  io.any    := io.requests.orR
  io.oneHot := lowest
  io.index  := OHToUInt(lowest)
  when(io.take && io.any)(above := ~((lowest - 1.U) | lowest))
}
