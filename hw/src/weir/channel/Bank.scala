// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import weir.config.WeirConfig

/** The state of one bank: whether a row is open, and what its own timings (tRCD, tRP, tRAS, tRC, tRTP, tWR) allow. The
  * rules between banks and ranks are in [[RankTimers]] and [[BusTimers]], refresh in [[RefreshSequence]].
  *
  * Inputs are the commands in the command register, outputs are for the choice of this cycle's commands: with them taken
  * into account, or where classes rest ([[CommandPhases.rest]]) from registers, one cycle later.
  */
class Bank(config: WeirConfig) extends Module {
  val io = IO(new Bundle {
    val distances = Input(DistanceTable.bundle(config))
    val activate  = Input(Bool())
    val read      = Input(Bool())
    val write     = Input(Bool())
    val precharge = Input(Bool())

    /** A row is open, the commands of this cycle not counted. */
    val open          = Output(Bool())
    val readable      = Output(Bool())
    val writable      = Output(Bool())
    val activatable   = Output(Bool())
    val prechargeable = Output(Bool())

    /** A precharge of all banks breaks no rule of this one, whether a row is open or not. */
    val closable = Output(Bool())
  })

  private val isOpen = RegInit(false.B)
  private val opens  = io.activate || (isOpen && !io.precharge)
  isOpen := opens
  private val open = if (CommandPhases(config).rest) isOpen else opens

  private def after(starts: (Bool, String)*): Bool = Countdown(config, io.distances)(starts: _*)

  io.open        := isOpen
  io.readable    := open && after(io.activate -> "activateToRead")
  io.writable    := open && after(io.activate -> "activateToWrite")
  io.activatable := !open && after(io.precharge -> "prechargeToActivate")
  io.closable    := after(
    io.activate -> "activateToPrecharge",
    io.read     -> "readToPrecharge",
    io.write    -> "writeToPrecharge"
  )
  io.prechargeable := open && io.closable
}
