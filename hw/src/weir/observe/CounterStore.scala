// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3._
import chisel3.util.{UIntToOH, log2Ceil}

/** How counters of a store are latched and read.
  *
  * @param count counters
  * @param bits  width of each; they wrap
  */
class StorePort(count: Int, bits: Int) extends Bundle {

  /** One cycle: take a snapshot of all counters; it holds what they counted before this cycle. */
  val latch = Input(Bool())

  /** The counter whose value in the snapshot is on `value` in the next cycle; 0 before the first snapshot. */
  val index = Input(UInt(log2Ceil(count).W))
  val value = Output(UInt(bits.W))

  /** A counter wraps in this cycle. */
  val wraps = Output(Bool())
}

/** Totals of counters in a memory that one of them can be added to in each cycle, and their snapshot, which is copied on
  * demand: the first time that a total changes after the snapshot, its old value is kept in a second memory.
  *
  * @param at     the counter that is added to in this cycle
  * @param amount what is added, if `adds`
  */
class TotalsMemory(count: Int, bits: Int, latch: Bool, adds: Bool, at: UInt, amount: UInt) {
  private val totals = Mem(count, UInt(bits.W))
  private val added  = RegInit(0.U(count.W))
  private val kept   = Mem(count, UInt(bits.W))
  private val isKept = RegInit(0.U(count.W))

  private val before = Mux(added(at), totals(at), 0.U)
  private val after  = before +& amount
  private val bit    = Mux(adds, UIntToOH(at, count), 0.U)
  when(adds)(totals(at) := after(bits - 1, 0))
  added := added | bit

  // what is added in the cycle of the snapshot is not in it
  when(adds && (latch || !isKept(at)))(kept(at) := before)
  isKept := Mux(latch, 0.U, isKept) | bit

  val wraps: Bool = adds && after(bits)

  private val latched = RegInit(false.B)
  when(latch)(latched := true.B)

  /** The value of a counter in the snapshot; 0 before the first one. */
  def snapshot(index: UInt): UInt =
    Mux(latched, Mux(isKept(index), kept(index), Mux(added(index), totals(index), 0.U)), 0.U)
}
