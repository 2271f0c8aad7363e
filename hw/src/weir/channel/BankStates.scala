// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import weir.config.WeirConfig

/** All banks of the channel, and what the DRAM's rules let each have in this cycle: those of the bank, of its rank, and of
  * the bus together. Vectors have a bit for each bank, rank above bank. Pseudo-ranks are one rank to these rules; as they are
  * the upper bits of a bank's number, a bank has the same number in both views.
  *
  * Commands are chosen in one cycle, stand in the command register in the next (`commands`), and change the state here at
  * its end. With four phases the outputs look through that; with fewer the classes rest
  * ([[CommandPhases.classesRest]]), and what is left to say of a command in the register is said here: no other of its class, no
  * precharge of a bank that has a column command, and no column command to a bank that is precharged.
  */
class BankStates(config: WeirConfig) extends Module {
  private val geometry = config.geometry
  private val ranks    = geometry.ranks
  private val banks    = geometry.banks
  private val allBanks = ranks * banks
  private val chips    = geometry.electrical
  private val rest     = CommandPhases(config).classesRest

  val io = IO(new Bundle {
    val constraints = Input(ConstraintTable.bundle(config))
    val commands    = Input(new BankCommands(config))

    /** No bank is to have a column command in this cycle, so that an activate can go. */
    val standsBack = Option.when(CommandPhases(config).classesRest && ConstraintTable.activateInterval(config) == 2)(
      Input(Bool())
    )

    /** Banks that have a row open, the commands of this cycle not counted. */
    val open = Output(UInt(allBanks.W))

    /** Banks that may have a command. */
    val read      = Output(UInt(allBanks.W))
    val write     = Output(UInt(allBanks.W))
    val activate  = Output(UInt(allBanks.W))
    val precharge = Output(UInt(allBanks.W))

    /** Banks that may be read as far as their own rules go (tRCD), the bus aside. */
    val readable = Output(UInt(allBanks.W))

    /** Ranks whose banks may all be precharged. */
    val prechargeAll = Output(UInt(ranks.W))

    /** Where sets of banks are refreshed by themselves: one may be, as far as the others and activates go. */
    val refreshable = Option.when(config.sameBankRefresh)(Output(Bool()))

    /** Of the banks of an emulated memory: those that a read, a write may go to as far as their own rules go; those that keep
      * accesses of another row than their open one waiting, and those of them that do for as long as a refresh takes.
      */
    val emulated = config.emulated.map(_ =>
      new Bundle {
        val constraints = Input(ConstraintTable.emulatedBundle(config))
        val readable    = Output(UInt(allBanks.W))
        val writable    = Output(UInt(allBanks.W))
        val keeps       = Output(UInt(allBanks.W))
        val hides       = Output(UInt(allBanks.W))
      }
    )
  })

  private val column     = io.commands.column
  private val activates  = io.commands.activate
  private val ofRank     = io.commands.rank
  private val columnAt   = Mux(column.valid, column.bits.bank, 0.U)
  private val activateAt = Mux(activates.valid, activates.bits.bank, 0.U)
  private val closed     = io.commands.closes

  /** The set of banks whose refresh is in the command register is of the only rank that there is. */
  private val refreshes =
    if (config.sameBankRefresh) ofRank.valid && ofRank.bits.operation === RankOperation.refresh else false.B

  private def ranksOf(at: UInt): Seq[UInt] = at.asBools.grouped(chips.banks).map(VecInit(_).asUInt).toSeq

  /** The bank group of a command at `at`, one-hot over the groups of each rank of the chips. */
  private def groupsOf(at: UInt): Seq[UInt] =
    ranksOf(at).map { rank =>
      val groups = (0 until chips.banks).groupBy(chips.groupOf)
      VecInit.tabulate(chips.bankGroups)(group => VecInit(groups(group).map(rank(_))).asUInt.orR).asUInt
    }

  private def isEmulated(bank: Int): Boolean = config.isEmulated(bank / banks)

  private val hiding = io.emulated.map(emulated => HidingTimes(io.constraints, emulated.constraints))
  private val bank   = Seq.tabulate(allBanks) { index =>
    val state = Module(new Bank(config, isEmulated(index)))
    for ((bank, emulated) <- state.io.emulated.zip(io.emulated); times <- hiding) {
      bank.constraints := emulated.constraints
      bank.hiding      := times
    }
    state.io.constraints := io.constraints
    state.io.activate    := activateAt(index)
    state.io.read        := columnAt(index) && !column.bits.write
    state.io.write       := columnAt(index) && column.bits.write
    state.io.precharge   := closed(index)
    state.io
  }
  private val rank = Seq.tabulate(chips.ranks) { index =>
    val timers = Module(new RankTimers(config))
    timers.io.constraints := io.constraints
    timers.io.activate    := groupsOf(activateAt)(index)
    timers.io.sets.foreach(_.refresh := refreshes)
    timers.io
  }
  io.refreshable.foreach(_ := rank.map(_.sets.get.refreshable).reduce(_ && _) && !refreshes && !activates.valid)
  private val bus = Module(new BusTimers(config))
  bus.io.constraints := io.constraints
  bus.io.write       := column.bits.write
  bus.io.column      := VecInit(groupsOf(columnAt))

  /** Ranks that may be read as far as writes of the emulated memory go. */
  private val turned = Seq.tabulate(ranks) { rank =>
    val writes = columnAt((rank + 1) * banks - 1, rank * banks).orR && column.bits.write
    io.emulated
      .filter(_ => config.isEmulated(rank))
      .map(emulated => Countdown(config, emulated.constraints)(writes -> "writeToRead"))
  }
  private def readable(index: Int): Bool = turned(index / banks).foldLeft(bank(index).readable)(_ && _)

  /** A bit for each bank, from its number, its rank and its bank group, both of the chips. */
  private def each(condition: (Int, Int, Int) => Bool): UInt =
    VecInit
      .tabulate(allBanks)(index => condition(index, index / chips.banks, chips.groupOf(index % chips.banks)))
      .asUInt

  private def unless(resting: Bool, permitted: UInt): UInt = if (rest) Mux(resting, 0.U, permitted) else permitted
  private def without(those: UInt, permitted: UInt): UInt  = if (rest) permitted & ~those else permitted

  private val columnsRest = io.standsBack.foldLeft(column.valid)(_ || _)

  io.open := each((index, _, _) => bank(index).open)
  io.read := without(
    closed,
    unless(columnsRest, each((index, r, group) => readable(index) && bus.io.readable(r)(group)))
  )
  io.write := without(
    closed,
    unless(columnsRest, each((index, r, group) => bank(index).writable && bus.io.writable(r)(group)))
  )
  io.activate := unless(
    activates.valid || refreshes,
    each((index, r, group) => bank(index).activatable && rank(r).activatable(group))
  )
  io.precharge := without(
    columnAt,
    unless(ofRank.valid, each((index, _, _) => bank(index).prechargeable))
  )
  io.readable     := each((index, _, _) => readable(index))
  io.prechargeAll := unless(
    column.valid || activates.valid || ofRank.valid,
    VecInit(
      bank
        .grouped(banks)
        .map(mine => VecInit(mine.map(bank => bank.emulated.map(_.closable).getOrElse(bank.closable))).asUInt.andR)
        .toSeq
    ).asUInt
  )
  for (emulated <- io.emulated) {
    emulated.readable := each((index, _, _) => if (isEmulated(index)) readable(index) else false.B)
    emulated.writable := each((index, _, _) => if (isEmulated(index)) bank(index).writable else false.B)
    emulated.keeps    := each((index, _, _) => bank(index).emulated.map(_.keeps).getOrElse(false.B))
    emulated.hides    := each((index, _, _) => bank(index).emulated.map(_.hides).getOrElse(false.B))
  }
}
