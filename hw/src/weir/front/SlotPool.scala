// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._

/** Numbers from 0 to `slots` - 1 (a power of two) that are lent out and come back in any order; the lowest free one is next.
  * After reset all are free.
  *
  * Throughput: one out and one in per cycle; a number given back can be taken from the next cycle on.
  */
class SlotPool(slots: Int) extends Module {
  private val bits = log2Ceil(slots)
  val io           = IO(new Bundle {
    val take = Decoupled(UInt(bits.W))
    val give = Flipped(Valid(UInt(bits.W)))

    /** Numbers that are lent out, a bit for each. */
    val used = Output(UInt(slots.W))
  })
  private val used        = RegInit(0.U(slots.W))
  private val (any, slot) = Lowest(~used)

  io.take.valid := any
  io.take.bits  := slot
  io.used       := used

  private val back  = used & ~UIntToOH(io.give.bits, slots)
  private val taken = PriorityEncoderOH(~used)
  used := Mux(io.give.valid, back, used) | Mux(io.take.fire, taken, 0.U)
}
