// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util._

/** Lines that were read, some of which are held back for so many cycles while the others pass them. Those held leave in the
  * order in which they came, each in a cycle in which no other passes. Times of entry are kept, not due times, so that another
  * delay holds for lines that wait already: when it falls, those that have waited for long enough leave one after the other.
  *
  * Whoever asks for lines that will be held counts them here, from their command on, so that there is always room for them.
  *
  * Latency: none for lines that pass; `delay` cycles or more for those held, none with a delay of 0 once those that came before
  * have left. Throughput: one line per cycle.
  *
  * @param line    what comes and leaves
  * @param depth   lines that may be held
  * @param longest cycles that a line waits at most, those that go before it included
  */
class HeldLines[T <: Data](line: T, depth: Int, longest: Int) extends Module {
  private val timeBits = log2Ceil(longest + 1) + 1

  val io = IO(new Bundle {
    val delay = Input(UInt((timeBits - 1).W))

    /** Lines that will be held are asked for, in this cycle. */
    val asked = Input(UInt(2.W))

    /** Lines that were asked for and have not left. From a register. */
    val underWay = Output(UInt(log2Ceil(depth + 1).W))

    val in = Flipped(Valid(line))

    /** The line that comes is one of those that are held. */
    val held = Input(Bool())
    val out  = Valid(line)

    /** A line whose time has come lets another pass. */
    val waits = Output(Bool())
  })

  private val now = RegInit(0.U(timeBits.W))
  now := now + 1.U

  private class Waiting extends Bundle {
    val came = UInt(timeBits.W)
    val line = chiselTypeOf(io.in.bits)
  }
  private val waiting = Module(new Queue(new Waiting, depth))
  private val head    = waiting.io.deq
  private val ofHeld  = io.in.valid && io.held
  private val enters  = ofHeld && (head.valid || io.delay =/= 0.U)
  private val passes  = io.in.valid && !enters

  waiting.io.enq.valid     := enters
  waiting.io.enq.bits.came := now
  waiting.io.enq.bits.line := io.in.bits
  assert(waiting.io.enq.ready || !enters, "HeldLines: more lines come than there was room for")

  private val due = head.valid && now - head.bits.came >= io.delay
  head.ready   := due && !passes
  io.out.valid := passes || due
  io.out.bits  := Mux(passes, io.in.bits, head.bits.line)
  io.waits     := due && passes

  private val underWay = RegInit(0.U(log2Ceil(depth + 1).W))
  underWay    := underWay + io.asked - (head.fire || ofHeld && passes)
  io.underWay := underWay
}
