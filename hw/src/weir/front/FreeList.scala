// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._

/** Numbers from 0 to `slots` - 1 that are lent out and come back in any order. After reset all are free.
  *
  * Throughput: one out and one in per cycle; a number given back can be taken from the next cycle on.
  */
class FreeList(slots: Int) extends Module {
  private val bits = log2Ceil(slots)
  val io           = IO(new Bundle {
    val take = Decoupled(UInt(bits.W))
    val give = Flipped(Valid(UInt(bits.W)))
  })
  // Numbers that were never lent are counted up, so that the queue need not be filled at reset.
  private val fresh  = RegInit(0.U((bits + 1).W))
  private val unused = !fresh(bits)
  private val back   = Module(new Queue(UInt(bits.W), slots))

  back.io.enq.valid := io.give.valid
  back.io.enq.bits  := io.give.bits
  back.io.deq.ready := io.take.ready && !unused
  io.take.valid     := unused || back.io.deq.valid
  io.take.bits      := Mux(unused, fresh(bits - 1, 0), back.io.deq.bits)
  when(io.take.fire && unused)(fresh := fresh + 1.U)
}
