// SPDX-License-Identifier: Apache-2.0
package weir.place

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.front.LineReturn

/** Puts the returns of two channels into one stream, none of which can be refused.
  *
  * Where one comes and none waits it passes at once; where two come one of them waits in a queue, and so does every
  * other while the queue goes out. The queue holds as many lines as the ports have read slots, which are the reads that
  * can be under way at all. It grows only when two come at once, and the slots that it holds send no reads meanwhile,
  * so a line waits no more cycles than there are slots.
  *
  * Latency: none where nothing else comes. Throughput: one line per cycle.
  */
class ReturnMerge(config: WeirConfig) extends Module {
  val io = IO(new Bundle {
    val in  = Vec(2, Flipped(Valid(new LineReturn(config))))
    val out = Valid(new LineReturn(config))
  })
  private val waiting       = Module(new Queue(new LineReturn(config), config.axi.ports * config.axi.readSlots))
  private val Seq(one, two) = io.in.toSeq
  private val both          = one.valid && two.valid
  private val any           = one.valid || two.valid

  // with both, the first passes and the second waits; with one, it passes only if none waits
  private val passes = both || !waiting.io.deq.valid
  waiting.io.enq.valid := both || any && !passes
  waiting.io.enq.bits  := Mux(two.valid, two.bits, one.bits)
  waiting.io.deq.ready := !passes

  io.out.valid := any || waiting.io.deq.valid
  io.out.bits  := Mux(passes, Mux(one.valid, one.bits, two.bits), waiting.io.deq.bits)

  assert(waiting.io.enq.ready || !waiting.io.enq.valid, "ReturnMerge: more returns than there are read slots")
}
