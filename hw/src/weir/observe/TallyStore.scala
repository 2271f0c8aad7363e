// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3._
import chisel3.util._

/** Counters that may all grow in the same cycle.
  *
  * Wide registers for every counter and its snapshot would outweigh the controller. Instead each counter has a tally of a
  * few bits, and a slot of a memory, into which the tallies are emptied one by one, round and round. A tally is wide enough
  * for one whole round, so nothing is lost. A snapshot copies the tallies at once and the memory on demand
  * ([[TotalsMemory]]).
  *
  * @param most the most that each counter grows by in a cycle
  */
class TallyStore(most: Seq[Int], bits: Int) extends Module {
  private val count = most.size

  val io     = IO(new StorePort(count, bits))
  val growth = IO(Input(MixedVec(most.map(most => UInt(log2Ceil(most + 1).W)))))

  /** The counter whose tally is emptied in this cycle. */
  private val turn    = Counter(true.B, count)._1
  private val tallies = most.zip(growth).zipWithIndex.map { case ((most, growth), number) =>
    val tally = RegInit(0.U(log2Ceil(count * most + 1).W))
    tally := Mux(turn === number.U, 0.U, tally) + growth
    tally
  }
  private val kept   = tallies.map(tally => RegEnable(tally, 0.U(tally.getWidth.W), io.latch))
  private val totals = new TotalsMemory(count, bits, io.latch, true.B, turn, VecInit(tallies)(turn))
  io.wraps := totals.wraps

  private val total = RegNext(totals.snapshot(io.index))
  private val tally = RegNext(VecInit(kept)(io.index))
  io.value := total + tally
}
