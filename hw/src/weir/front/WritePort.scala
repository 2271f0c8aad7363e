// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** The write half of a port: bursts and W beats in, independent of each other, line writes out, answers out.
  *
  * Latency: the line is on `writes` in the cycle after its last W beat or its burst was taken, whichever came later.
  * Throughput: one W beat and one line per cycle, also for bursts of one line.
  */
class WritePort(config: WeirConfig) extends Module {
  val io = IO(new Bundle {

    /** This port's number. */
    val port      = Input(UInt(log2Ceil(config.axi.ports).W))
    val bursts    = Flipped(Decoupled(new Burst(config)))
    val beats     = Flipped(Decoupled(new WriteBeat(config)))
    val writes    = Decoupled(new LineWrite(config))
    val accepted  = Input(Bool())
    val responses = Decoupled(new WriteResponse(config))
  })
  private val splitter  = Module(new BurstSplitter(config, passes = false))
  private val gather    = Module(new WriteGather(config))
  private val responses = Module(new WriteResponses(config))

  splitter.io.in <> io.bursts
  gather.io.port := io.port
  gather.io.accesses <> splitter.io.out
  gather.io.beats <> io.beats
  io.writes <> gather.io.writes
  responses.io.owed <> gather.io.owed
  responses.io.accepted := io.accepted
  io.responses <> responses.io.responses
}
