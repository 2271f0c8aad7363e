// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util._
import weir.channel.drain.WriteDrain
import weir.channel.refresh.{RefreshTurns, Refresher}
import weir.channel.row.RowChoice
import weir.config.WeirConfig
import weir.front.LineTag
import weir.place.{Location, PlacedRead, PlacedWrite}

/** What a queued read carries. */
class ReadTicket(config: WeirConfig) extends Bundle {
  val source = UInt(config.axi.sourceBits.W)
  val tag    = new LineTag(config)
}

/** What a queued write carries; its data lies in the [[WriteStore]], in the place of its slot in the queue. */
class WriteTicket(config: WeirConfig) extends Bundle {
  val source = UInt(config.axi.sourceBits.W)
}

/** One channel of DRAM: takes reads and writes of lines, chooses the DRAM commands, returns what was read.
  *
  * In each cycle at most one column command, one activate, and one precharge or refresh are chosen, as far as they stand in
  * different phases ([[CommandPhases]]); where they share one, column comes before activate before precharge. A choice is of
  * a bank, and stands in the command register in the next cycle, in which its queue gives the entry ([[AccessQueue]]) and
  * the command is on the DFI; with `Pipeline.command` it is there a cycle later, from a register. In a cycle a rank serves
  * either reads or writes ([[WriteDrain]]); writes of a draining rank come before reads of others, which slip in when no
  * write has its row open. Pseudo-ranks ([[weir.device.Geometry.inPseudoRanks]]) are ranks here, but to the DRAM's timings
  * ([[BankStates]]), and to refreshes, which on real parts are for all of them at once.
  *
  * Ordering: a write counts as done for all later reads when it is `accepted`. A read whose line waits in the write queue
  * is answered from there if the line is whole; else the rank drains and the read waits. A write whose line waits in the
  * write queue is merged into it, so no two queued writes are of one line. Reads in the queue do not wait for one another
  * and return in any order, each under its tag.
  *
  * Latency: a read offered in cycle 0 has its first command on the DFI in cycle 1, and as many later as there are registers of
  * `arrival`, `entry` and `command` ([[weir.config.Pipeline]]).
  * Throughput: one line read or written per cycle in, one column command per
  * cycle out (with up to two phases every second cycle).
  */
class Channel(config: WeirConfig) extends Module {
  private val geometry = config.geometry
  private val policies = config.policies
  private val ranks    = geometry.ranks
  private val banks    = geometry.banks
  private val allBanks = ranks * banks
  private val phases   = CommandPhases(config)
  // an access counts among the hits two cycles after its activate was chosen; a precharge before would undo that
  private val rowStays = ConstraintTable.activateToPrecharge(config)
  require(
    phases.classesRest || rowStays >= 2,
    s"${config.name}: a row may be closed $rowStays controller cycle after its activate (tRAS): must be at least 2"
  )

  val io = IO(new Bundle {
    val control = Input(new ChannelControl(config))
    val reads   = Flipped(Decoupled(new PlacedRead(config)))
    val writes  = Flipped(Decoupled(new PlacedWrite(config)))
    val returns = Valid(new ChannelReturn(config))

    /** A write of this port is in the write queue; ports see their writes accepted in order. */
    val accepted = Valid(UInt(new PlacedWrite(config).port.getWidth.W))

    /** The commands of this cycle; from registers with `Pipeline.command`. */
    val commands = Output(new ChannelCommands(config))

    /** Data and mask (1: keep the byte) of the write command of `writeLatency` cycles before. */
    val writeData = Output(UInt(geometry.lineBits.W))
    val writeMask = Output(UInt(geometry.lineBytes.W))

    /** Data of the read command of `readLatency` cycles before; where there was one and `valid` is low, they are lost. */
    val readData = Flipped(Valid(UInt(geometry.lineBits.W)))

    /** Another master wants the DFI, and may have it ([[DfiHandover]]). */
    val wanted   = Input(Bool())
    val released = Output(Bool())

    val events = Output(new ChannelEvents(config))

    /** Where there are several channels. */
    val turns = Option.when(config.channels > 1)(new RefreshTurns(config))

    /** Where pages move: that of [[WriteFence]]. */
    val fence = Option.when(config.migration.nonEmpty)(new Bundle {
      val mark    = Input(Bool())
      val pending = Output(Bool())
    })

    /** What makes some of the ranks another memory. */
    val emulated = config.emulated.map(_ => new EmulatedPort(config))
  })

  // --- state ----------------------------------------------------------------------------------------------------------
  private val table       = Module(new ConstraintTable(config))
  private val constraints = table.io.constraints
  private val states      = Module(new BankStates(config))
  private val refresher   = Module(new Refresher(config))
  private val drain       = Module(new WriteDrain(config))
  private val arrivals    = Module(new Arrivals(config))
  private val store       = Module(new WriteStore(config))
  private val returning   = Module(new ReadReturns(config))
  private val readQueue   =
    Module(new AccessQueue(config, policies.readQueue, new ReadTicket(config)))
  private val writeQueue =
    Module(new AccessQueue(config, policies.writeQueue, new WriteTicket(config)))
  private val queues = Seq[AccessQueue[_ <: Data]](readQueue, writeQueue)
  private val steps  = io.control.timeScale.map(TimeSteps(config, _))

  private val handover = Module(new DfiHandover)
  handover.io.wanted := io.wanted
  handover.io.closed := refresher.io.closed
  handover.io.quiet  := returning.io.quiet
  refresher.io.close := handover.io.close
  io.released        := handover.io.released

  private val chosen   = Wire(new BankCommands(config))
  private val choice   = RegInit(0.U.asTypeOf(new BankCommands(config)))
  private val commands = Wire(new ChannelCommands(config))
  choice      := chosen
  io.commands := commands

  table.io.timing := io.control.timing
  table.io.scale.zip(io.control.timeScale).foreach { case (scale, control) => scale := control }
  states.io.constraints                                                               := constraints
  states.io.commands                                                                  := choice
  for ((port, inner) <- io.emulated.zip(table.io.emulated)) inner.timing              := port.timing
  for ((banks, inner) <- states.io.emulated.zip(table.io.emulated)) banks.constraints := inner.constraints

  // --- accesses come in -----------------------------------------------------------------------------------------------
  arrivals.io.reads <> io.reads
  arrivals.io.writes <> io.writes
  arrivals.io.found  := writeQueue.io.found
  arrivals.io.queued := writeQueue.io.held
  arrivals.io.whole  := store.io.whole
  arrivals.io.next   := writeQueue.io.next

  // the row that each bank had open last; in the cycle of its activate it is not there yet
  private val rows                                = Mem(allBanks, UInt(geometry.rowBits.W))
  private val opening                             = commands.activate
  private def bankIndex(rank: UInt, bank: UInt)   = rank ## bank
  private def rowIsOpen(location: Location): Bool = {
    val bank    = bankIndex(location.rank, location.bank)
    val opensIt = opening.valid && bankIndex(opening.bits.rank, opening.bits.bank) === bank
    val open    = (states.io.open & ~choice.closes)(bank)
    Mux(opensIt, opening.bits.row === location.row, open && rows.read(bank) === location.row)
  }
  private val openingBank = bankIndex(opening.bits.rank, opening.bits.bank)
  when(opening.valid)(rows.write(openingBank, opening.bits.row))

  private val read = arrivals.io.read
  readQueue.io.enqueue.valid               := read.valid
  readQueue.io.enqueue.bits.location       := read.bits.location
  readQueue.io.enqueue.bits.payload.source := read.bits.source
  readQueue.io.enqueue.bits.payload.tag    := read.bits.tag
  readQueue.io.enqueueHit                  := rowIsOpen(read.bits.location)
  readQueue.io.occupied                    := 0.U
  readQueue.io.search                      := 0.U.asTypeOf(new Location(geometry))
  read.ready                               := readQueue.io.enqueue.ready

  private val write = arrivals.io.write
  writeQueue.io.enqueue.valid               := write.valid && !arrivals.io.merge
  writeQueue.io.enqueue.bits.location       := write.bits.location
  writeQueue.io.enqueue.bits.payload.source := write.bits.source
  writeQueue.io.enqueueHit                  := rowIsOpen(write.bits.location)
  writeQueue.io.occupied                    := store.io.busy
  writeQueue.io.search                      := arrivals.io.search
  write.ready                               := writeQueue.io.enqueue.ready

  private val accepted = arrivals.io.merge || writeQueue.io.enqueue.fire
  store.io.put.valid       := accepted
  store.io.put.bits.merge  := arrivals.io.merge
  store.io.put.bits.slot   := Mux(arrivals.io.merge, arrivals.io.foundWrite, writeQueue.io.next)
  store.io.put.bits.data   := write.bits.data
  store.io.put.bits.strobe := write.bits.strobe
  io.accepted.valid        := accepted
  io.accepted.bits         := write.bits.port

  for (port <- io.fence) {
    val fence = Module(new WriteFence(config))
    fence.io.held := writeQueue.io.held
    fence.io.mark := port.mark
    port.pending  := fence.io.pending
  }

  private val forward = arrivals.io.forward
  store.io.peek                  := arrivals.io.foundRead
  returning.io.forward.valid     := forward.valid
  returning.io.forward.bits.tag  := forward.bits.tag
  returning.io.forward.bits.data := store.io.peeked
  returning.io.forward.bits.lost := false.B
  forward.ready                  := returning.io.forward.ready

  /** What holds for what is refreshed apart, for each rank. */
  private def allOf(refreshed: UInt): UInt = if (config.refreshedTogether) Fill(ranks, refreshed) else refreshed

  // --- first step: which banks get commands ---------------------------------------------------------------------------
  private val writes                       = drain.io.write.asUInt
  private val blocked                      = allOf(refresher.io.blocks)
  private def ofBanks(ofRanks: UInt): UInt = FillInterleaved(banks, ofRanks)

  // ranks of an emulated memory, those of them that may have no column commands, and their banks
  private val emulatedRanks                      = VecInit.tabulate(ranks)(rank => config.isEmulated(rank).B).asUInt
  private def resting(may: EmulatedPort => Bool) = io.emulated.map(port => Mux(may(port), 0.U, emulatedRanks))
  private def without(those: Option[UInt], all: UInt): UInt = those.foldLeft(all)(_ & ~_)

  private val readsServed  = without(resting(_.mayRead), ~writes & ~blocked)
  private val writesServed = without(resting(_.mayWrite), writes & ~blocked)
  readQueue.io.served  := readsServed
  writeQueue.io.served := writesServed
  private def ofQueues(wants: AccessQueue[_ <: Data] => UInt): UInt =
    (wants(readQueue) & ofBanks(readsServed)) | (wants(writeQueue) & ofBanks(writesServed))

  // where a rank writes reads may have their rows opened meanwhile, but in banks for which a write waits
  private val rowsAhead = ofBanks(without(resting(_.mayRead), drain.io.readsAhead.asUInt & ~blocked)) &
    ~(writeQueue.io.waiting | writeQueue.io.misses)
  private def rowsOf(wants: AccessQueue[_ <: Data] => UInt): UInt = ofQueues(wants) | (wants(readQueue) & rowsAhead)

  private def turnAfter(last: Valid[BankChoice]): BankTurn = {
    val bank = Wire(Valid(UInt(allBanks.W)))
    bank.valid := last.valid
    bank.bits  := last.bits.bank
    new BankTurn(allBanks, bank)
  }

  /** Those that want and are preferred, or if there are none all that want. */
  private def preferring(preferred: UInt, wants: UInt): UInt = {
    val first = wants & preferred
    Mux(first.orR, first, wants)
  }

  /** Banks of the class in turn, if there are such, before those of reads that are ahead. */
  private def inTurn(wants: UInt): UInt = preferring(~rowsAhead, wants)

  /** Banks of other ranks than had the last column command, if there are such, before its own. Both can have one only when
    * the bus has paused, as it must between two ranks: what gathered at the others in the meantime goes without another pause.
    */
  private def ofOtherRank(wants: UInt): UInt =
    if (geometry.electrical.ranks == 1) wants
    else {
      val last = RegEnable(UIntToOH(choice.column.bits.rankNumber, ranks), 0.U(ranks.W), choice.column.valid)
      preferring(~ofBanks(last), wants)
    }

  /** Banks of ranks that are soon to be refreshed, if there are such, before the others. */
  private def beforeRefresh(wants: UInt): UInt =
    if (config.refreshedApart == 1 || !(policies.programmablePolicies || policies.refreshDrainAhead > 0)) wants
    else preferring(ofBanks(refresher.io.first), wants)

  private val columnTurn   = turnAfter(choice.column)
  private val activateTurn = turnAfter(choice.activate)
  // what the precharge in the command register was for
  private val unneeded        = Wire(Bool())
  private val closesABank     = choice.rank.valid && choice.rank.bits.operation === RankOperation.precharge
  private val closedByPolicy  = if (RowChoice.isNeeded(config)) closesABank && RegNext(unneeded, false.B) else false.B
  private val closedForAccess = closesABank && !closedByPolicy
  private val prechargeTurn   = {
    val closed = Wire(Valid(UInt(allBanks.W)))
    closed.valid := closedForAccess
    closed.bits  := choice.closes
    new BankTurn(allBanks, closed)
  }

  // column commands: writes of draining ranks first; reads of other ranks slip in while no write has its row open
  private val writeColumns = writeQueue.io.columns & states.io.write & ofBanks(writesServed)
  // nor do they stand back for a write that the emulated memory keeps
  private val banksBusy  = states.io.emulated.map(emulated => ofBanks(emulatedRanks) & ~emulated.writable)
  private val banksRest  = resting(_.mayWrite).map(ofBanks)
  private val writesWait = without(banksRest, without(banksBusy, writeQueue.io.hits & ofBanks(writes)))
  private val slipIn     = if (ranks == 1) true.B else !writesWait.orR
  private val mayRead    =
    io.emulated.foldLeft(slipIn && returning.io.mayRead.getOrElse(true.B))((may, port) => may && port.anyRead)
  private val readColumns = Mux(mayRead, readQueue.io.columns & states.io.read & ofBanks(readsServed), 0.U)
  private val writeGoes   = writeColumns.orR
  // the only rank has one turn at a time
  private val columns = if (ranks == 1) writeColumns | readColumns else Mux(writeGoes, writeColumns, readColumns)
  chosen.column.valid      := writeGoes || readColumns.orR
  chosen.column.bits.write := writeGoes
  chosen.column.bits.bank  := columnTurn.choose(ofOtherRank(beforeRefresh(columns)))

  /** A column command is on the command pins together with a command that meets those of such phases. */
  private def columnMeets(meets: Int => Boolean): Bool =
    if (meets(phases.read) && meets(phases.write)) chosen.column.valid
    else if (meets(phases.read)) chosen.column.valid && !writeGoes
    else if (meets(phases.write)) writeGoes
    else false.B

  // activates and precharges, those of crowded banks first
  private val crowded    = ofQueues(_.io.crowded)
  private val activates  = inTurn(rowsOf(_.io.misses) & states.io.activate)
  private val activateAt = activateTurn.choose(preferring(crowded, beforeRefresh(activates)))
  // where classes rest a queue gives one entry in a cycle
  private val columnComesFirst = if (phases.classesRest) chosen.column.valid else columnMeets(phases.activateMeets)
  chosen.activate.valid      := activates.orR && !columnComesFirst
  chosen.activate.bits.bank  := activateAt
  chosen.activate.bits.write := (activateAt & ofBanks(writes) & ~rowsAhead).orR

  // Where classes rest, of an activate and a column command that come due in one cycle the activate goes in the next. Its
  // row's column command then comes due when the following activate does, if tRCD is as long as tRRD, and the bus has one
  // line in three cycles, not in two. So if it idled in the cycle after such an activate, column commands stand back in
  // the next: an activate goes in theirs, and from then on the two alternate.
  for (standsBack <- states.io.standsBack) {
    val lost  = RegNext(activates.orR && columnComesFirst, false.B)
    val later = RegNext(lost && chosen.activate.valid, false.B)
    standsBack := RegNext(later && !chosen.column.valid, false.B)
  }

  // refresh before precharge, in the phase they share
  private val rankFree = !columnMeets(phases.prechargeMeets) &&
    (if (phases.prechargeMeets(phases.activate)) !chosen.activate.valid else true.B)
  private val ofRank = refresher.io.command
  refresher.io.refreshable.zip(states.io.refreshable).foreach { case (input, may) => input := may }
  // BG0 marks a refresh of 2x or 4x (JESD79-4B 4.9.2); a DRAM without bank groups that can do such takes BA0, and so does
  // one whose pseudo-ranks refresh apart, as BG0 may be a bit of their number
  private val mark =
    if (geometry.electrical.bankGroups > 1 && !config.refreshGroups) geometry.electrical.banksPerGroup else 1
  private val partMark = (mark % banks).U
  // BG0 may be a bit of the number of pseudo-ranks that refresh together too, whose refreshes are of none of them
  private val rankOrMark = if (mark < banks) ofRank.bits.rank else Mux(ofRank.bits.part, (mark / banks).U, 0.U)
  // the refresh of a set of banks keeps tRRD_L away from an activate
  private val apart =
    if (config.sameBankRefresh) !(chosen.activate.valid && ofRank.bits.operation === RankOperation.refresh) else true.B
  ofRank.ready := rankFree && (if (phases.classesRest) !choice.rank.valid else true.B) && apart

  private val precharges  = inTurn(rowsOf(queue => queue.io.misses & ~queue.io.hits) & states.io.precharge)
  private val prechargeAt = prechargeTurn.choose(preferring(crowded, precharges))
  // rows that the row policy closes, if no access needs a precharge
  private val rowPolicy = Option.when(RowChoice.isNeeded(config))(Module(new RowChoice(config)))
  private val waiting   = readQueue.io.waiting | writeQueue.io.waiting
  private val unwanted  =
    rowPolicy.map(_.io.closes & ~waiting & ~ofBanks(blocked) & states.io.precharge).getOrElse(0.U(allBanks.W))
  private val needsOne  = precharges.orR
  private val closeAt   = Mux(needsOne, prechargeAt, PriorityEncoderOH(unwanted))
  private val closesOne = rankFree && !ofRank.valid && (needsOne || unwanted.orR)
  private val closeBank = OHToUInt(closeAt)(geometry.bankBits - 1, 0)
  chosen.rank.valid          := ofRank.fire || closesOne
  chosen.rank.bits.operation := Mux(ofRank.valid, ofRank.bits.operation, RankOperation.precharge)
  chosen.rank.bits.rank      := Mux(ofRank.valid, rankOrMark, OHToUInt(closeAt) >> geometry.bankBits)
  chosen.rank.bits.bank      := (if (!config.fineRefresh) closeBank
                            else Mux(ofRank.valid, Mux(ofRank.bits.part, partMark, 0.U), closeBank))
  chosen.closes := Mux(closesOne, closeAt, 0.U) | ofBanks(
    Mux(
      ofRank.fire && ofRank.bits.operation === RankOperation.prechargeAll,
      if (config.refreshedTogether) Fill(ranks, true.B) else UIntToOH(ofRank.bits.rank, ranks),
      0.U(ranks.W)
    )
  )

  unneeded := !needsOne
  for (policy <- rowPolicy) {
    val seen = policy.io.banks
    policy.io.control := io.control.rows
    seen.step.zip(steps).foreach { case (input, now) => input := now.policy }
    seen.waiting          := waiting
    seen.column           := Mux(choice.column.valid, choice.column.bits.bank, 0.U)
    seen.activate         := Mux(opening.valid, UIntToOH(openingBank, allBanks), 0.U)
    seen.again            := opening.bits.row === rows.read(openingBank)
    seen.closedForAccess  := Mux(closedForAccess, choice.closes, 0.U)
    seen.closedByPolicy   := Mux(closedByPolicy, choice.closes, 0.U)
    seen.closedForRefresh := Mux(closesABank, 0.U, choice.closes)
  }

  // --- second step: their entries -------------------------------------------------------------------------------------
  for ((queue, isWrite) <- queues.zip(Seq(false.B, true.B))) {
    queue.io.column.valid   := choice.column.valid && choice.column.bits.write === isWrite
    queue.io.column.bits    := choice.column.bits.index
    queue.io.activate.valid := choice.activate.valid && choice.activate.bits.write === isWrite
    queue.io.activate.bits  := choice.activate.bits.index
    queue.io.opens.valid    := choice.activate.valid
    queue.io.opens.bits     := choice.activate.bits.index
    queue.io.openedRow      := opening.bits.row
    queue.io.closes.valid   := choice.rank.valid && RankOperation.closes(choice.rank.bits.operation)
    queue.io.closes.bits    := bankIndex(choice.rank.bits.rank, choice.rank.bits.bank)
    queue.io.closesAll      := choice.rank.bits.operation === RankOperation.prechargeAll
  }
  for (emulated <- states.io.emulated) {
    readQueue.io.busy.foreach(_ := ofBanks(emulatedRanks) & ~emulated.readable)
    writeQueue.io.busy.foreach(_ := ofBanks(emulatedRanks) & ~emulated.writable)
  }
  private val readEntry  = readQueue.io.columnEntry
  private val writeEntry = writeQueue.io.columnEntry
  private val chosenNow  = Wire(new ChannelCommands(config))
  chosenNow                    := DontCare
  chosenNow.column.valid       := choice.column.valid
  chosenNow.column.bits.write  := choice.column.bits.write
  chosenNow.column.bits.rank   := choice.column.bits.rankNumber
  chosenNow.column.bits.bank   := choice.column.bits.bankNumber
  chosenNow.activate.valid     := choice.activate.valid
  chosenNow.activate.bits.rank := choice.activate.bits.rankNumber
  chosenNow.activate.bits.bank := choice.activate.bits.bankNumber
  chosenNow.rank               := choice.rank

  private def onDfi[D <: Data](value: D): D =
    if (config.pipeline.command) RegNext(value, 0.U.asTypeOf(value)) else value
  private val activatesForWrite = onDfi(choice.activate.bits.write)
  commands                    := onDfi(chosenNow)
  commands.column.bits.column := Mux(commands.column.bits.write, writeEntry.column, readEntry.column)
  commands.activate.bits.row  := Mux(activatesForWrite, writeQueue.io.activateRow, readQueue.io.activateRow)
  private val readsOut  = commands.column.valid && !commands.column.bits.write
  private val writesOut = commands.column.valid && commands.column.bits.write

  // --- refresh --------------------------------------------------------------------------------------------------------
  refresher.io.control     := io.control
  refresher.io.constraints := constraints
  refresher.io.turns.zip(io.turns).foreach { case (inner, outer) => inner <> outer }
  refresher.io.steps.zip(steps).foreach { case (input, now) => input := now }
  for (number <- 0 until config.refreshedApart) {
    val activity                           = refresher.io.activity(number)
    val its                                = if (config.refreshedTogether) 0 until ranks else Seq(number)
    def each(condition: Int => Bool): Bool = its.map(condition).reduce(_ && _)
    val reads                              =
      if (config.refreshedTogether) readQueue.io.level else readQueue.io.rankLevel(number)
    activity.idle := reads === 0.U &&
      each(rank => !(writes(rank) && writeQueue.io.rankLevel(rank) =/= 0.U))
    activity.busy          := reads >= (policies.readQueue / config.refreshedApart / 2).max(1).U
    activity.prechargeable := each(rank => states.io.prechargeAll(rank))
  }

  for ((inner, own) <- refresher.io.hidden.zip(states.io.emulated); port <- io.emulated) {
    def turn(wants: AccessQueue[_ <: Data] => UInt): UInt =
      (wants(readQueue) & ofBanks(~writes)) | (wants(writeQueue) & ofBanks(writes))
    val (hits, misses) = (turn(_.io.waiting), turn(_.io.misses))

    /** Ranks all of whose waiting accesses, of which there are some, are for these banks, and want another row. */
    def allWaitFor(those: UInt) = VecInit.tabulate(ranks) { rank =>
      def its(of: UInt): UInt = of((rank + 1) * banks - 1, rank * banks)
      its(misses).orR && !its(hits).orR && !(its(misses) & ~its(those)).orR
    }
    val kept = allWaitFor(own.keeps)
    // pseudo-ranks that share their refreshes with DRAM are refreshed with it
    val hides = if (config.refreshedTogether) 0.U else Mux(port.hidesRefresh, emulatedRanks, 0.U)
    inner.hides  := hides
    inner.kept   := (if (config.refreshedTogether) 0.U else allWaitFor(own.hides).asUInt)
    port.exposed := RegNext(
      VecInit
        .tabulate(ranks) { rank =>
          val idle = refresher.io.activity(if (config.refreshedTogether) 0 else rank).idle
          config.isEmulated(rank).B && blocked(rank) && !idle && !kept(rank)
        }
        .asUInt
        .orR,
      false.B
    )
  }

  // --- ages and drains ------------------------------------------------------------------------------------------------
  private val counts = steps.map(_.policy).getOrElse(true.B)
  private val age    = RegInit(0.U(12.W))
  private val aged   = age >= io.control.ageLimit - 1.U
  when(counts)(age := Mux(aged, 0.U, age + 1.U))
  queues.foreach(_.io.age := aged && counts)

  private val view = drain.io.view
  view.control := io.control.draining
  // without what is leaving; where classes rest the drain decides before the next command anyway
  for (rank <- 0 until ranks) {
    val leaves = writeQueue.io.column.valid && choice.column.bits.rankNumber === rank.U
    view.writes(rank) := (if (phases.classesRest) writeQueue.io.rankLevel(rank)
                          else writeQueue.io.rankLevel(rank) - leaves)
  }
  view.writesFull   := !writeQueue.io.enqueue.ready
  view.reads        := readQueue.io.level
  view.readUrgent   := readQueue.io.urgent.orR
  view.cause        := (arrivals.io.hazard | writeQueue.io.urgent).asBools
  view.writeUrgent  := writeQueue.io.urgent.orR
  view.readArrives  := readQueue.io.enqueue.fire
  view.writeArrives := writeQueue.io.enqueue.fire
  view.writeIssued  := writeQueue.io.column.valid
  view.readIssued   := readQueue.io.column.valid
  view.step.foreach(_ := counts)

  // --- data -----------------------------------------------------------------------------------------------------------
  returning.io.read.valid := readsOut
  returning.io.read.bits  := readEntry.payload.tag
  returning.io.ofEmulated.foreach(_ := emulatedRanks(commands.column.bits.rank))
  returning.io.readData := io.readData
  for (port <- io.emulated) {
    port.column.valid := choice.column.valid && emulatedRanks(choice.column.bits.rankNumber)
    port.column.bits  := choice.column.bits.write
  }
  returning.io.factor.zip(io.control.timeScale).foreach { case (factor, control) => factor := control.factor }
  io.returns := returning.io.returns

  store.io.take.valid := writesOut
  store.io.take.bits  := writeEntry.slot
  io.writeData        := store.io.taken
  io.writeMask        := store.io.takenMask

  // --- events ---------------------------------------------------------------------------------------------------------
  // in the cycle of the choice; the column command's source is known when it is on the DFI, and the others wait for it
  private val events = Wire(new ChannelEvents(config))
  io.events := onDfi(events)

  private val outcomes = Module(new RowOutcomes(config))
  outcomes.io.commands  := choice
  outcomes.io.forAccess := closedForAccess

  for (rank <- 0 until ranks) {
    val operation = choice.rank.bits.operation
    val mine      = choice.rank.bits.rank === rank.U
    val ofAll     = if (config.refreshedTogether) operation === RankOperation.prechargeAll else false.B
    val ofRank    = choice.rank.valid && (mine || ofAll)
    val refreshed = if (config.refreshedTogether) 0 else rank
    events.activate(rank)      := choice.activate.valid && choice.activate.bits.rankNumber === rank.U
    events.precharge(rank)     := ofRank && RankOperation.closes(operation)
    events.refresh(rank)       := RegNext(refresher.io.refresh(refreshed), false.B)
    events.refreshForced(rank) := RegNext(refresher.io.forced(refreshed), false.B)
    events.drain(rank)         := drain.io.starts(rank)
    events.blocked(rank)       := RegNext(blocked(rank), false.B)
    events.writesTurn(rank)    := RegNext(!readsServed(rank) && !blocked(rank), false.B)
    events.rowOpen(rank)       := states.io.open((rank + 1) * banks - 1, rank * banks).orR
  }
  private val byWrite = commands.column.bits.write
  events.column                 := DontCare
  io.events.column.valid        := commands.column.valid
  io.events.column.bits.write   := byWrite
  io.events.column.bits.rank    := commands.column.bits.rank
  io.events.column.bits.source  := Mux(byWrite, writeEntry.payload.source, readEntry.payload.source)
  io.events.column.bits.outcome := onDfi(outcomes.io.outcome)
  io.events.column.bits.slot    := readEntry.slot

  events.readQueued.valid        := readQueue.io.enqueue.fire
  events.readQueued.bits.source  := read.bits.source
  events.readQueued.bits.rank    := read.bits.location.rank
  events.readQueued.bits.bank    := read.bits.location.bank
  events.readQueued.bits.slot    := OHToUInt(readQueue.io.next)
  events.writeQueued.valid       := writeQueue.io.enqueue.fire
  events.writeQueued.bits.source := write.bits.source
  events.writeQueued.bits.rank   := write.bits.location.rank
  events.readHeld.valid          := arrivals.io.heldRead || (read.valid && !read.ready)
  events.readHeld.bits.source    := read.bits.source
  events.readHeld.bits.rank      := read.bits.location.rank
  events.readHeld.bits.forWrite  := arrivals.io.heldRead
  events.readsOpen               := readQueue.io.open
  events.readableBanks           := RegNext(states.io.readable)
  events.readBanks               := RegNext(states.io.read)

  events.forwarded.valid := forward.fire
  events.forwarded.bits  := forward.bits.source
  events.merged.valid    := arrivals.io.merge
  events.merged.bits     := write.bits.source
  events.readQueueLevel  := readQueue.io.level
  events.writeQueueLevel := writeQueue.io.level
}
