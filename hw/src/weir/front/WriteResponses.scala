// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** A step towards the answer of a write burst. */
class OwedResponse(config: WeirConfig) extends Bundle {
  val id       = UInt(config.axi.idBits.W)
  val response = UInt(2.W)

  /** Whether it stands for a line, which must be accepted first. */
  val line = Bool()

  /** Whether the burst is answered with it. */
  val last = Bool()
}

/** A beat of the B channel. */
class WriteResponse(config: WeirConfig) extends Bundle {
  val id       = UInt(config.axi.idBits.W)
  val response = UInt(2.W)
}

/** Answers write bursts in the order of their addresses, each when all of its lines have been accepted, that is when every
  * later read will see them.
  *
  * Latency: B is valid in the cycle after the burst's last line was accepted. Throughput: an answer and a line per cycle.
  * At most `depth` lines may be sent and not yet accepted and answered.
  */
class WriteResponses(config: WeirConfig) extends Module {
  private val depth = 16
  val io            = IO(new Bundle {
    val owed = Flipped(Decoupled(new OwedResponse(config)))

    /** The oldest line that was sent and not yet accepted is accepted. */
    val accepted  = Input(Bool())
    val responses = Decoupled(new WriteResponse(config))
  })
  private val steps = Queue(io.owed, depth)
  private val step  = steps.bits

  // Lines accepted whose step is still queued.
  private val credits = RegInit(0.U(log2Ceil(depth + 1).W))
  private val valid   = RegInit(false.B)
  private val out     = Reg(new WriteResponse(config))
  private val load    = !valid || io.responses.ready
  private val reached = !step.line || credits =/= 0.U || io.accepted
  private val spends  = steps.fire && step.line
  steps.ready := reached && (!step.last || load)
  credits     := credits + io.accepted - spends

  when(load) {
    valid        := steps.valid && reached && step.last
    out.id       := step.id
    out.response := step.response
  }
  io.responses.valid := valid
  io.responses.bits  := out
}
