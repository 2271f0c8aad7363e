// SPDX-License-Identifier: Apache-2.0
package weir.place.remap

import chisel3._
import chisel3.util._

/** Lets accesses of three kinds share one way: `tables`, which a demand access waits for, before `demand` before `mover`; but
  * `mover` has a turn when it has waited for [[LineArbiter.patience]] cycles. Of `tables` there are few, so nobody starves.
  * Latency: none. Throughput: one per cycle.
  */
class LineArbiter[T <: Data](gen: T) extends Module {
  val io = IO(new Bundle {
    val tables = Flipped(Decoupled(gen))
    val demand = Flipped(Decoupled(gen))
    val mover  = Flipped(Decoupled(gen))
    val out    = Decoupled(gen)
  })
  private val waited = RegInit(0.U(log2Ceil(LineArbiter.patience + 1).W))
  private val turn   = waited === LineArbiter.patience.U
  when(!io.mover.valid || io.mover.ready)(waited := 0.U).elsewhen(!turn)(waited := waited + 1.U)

  private val moverFirst = turn && io.mover.valid
  io.tables.ready := io.out.ready
  io.demand.ready := io.out.ready && !io.tables.valid && !moverFirst
  io.mover.ready  := io.out.ready && !io.tables.valid && (turn || !io.demand.valid)
  io.out.valid    := io.tables.valid || io.demand.valid || io.mover.valid
  io.out.bits     := Mux(
    io.tables.valid,
    io.tables.bits,
    Mux(io.demand.valid && !moverFirst, io.demand.bits, io.mover.bits)
  )
}

object LineArbiter {

  /** Cycles that the accesses of a page move wait for demand accesses, at most, where the channel takes one in each. */
  val patience: Int = 16
}
