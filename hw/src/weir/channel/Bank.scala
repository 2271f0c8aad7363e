// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import weir.config.WeirConfig

/** The state of one bank: whether a row is open, and what its own timings (tRCD, tRP, tRAS, tRC, tRTP, tWR) allow. The
  * rules between banks and ranks are in [[RankTimers]] and [[BusTimers]], refresh in [[RefreshSequence]].
  *
  * Inputs are the commands in the command register, outputs are for the choice of this cycle's commands: with them taken
  * into account, or where classes rest ([[CommandPhases.classesRest]]) from registers, one cycle later.
  *
  * A bank of an emulated memory takes that memory's times, which are never shorter than those of the DRAM below. A refresh, of
  * which that memory shall see nothing, may close it as soon as the DRAM lets it; in the eyes of all others it is precharged
  * when its own times allow it, and may be activated tRP after that.
  *
  * @param isEmulated whether it is a bank of an emulated memory
  */
class Bank(config: WeirConfig, isEmulated: Boolean = false) extends Module {
  val io = IO(new Bundle {
    val constraints = Input(ConstraintTable.bundle(config))
    val activate    = Input(Bool())
    val read        = Input(Bool())
    val write       = Input(Bool())
    val precharge   = Input(Bool())

    /** A row is open, the commands of this cycle not counted. */
    val open          = Output(Bool())
    val readable      = Output(Bool())
    val writable      = Output(Bool())
    val activatable   = Output(Bool())
    val prechargeable = Output(Bool())

    /** A precharge of all banks breaks no rule of this one, whether a row is open or not. */
    val closable = Output(Bool())

    val emulated = Option.when(isEmulated)(new Bundle {
      val constraints = Input(ConstraintTable.emulatedBundle(config))
      val hiding      = Input(new HidingTimes(ConstraintTable.emulatedWidth(config) + 1))

      /** A precharge of all banks before a refresh breaks no rule of the DRAM. */
      val closable = Output(Bool())

      /** An access of another row than the open one, if there is one, waits for a write or a precharge to end. */
      val keeps = Output(Bool())

      /** It does for as long as a refresh takes. */
      val hides = Output(Bool())
    })
  })

  private val isOpen = RegInit(false.B)
  private val opens  = io.activate || (isOpen && !io.precharge)
  isOpen := opens
  private val open = if (CommandPhases(config).classesRest) isOpen else opens

  private val constraints                    = io.emulated.map(_.constraints).getOrElse(io.constraints)
  private def after(starts: (Bool, String)*) = Countdown(config, constraints)(starts: _*)

  io.open := isOpen
  io.emulated match {
    case None =>
      io.readable    := open && after(io.activate -> "activateToRead")
      io.writable    := open && after(io.activate -> "activateToWrite")
      io.activatable := !open && after(io.precharge -> "prechargeToActivate")
      io.closable    := after(closings: _*)
    case Some(emulated) =>
      val idle = after(io.write -> "writeToAny")
      io.readable := open && idle && after(io.activate -> "activateToRead")
      io.writable := open && idle && after(io.activate -> "activateToWrite")
      io.closable := idle && after(closings: _*)

      // closed for a refresh before its time: precharged when a precharge that was chosen in time would have come
      val early    = RegInit(false.B)
      val inTime   = RegNext(io.closable, true.B)
      val closes   = io.precharge && isOpen || early
      val isClosed = closes && inTime
      early          := closes && !inTime
      io.activatable := !open && !early && after(isClosed -> "prechargeToActivate")

      emulated.closable := Countdown(config, io.constraints)(closings: _*)
      val written = RegInit(false.B)
      written        := io.write || written && !io.activate && !io.read
      emulated.keeps := Mux(open, written && !io.closable, !io.activatable)
      emulated.hides := !Countdown(config, emulated.hiding)(io.write -> "afterWrite", isClosed -> "afterPrecharge")
  }
  private def closings = Seq(
    io.activate -> "activateToPrecharge",
    io.read     -> "readToPrecharge",
    io.write    -> "writeToPrecharge"
  )
  io.prechargeable := open && io.closable
}
