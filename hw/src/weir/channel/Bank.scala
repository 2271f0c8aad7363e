// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import weir.config.WeirConfig

/** The state of one bank: which row is open, and what its own timings (tRCD, tRP, tRAS, tRC, tRTP, tWR) allow.
  *
  * All outputs come from registers; a command given in one cycle shows in the next. The rules between banks and ranks are
  * in [[RankTimers]] and [[BusTimers]], refresh in [[RefreshSequence]].
  */
class Bank(config: WeirConfig) extends Module {
  val io = IO(new Bundle {
    val distances = Input(DistanceTable.bundle(config))
    val activate  = Input(Bool())
    val row       = Input(UInt(config.geometry.rowBits.W))
    val read      = Input(Bool())
    val write     = Input(Bool())
    val precharge = Input(Bool())

    val open          = Output(Bool())
    val openRow       = Output(UInt(config.geometry.rowBits.W))
    val readable      = Output(Bool())
    val writable      = Output(Bool())
    val activatable   = Output(Bool())
    val prechargeable = Output(Bool())
  })

  private val width   = DistanceTable.width(config)
  private val open    = RegInit(false.B)
  private val openRow = Reg(UInt(config.geometry.rowBits.W))

  private val untilRead      = new Countdown(width)
  private val untilWrite     = new Countdown(width)
  private val untilPrecharge = new Countdown(width)
  private val untilActivate  = new Countdown(width)

  when(io.activate) {
    open    := true.B
    openRow := io.row
    untilRead.start(io.distances.activateToRead)
    untilWrite.start(io.distances.activateToWrite)
    untilPrecharge.start(io.distances.activateToPrecharge)
  }
  when(io.read)(untilPrecharge.start(io.distances.readToPrecharge))
  when(io.write)(untilPrecharge.start(io.distances.writeToPrecharge))
  when(io.precharge) {
    open := false.B
    untilActivate.start(io.distances.prechargeToActivate)
  }

  io.open          := open
  io.openRow       := openRow
  io.readable      := open && untilRead.ready
  io.writable      := open && untilWrite.ready
  io.activatable   := !open && untilActivate.ready
  io.prechargeable := untilPrecharge.ready
}
