// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util.Fill

/** Which of the entries of a queue came before which, as a matrix of bits: an entry stays in its slot, and no slot is
  * compared with another. What is told of a slot is right while it holds an entry.
  *
  * @param depth slots
  * @param half  each pair of slots has one bit, for less area; else two, so that a simulator works on whole rows, which halves
  *              its time in a long queue
  */
class ArrivalOrder(depth: Int, half: Boolean) extends Module {
  val io = IO(new Bundle {

    /** The slot that an entry comes into, one-hot or none; it is the youngest from the next cycle on. */
    val taken = Input(UInt(depth.W))

    /** For each slot those whose entries came before its own. */
    val before = Output(Vec(depth, UInt(depth.W)))
  })

  private val cameBefore = Seq.tabulate(depth)(slot => Reg(UInt((if (half) slot else depth).W)))
  for (slot <- 0 until depth) {
    val others = cameBefore(slot)
    others.suggestName(s"cameBefore_$slot")
    if (half) {
      others          := Mux(io.taken(slot), ((BigInt(1) << slot) - 1).U, others & ~io.taken)
      io.before(slot) := VecInit
        .tabulate(depth) { other =>
          if (other < slot) others(other) else if (other > slot) !cameBefore(other)(slot) else false.B
        }
        .asUInt
    } else {
      others          := (Fill(depth, io.taken(slot)) | others & ~io.taken) & ~(BigInt(1) << slot).U(depth.W)
      io.before(slot) := others
    }
  }
}
