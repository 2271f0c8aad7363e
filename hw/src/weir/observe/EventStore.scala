// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3._
import chisel3.util._

/** Counters of which at most one grows in a cycle, and by one: they need no tallies, and cost little but memory. */
class EventStore(count: Int, bits: Int) extends Module {
  val io = IO(new StorePort(count, bits))

  /** The counters that grow, one-hot. */
  val grows = IO(Input(UInt(count.W)))
  assert(PopCount(grows) <= 1.U, "EventStore: two counters of which only one can grow did")

  // the event is decoded in one cycle and added in the next
  private val at    = RegNext(OHToUInt(grows))
  private val adds  = RegNext(grows.orR, false.B)
  private val latch = RegNext(io.latch, false.B)

  private val totals = new TotalsMemory(count, bits, latch, adds, at, 1.U)
  io.wraps := totals.wraps
  io.value := RegNext(totals.snapshot(io.index))
}
