// SPDX-License-Identifier: Apache-2.0
package weir.media

import chisel3._
import chisel3.util.log2Ceil
import weir.config.WeirConfig

/** Caps the bandwidth of the NVM region, reads and writes together: a leaky bucket into which each line puts `cycles` (times
  * the factor of the time scale), and out of which each cycle takes `lines`. The region may have column commands while the
  * bucket holds less than one line, so that in the long run not a cycle is lost or won, where a line takes no less than the
  * three cycles in which one that is chosen shows here. What is chosen before a line that went shows here is put on top and
  * paid for: of lines that gathered at most `burst` go at once.
  *
  * The bucket holds what the cap in force can have put into it and no more: nothing while there is no cap, and never more than
  * `burst` lines at their present price. So whatever a change of the cap, of the factor, or of the region's `enable` finds in
  * it, the region waits no longer for its next line than the new cap takes for `burst` lines.
  *
  * Latency: a line counts two cycles after it is seen.
  */
class BandwidthCap(config: WeirConfig) extends Module {
  private val factorBits = if (config.policies.timeScaling.isThere) 7 else 1
  private val costBits   = BandwidthControl.cycleBits + factorBits

  val io = IO(new Bundle {
    val control = Input(new BandwidthControl)
    val factor  = Input(UInt(factorBits.W))

    /** A column command of the region is in the command register. */
    val line = Input(Bool())

    /** Another may be chosen; from a register. */
    val mayGo = Output(Bool())
  })

  private val cost  = RegNext(io.control.cycles * io.factor, 0.U(costBits.W))
  private val lines = RegNext(io.control.lines, 0.U)
  private val held  = RegInit(0.U((costBits + log2Ceil(BandwidthCap.burst)).W))
  private val level = held +& Mux(io.line, cost, 0.U)
  private val left  = Mux(level > lines, level - lines, 0.U)
  private val most  = cost << log2Ceil(BandwidthCap.burst)
  private val none  = lines === 0.U
  held     := Mux(none, 0.U, Mux(left > most, most, left)(held.getWidth - 1, 0))
  io.mayGo := RegNext(held < cost || none, true.B)
}

object BandwidthCap {

  /** Lines that go at once at most: the one that finds the bucket empty, one for which it holds less than a line, and those
    * that are chosen in the cycles until these show. A power of two.
    */
  val burst: Int = 4
}
