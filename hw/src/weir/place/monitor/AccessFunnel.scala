// SPDX-License-Identifier: Apache-2.0
package weir.place.monitor

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.place.MonitoredAccess

/** Reads and writes come on two ways, both in the same cycle at most; behind here they go one in each cycle.
  *
  * The channel takes one access in each cycle, a read or a write (see [[weir.channel.Arrivals]]), so that accesses
  * cannot go on in pairs for longer than there are registers before it. Two memories of counters, or one with two write
  * ports, would be for nothing: a queue on each way, four deep, holds what comes at once. What would not fit is not
  * held back either, as counting must not slow down what it counts: it is `dropped`, of which software is told.
  *
  * Latency: one cycle where nothing waits. Throughput: one access per cycle, in turn from both ways.
  */
class AccessFunnel(config: WeirConfig) extends Module {
  private val depth = 4

  val io = IO(new Bundle {
    val in  = Vec(2, Flipped(Valid(new MonitoredAccess(config))))
    val out = Valid(new MonitoredAccess(config))

    /** Accesses of this cycle that find their queue full. */
    val dropped = Output(UInt(2.W))
    val empty   = Output(Bool())
  })

  private val queues = io.in.map { in =>
    val queue = Module(new Queue(new MonitoredAccess(config), depth))
    queue.io.enq.valid := in.valid
    queue.io.enq.bits  := in.bits
    queue
  }
  private val turns = Module(new RRArbiter(new MonitoredAccess(config), 2))
  for ((turn, queue) <- turns.io.in.zip(queues)) turn <> queue.io.deq
  turns.io.out.ready := true.B

  io.out.valid := turns.io.out.valid
  io.out.bits  := turns.io.out.bits
  io.dropped   := PopCount(queues.map(queue => queue.io.enq.valid && !queue.io.enq.ready))
  io.empty     := !queues.map(_.io.deq.valid).reduce(_ || _)
}
