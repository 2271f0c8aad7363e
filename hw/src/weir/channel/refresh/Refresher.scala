// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import chisel3._
import chisel3.experimental.noPrefix
import chisel3.util._
import weir.channel.{ChannelControl, ConstraintTable, RankOperation, TimeSteps}
import weir.config.WeirConfig

/** A command that a refresh takes: precharge of all banks, refresh, calibration. */
class RefreshCommand(config: WeirConfig) extends Bundle {
  val operation = RankOperation()
  val rank      = UInt(config.geometry.rankBits.W)

  /** A refresh of 2x or 4x granularity, as on-the-fly mode has it (JESD79-4B 4.9.2). */
  val part = Bool()
}

/** What is to be known of a rank for its refreshes. */
class RankActivity extends Bundle {

  /** No access of the rank wants to go now. */
  val idle = Bool()

  /** Reads of the rank fill at least half of its share of the read queue. */
  val busy = Bool()

  /** Every bank of the rank may be precharged. */
  val prechargeable = Bool()
}

/** What a channel and the others know of each other's refreshes. */
class RefreshTurns(config: WeirConfig) extends Bundle {

  /** Which channel this is; a constant. */
  val channel = Input(UInt(config.channelBits.W))

  /** Each rank of the channel owes a whole refresh. */
  val owes = Output(Bool())

  /** So does each of the other channels; from a register. */
  val othersOwe = Input(Bool())
}

/** Refreshes all ranks of a channel as the policy in force wants it ([[RefreshPolicy]]): "rank" in this package is what is
  * refreshed apart ([[WeirConfig.refreshedApart]]), a rank, or a pseudo-rank if the DRAM can do so or beyond JEDEC.
  *
  * For each rank a debt counts what is owed and a sequence carries one refresh out. What a policy wants, or the limit of
  * postponing whatever the policy (but for one that never refreshes), becomes a refresh if the budget allows it, in parts only
  * if the DRAM can do that, and as the part of a whole refresh that has been begun until that is complete. So policies and
  * limits may change in any cycle.
  *
  * Latency: four cycles at most from a share that falls due to the start of a sequence, two more to the refresh of an idle
  * rank with its banks closed.
  */
class Refresher(config: WeirConfig) extends Module {
  private val ranks    = config.refreshedApart
  private val policies = RefreshPolicy.offered(config)
  private val shares   = RefreshShares(config)

  val io = IO(new Bundle {
    val control     = Input(new ChannelControl(config))
    val constraints = Input(ConstraintTable.bundle(config))
    val activity    = Input(Vec(ranks, new RankActivity))
    val steps       = Option.when(config.policies.timeScaling.isThere)(Input(new TimeSteps))

    /** Ranks whose refreshes are hidden ([[HiddenRefresh]]), of which `kept` is told. */
    val hidden = config.emulated.map(_ =>
      Input(new Bundle {
        val hides = UInt(ranks.W)
        val kept  = UInt(ranks.W)
      })
    )

    /** Where sets of banks are refreshed by themselves: the rules between them, and of activates, let one be. */
    val refreshable = Option.when(config.sameBankRefresh)(Input(Bool()))

    /** Where there are several channels. */
    val turns = Option.when(config.channels > 1)(new RefreshTurns(config))

    val command = Decoupled(new RefreshCommand(config))

    /** All ranks are to be closed, and to stay so; they are. */
    val close  = Input(Bool())
    val closed = Output(Bool())

    /** No access of these ranks may have a command. */
    val blocks = Output(UInt(ranks.W))

    /** Accesses of these ranks should go first: a refresh that waits for none falls due soon. */
    val first = Output(UInt(ranks.W))

    /** A refresh of the rank goes out in this cycle; one because the limit of postponing was reached. */
    val refresh = Output(Vec(ranks, Bool()))
    val forced  = Output(Vec(ranks, Bool()))
  })

  // a refresh shows in what is wanted four cycles later
  private val shortest = ConstraintTable.shortestRefresh(config, shares.inParts)
  require(shortest >= 5, s"${config.name}: the shortest refresh takes $shortest controller cycles: must be at least 5")

  private val counts   = io.steps.map(_.policy).getOrElse(true.B)
  private val timeRuns = io.steps.map(_.refresh).getOrElse(true.B)

  private def inForce[D <: Data](of: RefreshPolicy => D): D =
    if (policies.size == 1) of(policies.head)
    else
      MuxLookup(io.control.refresh.policy, of(policies.head))(
        policies.map(policy => policy.code.U -> of(policy))
      )

  private val refreshing = inForce(_.refreshes.B)

  // of sets of banks none has a second refresh before all others had theirs (JESD79-5 4.10.3); one that is forced waits for
  // none for long: those that had one less were forced before it
  private val done = Option.when(config.sameBankRefresh)(RegInit(0.U(ranks.W)))

  private val pullsIn   = policies.exists(_.pullsIn)
  private val pace      = Module(new RefreshClock(config, shares))
  private val debts     = Seq.tabulate(ranks)(rank => Module(new RefreshDebt(config, shares, rank, pullsIn)))
  private val sequences = Seq.tabulate(ranks)(rank =>
    Module(new RefreshSequence(config, shares, counts = rank == 0 || !config.refreshGroups))
  )
  private val refreshes = VecInit(sequences.map(_.io.refresh))
  private val enough    =
    if (!pullsIn) VecInit(Seq.fill(ranks)(true.B))
    else {
      val budget = Module(new RefreshBudget(config, shares))
      budget.io.refresh := refreshes
      budget.io.paid    := VecInit(sequences.map(sequence => shares.of(sequence.io.part)))
      budget.io.run     := timeRuns
      budget.io.enough
    }

  for (sets <- done) {
    val next = sets | refreshes.asUInt
    sets := Mux(next.andR, 0.U, next)
  }

  pace.io.interval := io.constraints.refreshInterval
  pace.io.run      := refreshing && timeRuns
  pace.io.ahead    := io.control.refresh.drainAhead

  private val granularity = if (shares.inParts) io.control.refresh.granularity else 0.U(2.W)
  private val owes        = VecInit(debts.map(_.io.owed >= shares.whole.S)).asUInt.andR
  private val allOwe      = io.turns.foldLeft(owes)((all, turns) => all && turns.othersOwe)
  for (turns <- io.turns) {
    turns.owes := owes
    (pace.io.channel ++ debts.flatMap(_.io.channel)).foreach(_ := turns.channel)
  }

  // steps of the idle time, common to all ranks
  private val elapsed = RegInit(0.U(io.control.refresh.idle.getWidth.W))
  private val step    = elapsed >= io.control.refresh.idle - 1.U
  when(counts)(elapsed := Mux(step, 0.U, elapsed + 1.U))

  private val first = for (rank <- 0 until ranks) yield {
    val debt     = debts(rank).io
    val sequence = sequences(rank).io
    val activity = io.activity(rank)

    val quiet = RegInit(0.U(5.W))
    when(!activity.idle)(quiet := 0.U).elsewhen(step && counts && !quiet.andR)(quiet := quiet + 1.U)

    debt.due         := pace.io.due
    debt.postpone    := io.control.refresh.postpone
    debt.pullIn      := io.control.refresh.pullIn
    debt.refresh     := sequence.refresh
    debt.granularity := sequence.part

    val view = RefreshView(
      whole = shares.whole,
      part = shares.of(granularity),
      owed = debt.owed,
      postpone = io.control.refresh.postpone,
      forced = debt.forced,
      mayPullIn = debt.mayPullIn,
      begun = debt.begun,
      allOwe = allOwe,
      turn = pace.io.turn(rank),
      idle = activity.idle,
      quiet = quiet,
      busy = activity.busy
    )
    val inPart = inForce(_.inPart(view))
    sequence.constraints := io.constraints
    def wants(byPolicy: Bool): Bool = io.hidden.foldLeft(byPolicy) { (other, hidden) =>
      Mux(hidden.hides(rank), HiddenRefresh.wants(view, hidden.kept(rank)), other)
    }
    sequence.close := io.close
    debt.held      := sequence.closed
    // what is forced waits for no policy, so that no change of it, from one that is ahead to one that waits, comes too late;
    // what can wait does not keep the ranks from being closed
    val mayGo = debt.forced || wants(inForce(_.wants(view))) && !io.close
    val turn  = done.map(!_(rank)).getOrElse(true.B)
    sequence.wanted        := RegNext(mayGo && refreshing && enough(rank) && turn, false.B)
    sequence.granularity   := RegNext(Mux(debt.begun, debt.begunGranularity, Mux(inPart, granularity, 0.U)), 0.U)
    sequence.completes     := debt.completes
    sequence.prechargeable := activity.prechargeable

    io.refresh(rank) := sequence.refresh
    io.forced(rank)  := sequence.refresh && debt.forced
    RegNext(pace.io.near && refreshing && (debt.nearlyForced || inForce(_.nearlyDue(view))), false.B)
  }
  io.first  := VecInit(first).asUInt
  io.blocks := VecInit(sequences.map(_.io.blocks)).asUInt
  io.closed := sequences.map(_.io.closed).reduce(_ && _)

  // sets of banks of one rank wait for each other, each in its turn, so that none waits for more than all others once
  private val commands = noPrefix {
    if (config.sameBankRefresh) Module(new RRArbiter(RankOperation(), ranks)).suggestName("commands").io
    else Module(new Arbiter(RankOperation(), ranks)).suggestName("commands").io
  }
  for ((in, sequence) <- commands.in.zip(sequences)) {
    in <> sequence.io.command
    for (may <- io.refreshable) {
      val goes = may || sequence.io.command.bits =/= RankOperation.refresh
      in.valid                  := sequence.io.command.valid && goes
      sequence.io.command.ready := in.ready && goes
    }
  }
  commands.out.ready        := io.command.ready
  io.command.valid          := commands.out.valid
  io.command.bits.operation := commands.out.bits
  io.command.bits.rank      := commands.chosen

  // groups of banks that refresh apart are calibrated together
  private val toCalibrate = sequences.flatMap(_.io.calibration)
  for (calibration <- toCalibrate) {
    val waits = VecInit(toCalibrate.map(_.waits)).asUInt
    calibration.called := waits.orR
    calibration.all    := waits.andR
    calibration.goes   := commands.out.fire && commands.out.bits === RankOperation.calibrate
  }
  io.command.bits.part := VecInit(sequences.map(_.io.part =/= 0.U))(commands.chosen) &&
    commands.out.bits === RankOperation.refresh
}
