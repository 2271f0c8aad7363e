// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.place.Fence

/** Tells when writes have reached the memory: `mark` marks all writes that are in the write queue, which are all that
  * were `accepted` in a cycle before and are not written, and `pending` lasts until the data of each of them is on the
  * data bus.
  *
  * So a write that is to be in memory before another one is sent, accepted, marked, and no longer pending before the
  * other is sent. A write that is merged into a marked one goes with it. Nothing is hurried: a marked write waits for
  * its drain as any other, which the age limit bounds.
  *
  * Latency: `pending` from the cycle after `mark`.
  */
class WriteFence(config: WeirConfig) extends Module {
  private val depth = config.policies.writeQueue
  // the command is on the DFI at the latest in the cycle after its entry has left the queue, its data the PHY's
  // latency later, and on the bus after CWL and the burst; a cycle more is less than any write after it takes
  private val settle = 2 + config.phy.writeLatency +
    (config.timing.cwl + config.geometry.lineBytes * 8 / config.geometry.dqBits / 2 + config.phy.phases) / config.phy.phases
  val io = IO(new Bundle {

    /** Slots of the write queue that hold a write. */
    val held    = Input(UInt(depth.W))
    val mark    = Input(Bool())
    val pending = Output(Bool())
  })
  private val marked  = Fence(io.mark, io.held)
  private val settles = RegInit(0.U(log2Ceil(settle + 1).W))

  when(io.mark || marked.orR)(settles := settle.U).elsewhen(settles =/= 0.U)(settles := settles - 1.U)
  io.pending := settles =/= 0.U
}
