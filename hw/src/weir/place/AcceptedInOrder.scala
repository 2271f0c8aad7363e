// SPDX-License-Identifier: Apache-2.0
package weir.place

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** Reports the writes that two channels accept in the order in which they were sent, whatever channel is quicker.
  *
  *   - `sent`: a write goes to this channel; only while `ready`.
  *   - `in`: the oldest write sent to that channel and not yet accepted is accepted, in the cycle in which it was sent or later.
  *   - `out`: the oldest write of all is accepted; its port.
  *
  * Latency: none where a write is accepted before younger ones. Throughput: one write per cycle.
  */
class AcceptedInOrder(config: WeirConfig) extends Module {
  private val depth    = 8
  private val portBits = new PlacedWrite(config).port.getWidth
  val io               = IO(new Bundle {
    val sent = Flipped(Decoupled(new Bundle {
      val channel = UInt(1.W)
      val port    = UInt(portBits.W)
    }))
    val in  = Input(Vec(2, Bool()))
    val out = Valid(UInt(portBits.W))
  })
  private val order  = Module(new Queue(chiselTypeOf(io.sent.bits), depth, flow = true))
  private val oldest = order.io.deq.bits
  order.io.enq <> io.sent

  // writes accepted and not yet reported
  private val early = RegInit(VecInit.fill(2)(0.U(log2Ceil(depth + 1).W)))
  for ((count, channel) <- early.zipWithIndex)
    count := count + io.in(channel) - (order.io.deq.fire && oldest.channel === channel.U)

  order.io.deq.ready := early(oldest.channel) =/= 0.U || io.in(oldest.channel)
  io.out.valid       := order.io.deq.fire
  io.out.bits        := oldest.port
}
