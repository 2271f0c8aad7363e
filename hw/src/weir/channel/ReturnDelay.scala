// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util.Valid
import weir.config.WeirConfig

/** Holds back every line that was read, so that also what no constraint between commands makes longer takes `factor` times as
  * long: CL, the PHY, and the cycles of the controller itself.
  *
  * A line waits `factor - 1` times as long as a read of an open row takes on an idle controller
  * ([[ReturnDelay.fixedCycles]]), whether it comes from the DRAM or from the write queue ([[HeldLines]]).
  *
  * Lines under way, from their read command, or their answer from the write queue, on, are counted: there is always room for
  * those that come from the DRAM. At any factor as many may be under way as keep the data bus busy; only while a change of
  * the factor is not in force everywhere may there be more, and then read commands wait.
  *
  * Latency: none with factor 1, once the lines that came before have left. Throughput: one line per cycle.
  */
class ReturnDelay(config: WeirConfig) extends Module {
  import ReturnDelay._
  private val depth = 2 * busy(config) + chosen

  val io = IO(new Bundle {
    val factor = Input(UInt(7.W))

    /** A read command is on the DFI, a line is answered from the write queue: it will come to `in`. */
    val read    = Input(Bool())
    val forward = Input(Bool())

    /** A read may be chosen, a line may be answered; from registers. */
    val mayRead    = Output(Bool())
    val mayForward = Output(Bool())

    val in  = Flipped(Valid(new ChannelReturn(config)))
    val out = Valid(new ChannelReturn(config))
  })

  private val longest = (config.policies.timeScaling.greatest - 1) * fixedCycles(config) + depth
  private val lines   = Module(new HeldLines(new ChannelReturn(config), depth, longest))
  private val bits    = lines.io.delay.getWidth
  private val delay   = RegNext(((io.factor - 1.U) * fixedCycles(config).U).pad(bits)(bits - 1, 0), 0.U)
  lines.io.delay := delay
  lines.io.asked := io.read +& io.forward
  lines.io.held  := true.B
  lines.io.in    := io.in
  io.out         := lines.io.out

  io.mayForward := lines.io.underWay < busy(config).U
  io.mayRead    := RegNext(lines.io.underWay <= (depth - chosen).U, true.B)
}

object ReturnDelay {

  /** Controller cycles from the handshake of AR to the first beat of R, of a read of an open row on an idle controller
    * ([[weir.Weir]], [[weir.front.Front]]).
    */
  def fixedCycles(config: WeirConfig): Int =
    config.pipeline.requestToCommand + config.pipeline.dataToAnswer + config.phy.readLatency

  /** Reads that may have been chosen and are not counted yet, at most, and a cycle for the count. */
  private val chosen = 6

  /** Lines under way when the data bus is busy, by Little's law: a line takes `factor` times [[fixedCycles]], and the bus
    * carries no more than one in `factor` cycles. With those that are not counted yet.
    */
  private def busy(config: WeirConfig): Int = fixedCycles(config) + chosen
}
