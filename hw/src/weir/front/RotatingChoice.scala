// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._

/** Chooses one of `n` requests (a power of two), starting above the one taken last: a request is passed by at most `n` - 1
  * others. Combinational; two trees side by side.
  */
class RotatingChoice(n: Int) extends Module {
  val io = IO(new Bundle {
    val requests = Input(UInt(n.W))

    /** The choice is taken; the next one starts above it. */
    val take  = Input(Bool())
    val any   = Output(Bool())
    val index = Output(UInt(log2Ceil(n).W))
  })
  private val taken               = RegInit((n - 1).U(log2Ceil(n).W))
  private val above               = VecInit(Seq.tabulate(n)(_.U > taken)).asUInt
  private val (any, first)        = Lowest(io.requests)
  private val (anyLater, nextOne) = Lowest(io.requests & above)
  io.any   := any
  io.index := Mux(anyLater, nextOne, first)
  when(io.take && any)(taken := io.index)
}
