// SPDX-License-Identifier: Apache-2.0
package weir.place.monitor

import chisel3._
import chisel3.util._

/** When counters count: `start` clears them and begins an interval, which ends after `cycles`.
  *
  * States: `idle`, the counters stand still and can be read; `clearing`, until all are 0; `counting`, for `cycles` (at
  * least one); `draining`, until the accesses that came in time are counted too. Then `ended` is high for one cycle,
  * and the counters stand still, or if `periodic` are cleared for the next interval. `start` in the middle of an
  * interval begins another one instead, and `stop` ends it at once, both without `ended`; of both in one cycle `start`
  * counts. `cycles` may change at any time: an interval that has lasted as long ends.
  */
class IntervalTimer extends Module {
  val io = IO(new Bundle {
    val start    = Input(Bool())
    val stop     = Input(Bool())
    val periodic = Input(Bool())
    val cycles   = Input(UInt(32.W))

    /** What is counted: whether an access is on its way to a counter, one cycle to begin to clear, and whether that
      * goes on.
      */
    val busy     = Input(Bool())
    val clear    = Output(Bool())
    val clearing = Input(Bool())

    val state = Output(IntervalState())
    val ended = Output(Bool())
  })
  import IntervalState._

  private val state   = RegInit(idle)
  private val goesOn  = RegInit(false.B)
  private val tells   = Reg(Bool())
  private val elapsed = Reg(UInt(32.W))

  io.state := state
  io.clear := false.B
  io.ended := false.B

  private def begin(): Unit = {
    state    := clearing
    goesOn   := true.B
    io.clear := true.B
  }
  private def end(andThen: Bool, tell: Bool): Unit = {
    state  := draining
    goesOn := andThen
    tells  := tell
  }

  switch(state) {
    is(idle) {
      when(io.start)(begin())
    }
    is(clearing) {
      when(io.start)(goesOn := true.B).elsewhen(io.stop)(goesOn := false.B)
      elapsed := 0.U
      when(!io.clearing)(state                                  := Mux(io.start || goesOn && !io.stop, counting, idle))
    }
    is(counting) {
      elapsed := elapsed + 1.U
      when(io.start || io.stop)(end(io.start, tell = false.B))
        .elsewhen(elapsed +& 1.U >= io.cycles)(end(io.periodic, tell = true.B))
    }
    is(draining) {
      when(io.start || io.stop)(goesOn := io.start)
      when(!io.busy) {
        io.ended := tells
        when(io.start || goesOn && !io.stop)(begin()).otherwise(state := idle)
      }
    }
  }
}

/** States of [[IntervalTimer]]. */
object IntervalState extends ChiselEnum {
  val idle, clearing, counting, draining = Value
}
