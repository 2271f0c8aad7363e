// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._

/** A reverse register slice: `in.ready` comes from a register, so that no path leads from `out.ready` to it. What arrives
  * while `out` is not ready waits in a spare register. Latency: none. Throughput: one per cycle.
  *
  * It is what `Queue(in, 1, flow = true)` is, but a register for each field: a queue keeps all fields in one word, and the
  * constant ones, as the number of the only port, would cost gates from there on.
  */
class ReverseSlice[T <: Data](gen: T) extends Module {
  val io = IO(new Bundle {
    val in  = Flipped(Decoupled(gen))
    val out = Decoupled(gen)
  })
  private val held  = RegInit(false.B)
  private val spare = RegEnable(io.in.bits, !held)

  io.in.ready  := !held
  io.out.valid := held || io.in.valid
  io.out.bits  := Mux(held, spare, io.in.bits)
  held         := io.out.valid && !io.out.ready
}

object ReverseSlice {
  def apply[T <: Data](in: DecoupledIO[T]): DecoupledIO[T] = {
    val slice = Module(new ReverseSlice(chiselTypeOf(in.bits)))
    slice.io.in <> in
    slice.io.out
  }
}
