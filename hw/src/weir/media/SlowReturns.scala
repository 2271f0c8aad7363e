// SPDX-License-Identifier: Apache-2.0
package weir.media

import chisel3._
import chisel3.util._
import weir.channel.ChannelReturn
import weir.config.WeirConfig
import weir.front.LineReturn

/** Holds lines that were read from the NVM region back for so many cycles, so that they come later than those of DRAM, which
  * pass them. Lines held back leave in the order in which they came, each in a cycle in which no other line passes. When one
  * could not leave for [[SlowReturns.patience]] cycles a cycle without a read command is asked for, and again after as many.
  *
  * Lines under way, from their read commands on, are counted, so that there is always room; reads of the region wait for room,
  * others never do.
  *
  * Latency: none for lines that pass; `delay` cycles or more for those of the region, none with a delay of 0 once those that
  * came before have left. Throughput: one line per cycle.
  *
  * @param delayBits width of the delay in controller cycles
  */
class SlowReturns(config: WeirConfig, delayBits: Int) extends Module {
  import SlowReturns._
  private val depth = config.axi.readSlots.max(2 * margin)

  val io = IO(new Bundle {
    val delay = Input(UInt(delayBits.W))

    /** A read command of the region is in the command register: its line will come to `in`. */
    val read = Input(Bool())

    /** The region may have read commands; any rank may. From registers. */
    val mayRead = Output(Bool())
    val anyRead = Output(Bool())

    val in  = Flipped(Valid(new ChannelReturn(config)))
    val out = Valid(new LineReturn(config))
  })

  // longer than any line waits: the delay, and the lines and other ranks' lines that go before
  private val timeBits = delayBits.max(log2Ceil(2 * patience * depth)) + 1
  private val now      = RegInit(0.U(timeBits.W))
  now := now + 1.U

  private class Waiting extends Bundle {
    val came = UInt(timeBits.W)
    val line = new LineReturn(config)
  }
  private val waiting  = Module(new Queue(new Waiting, depth))
  private val head     = waiting.io.deq
  private val ofRegion = io.in.valid && io.in.bits.ofRegion.get
  private val isHeld   = ofRegion && (head.valid || io.delay =/= 0.U)
  private val passes   = io.in.valid && !isHeld

  waiting.io.enq.valid          := isHeld
  waiting.io.enq.bits.came      := now
  waiting.io.enq.bits.line.tag  := io.in.bits.tag
  waiting.io.enq.bits.line.data := io.in.bits.data
  waiting.io.enq.bits.line.lost := io.in.bits.lost
  assert(waiting.io.enq.ready || !isHeld, "SlowReturns: more lines come than there was room for")

  private val due = head.valid && now - head.bits.came >= io.delay
  head.ready       := due && !passes
  io.out.valid     := passes || due
  io.out.bits.tag  := Mux(passes, io.in.bits.tag, head.bits.line.tag)
  io.out.bits.data := Mux(passes, io.in.bits.data, head.bits.line.data)
  io.out.bits.lost := Mux(passes, io.in.bits.lost, head.bits.line.lost)

  private val waited = RegInit(0.U(log2Ceil(patience).W))
  waited     := Mux(due && passes, waited + 1.U, 0.U)
  io.anyRead := RegNext(!waited.andR, true.B)

  private val underWay = RegInit(0.U(log2Ceil(depth + 1).W))
  underWay   := underWay + io.read - (head.fire || ofRegion && passes)
  io.mayRead := RegNext(underWay <= (depth - margin).U, true.B)
}

object SlowReturns {

  /** Reads that may have been chosen and are not counted yet, at most, and a cycle for the count. */
  private val margin = 4

  /** Cycles that a line whose time has come lets others pass; a power of two. */
  private val patience = 16
}
