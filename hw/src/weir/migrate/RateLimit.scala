// SPDX-License-Identifier: Apache-2.0
package weir.migrate

import chisel3._
import weir.config.WeirConfig

/** Lets at most `rate.lines` lines begin in each period of `rate.cycles` cycles, so that the mover takes a bounded
  * part of the bandwidth from demand accesses. Lines that a period leaves over are lost. A change of the rate begins a
  * new period.
  *
  * Latency: none.
  */
class RateLimit(config: WeirConfig) extends Module {
  val io = IO(new Bundle {
    val rate = Input(new MoveRate(config))

    /** Whether a line may begin; one begins. */
    val may    = Output(Bool())
    val begins = Input(Bool())
  })
  private val cycle = RegInit(0.U(16.W))
  private val left  = RegInit(0.U(8.W))
  private val ends  = cycle === 0.U || io.rate.asUInt =/= RegNext(io.rate.asUInt)

  // the first line of a period may begin in its first cycle
  private val now = Mux(ends, io.rate.lines, left)
  cycle  := Mux(ends, io.rate.cycles, cycle) - 1.U
  io.may := now =/= 0.U
  left   := now - (io.begins && io.may)
}
