// SPDX-License-Identifier: Apache-2.0
package weir.media

import chisel3._
import chisel3.util._
import weir.channel.{ChannelReturn, HeldLines}
import weir.config.WeirConfig
import weir.front.LineReturn

/** Holds lines that were read from the NVM region back for so many cycles, so that they come later than those of DRAM, which
  * pass them ([[weir.channel.HeldLines]]). When one could not leave for [[SlowReturns.patience]] cycles a cycle without a read
  * command is asked for, and again after as many.
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

  private val longest = ((1 << delayBits) - 1).max(2 * patience * depth - 1)
  private val lines   = Module(new HeldLines(new LineReturn(config), depth, longest))
  lines.io.delay        := io.delay
  lines.io.asked        := io.read
  lines.io.held         := io.in.bits.ofEmulated.get
  lines.io.in.valid     := io.in.valid
  lines.io.in.bits.tag  := io.in.bits.tag
  lines.io.in.bits.data := io.in.bits.data
  lines.io.in.bits.lost := io.in.bits.lost
  io.out                := lines.io.out

  private val waited = RegInit(0.U(log2Ceil(patience).W))
  waited     := Mux(lines.io.waits, waited + 1.U, 0.U)
  io.anyRead := RegNext(!waited.andR, true.B)
  io.mayRead := RegNext(lines.io.underWay <= (depth - margin).U, true.B)
}

object SlowReturns {

  /** Reads that may have been chosen and are not counted yet, at most, and a cycle for the count. */
  private val margin = 4

  /** Cycles that a line whose time has come lets others pass; a power of two. */
  private val patience = 16
}
