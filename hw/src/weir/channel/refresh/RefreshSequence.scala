// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import chisel3._
import chisel3.util._
import weir.channel.{ConstraintTable, RankOperation}
import weir.config.WeirConfig

/** Carries one refresh of one rank out: keeps other commands away from the rank (`blocks`), waits until its banks may be
  * precharged, closes them all, refreshes, and waits for tRFC, or tRFC2 or tRFC4 of a part. When another is wanted by then,
  * it follows at once. After every `refreshesToCalibrate`-th whole refresh a short ZQ calibration follows, with tZQCS.
  *
  * With `close` the rank is closed in the same way, after what is under way and a refresh that is wanted, and stays so; when
  * `close` falls all its banks are precharged again, whatever has become of them.
  *
  * Where groups of banks of a rank refresh apart, a calibration is still of the whole rank: the first group counts for all,
  * and when it has one due it waits, with its banks closed, until the others have closed theirs too.
  *
  * Latency from `wanted` to the refresh command on an idle rank with its banks closed: 2 cycles.
  *
  * @param counts whether calibrations follow from the refreshes counted here, not from those of another group
  */
class RefreshSequence(config: WeirConfig, shares: RefreshShares, counts: Boolean = true) extends Module {
  val io = IO(new Bundle {
    val constraints = Input(ConstraintTable.bundle(config))
    val wanted      = Input(Bool())

    /** Granularity of what is wanted (0: 1x, 1: 2x, 2: 4x); that of the refresh that goes out. */
    val granularity = Input(UInt(2.W))
    val part        = Output(UInt(2.W))

    /** The refresh that goes out completes a whole one. */
    val completes = Input(Bool())

    /** The rank is to be closed, and to stay so; it is. */
    val close  = Input(Bool())
    val closed = Output(Bool())

    /** Every bank of the rank may be precharged. */
    val prechargeable = Input(Bool())

    val command = Decoupled(RankOperation())

    /** No access of the rank may have a command. */
    val blocks = Output(Bool())

    /** The refresh command goes out in this cycle. */
    val refresh = Output(Bool())

    val calibration = Option.when(config.refreshGroups)(new Bundle {

      /** This group waits for the calibration; another one does, or all do. */
      val waits  = Output(Bool())
      val called = Input(Bool())
      val all    = Input(Bool())

      /** The calibration goes out in this cycle. */
      val goes = Input(Bool())
    })
  })

  private object State extends ChiselEnum {
    val idle, close, closing, closed, refresh, refreshing, calibrate, calibrating = Value
  }
  private val state     = RegInit(State.idle)
  private val countBits = {
    import io.constraints.{calibrateToActivate, prechargeToRefresh, refreshToActivate}
    Seq(refreshToActivate, prechargeToRefresh, calibrateToActivate).map(_.getWidth).max
  }
  private val count        = Reg(UInt(countBits.W))
  private val sinceZq      = RegInit(0.U(20.W))
  private val calibrateDue = RegInit(false.B)

  io.command.valid := false.B
  io.command.bits  := RankOperation.refresh
  io.blocks        := state =/= State.idle
  io.closed        := state === State.closed
  io.refresh       := state === State.refresh && io.command.fire

  private def waitFor(cycles: UInt, next: State.Type): Unit = {
    count := cycles
    state := next
  }
  private val waited = count <= 2.U

  private val called = io.calibration.map(_.called).getOrElse(false.B)
  io.calibration.foreach(_.waits := state === State.calibrate)

  // without refreshes in parts they are all whole, and two never follow each other but to catch up
  import shares.inParts
  private val part  = if (inParts) RegInit(0.U(2.W)) else WireInit(0.U(2.W))
  private val again = if (inParts) Mux(io.wanted, State.refresh, State.idle) else State.idle
  io.part := part
  if (inParts) when((state === State.idle || state === State.refreshing) && io.wanted)(part := io.granularity)
  private val refreshTime =
    if (!inParts) io.constraints.refreshToActivate
    else
      MuxLookup(part, io.constraints.refreshToActivate)(
        Seq(1.U -> io.constraints.halfRefreshToActivate, 2.U -> io.constraints.quarterRefreshToActivate)
      )
  when(count =/= 0.U)(count := count - 1.U)

  switch(state) {
    is(State.idle)(when(io.wanted || called || io.close)(state := State.close))
    is(State.close) {
      // all banks, even if none is open: then tRP counts from here for all of them
      io.command.valid := io.prechargeable
      io.command.bits  := RankOperation.prechargeAll
      when(io.command.fire)(waitFor(io.constraints.prechargeToRefresh, State.closing))
    }
    is(State.closing) {
      val stays = io.close && !io.wanted
      when(waited)(state := Mux(called, State.calibrate, Mux(stays, State.closed, State.refresh)))
    }
    is(State.closed) {
      // tRP before what follows: banks that are closed anyway are taken to be ready until the precharge has reached them
      io.command.valid := !io.close && io.prechargeable
      io.command.bits  := RankOperation.prechargeAll
      when(io.command.fire)(waitFor(io.constraints.prechargeToRefresh, State.calibrating))
      if (config.refreshGroups) when(called)(state := State.calibrate)
    }
    is(State.refresh) {
      io.command.valid := true.B
      when(io.command.ready) {
        waitFor(refreshTime, State.refreshing)
        if (counts) when(io.completes) {
          sinceZq      := sinceZq + 1.U
          calibrateDue := io.constraints.refreshesToCalibrate =/= 0.U &&
            sinceZq + 1.U >= io.constraints.refreshesToCalibrate
        }
      }
    }
    is(State.refreshing)(when(waited)(state := Mux(calibrateDue || called, State.calibrate, again)))
    is(State.calibrate) {
      io.command.valid := io.calibration.map(_.all).getOrElse(true.B)
      io.command.bits  := RankOperation.calibrate
      when(io.calibration.map(_.goes).getOrElse(io.command.ready)) {
        waitFor(io.constraints.calibrateToActivate, State.calibrating)
        sinceZq      := 0.U
        calibrateDue := false.B
      }
    }
    is(State.calibrating)(when(waited)(state := State.idle))
  }
}
