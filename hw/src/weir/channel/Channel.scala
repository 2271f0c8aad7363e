// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.front.{LineReturn, LineTag}
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
  * the command is on the DFI; without `fastReads` it is there a cycle later, from a register. In a cycle a rank serves
  * either reads or writes ([[WriteDrain]]); writes of a draining rank come before reads of others, which slip in when no
  * write has its row open.
  *
  * Ordering: a write counts as done for all later reads when it is `accepted`. A read whose line waits in the write queue
  * is answered from there if the line is whole; else the rank drains and the read waits. A write whose line waits in the
  * write queue is merged into it, so no two queued writes are of one line. Reads in the queue do not wait for one another
  * and return in any order, each under its tag.
  *
  * Latency: a read offered in cycle 0 has its first command on the DFI in cycle 1 with `fastReads`, else in cycle 4.
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

  val io = IO(new Bundle {
    val control = Input(new ChannelControl(config))
    val reads   = Flipped(Decoupled(new PlacedRead(config)))
    val writes  = Flipped(Decoupled(new PlacedWrite(config)))
    val returns = Valid(new LineReturn(config))

    /** A write of this port is in the write queue; ports see their writes accepted in order. */
    val accepted = Valid(UInt(new PlacedWrite(config).port.getWidth.W))

    /** The commands of this cycle; with `fastReads` not from registers. */
    val commands = Output(new ChannelCommands(config))

    /** Data and mask (1: keep the byte) of the write command of `writeLatency` cycles before. */
    val writeData = Output(UInt(geometry.lineBits.W))
    val writeMask = Output(UInt(geometry.lineBytes.W))

    /** Data of the oldest read command not yet answered. */
    val readData = Flipped(Valid(UInt(geometry.lineBits.W)))

    val events = Output(new ChannelEvents(config))
  })

  // --- state ----------------------------------------------------------------------------------------------------------
  private val table     = Module(new DistanceTable(config))
  private val distances = table.io.distances
  private val states    = Module(new BankStates(config))
  private val debts     = Seq.tabulate(ranks)(rank => Module(new RefreshDebt(config, rank)))
  private val sequences = Seq.fill(ranks)(Module(new RefreshSequence(config)))
  private val drain     = Module(new WriteDrain(config))
  private val arrivals  = Module(new Arrivals(config))
  private val store     = Module(new WriteStore(config))
  private val returning = Module(new ReadReturns(config))
  private val readQueue =
    Module(new AccessQueue(config, policies.readQueue, new ReadTicket(config)))
  private val writeQueue =
    Module(new AccessQueue(config, policies.writeQueue, new WriteTicket(config)))
  private val queues = Seq[AccessQueue[_ <: Data]](readQueue, writeQueue)

  private val chosen   = Wire(new BankCommands(config))
  private val choice   = RegInit(0.U.asTypeOf(new BankCommands(config)))
  private val commands = Wire(new ChannelCommands(config))
  choice      := chosen
  io.commands := commands

  table.io.timing     := io.control.timing
  states.io.distances := distances
  states.io.commands  := choice

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
  when(opening.valid)(rows.write(bankIndex(opening.bits.rank, opening.bits.bank), opening.bits.row))

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

  private val forward = arrivals.io.forward
  store.io.peek                  := arrivals.io.foundRead
  returning.io.forward.valid     := forward.valid
  returning.io.forward.bits.tag  := forward.bits.tag
  returning.io.forward.bits.data := store.io.peeked
  forward.ready                  := returning.io.forward.ready

  // --- first step: which banks get commands ---------------------------------------------------------------------------
  private val writes                       = drain.io.write.asUInt
  private val blocked                      = VecInit(sequences.map(_.io.blocks)).asUInt
  private def ofBanks(ofRanks: UInt): UInt = FillInterleaved(banks, ofRanks)

  private val readsServed  = ~writes & ~blocked
  private val writesServed = writes & ~blocked
  readQueue.io.served  := readsServed
  writeQueue.io.served := writesServed
  private def ofQueues(wants: AccessQueue[_ <: Data] => UInt): UInt =
    (wants(readQueue) & ofBanks(readsServed)) | (wants(writeQueue) & ofBanks(writesServed))

  private val turn = new BankTurn(allBanks)

  // column commands: writes of draining ranks first; reads of other ranks slip in while no write has its row open
  private val writeColumns = writeQueue.io.columns & states.io.write & ofBanks(writesServed)
  private val slipIn       = if (ranks == 1) true.B else !(writeQueue.io.hits & ofBanks(writes)).orR
  private val readColumns  = Mux(slipIn, readQueue.io.columns & states.io.read & ofBanks(readsServed), 0.U)
  private val writeGoes    = writeColumns.orR
  // the only rank has one turn at a time
  private val columns = if (ranks == 1) writeColumns | readColumns else Mux(writeGoes, writeColumns, readColumns)
  chosen.column.valid      := writeGoes || readColumns.orR
  chosen.column.bits.write := writeGoes
  chosen.column.bits.bank  := turn.choose(columns)

  private def columnTakes(phase: Int): Bool =
    if (phase == phases.read && phase == phases.write) chosen.column.valid
    else if (phase == phases.read) chosen.column.valid && !writeGoes
    else if (phase == phases.write) writeGoes
    else false.B

  // activates
  private val activates  = ofQueues(_.io.misses) & states.io.activate
  private val activateAt = turn.choose(activates)
  chosen.activate.valid      := activates.orR && !columnTakes(phases.activate)
  chosen.activate.bits.bank  := activateAt
  chosen.activate.bits.write := (activateAt & ofBanks(writes)).orR

  // refresh before precharge, in the phase they share
  private val rankFree = !columnTakes(phases.precharge) &&
    (if (phases.precharge == phases.activate) !chosen.activate.valid else true.B)
  private val refreshes = Module(new Arbiter(RankOperation(), ranks))
  refreshes.io.in.zip(sequences).foreach { case (in, sequence) => in <> sequence.io.command }
  refreshes.io.out.ready := rankFree && (if (phases.rest) !choice.rank.valid else true.B)

  private val precharges  = ofQueues(queue => queue.io.misses & ~queue.io.hits) & states.io.precharge
  private val prechargeAt = turn.choose(precharges)
  private val ofRank      = refreshes.io.out
  private val closesOne   = rankFree && !ofRank.valid && precharges.orR
  chosen.rank.valid          := ofRank.fire || closesOne
  chosen.rank.bits.operation := Mux(ofRank.valid, ofRank.bits, RankOperation.precharge)
  chosen.rank.bits.rank      := Mux(ofRank.valid, refreshes.io.chosen, OHToUInt(prechargeAt) >> geometry.bankBits)
  chosen.rank.bits.bank      := OHToUInt(prechargeAt)
  chosen.closes              := Mux(closesOne, prechargeAt, 0.U) | ofBanks(
    Mux(ofRank.fire && ofRank.bits === RankOperation.prechargeAll, UIntToOH(refreshes.io.chosen, ranks), 0.U(ranks.W))
  )

  // --- second step: their entries -------------------------------------------------------------------------------------
  for ((queue, isWrite) <- queues.zip(Seq(false.B, true.B))) {
    queue.io.column.valid   := choice.column.valid && choice.column.bits.write === isWrite
    queue.io.column.bits    := choice.column.bits.bank
    queue.io.activate.valid := choice.activate.valid && choice.activate.bits.write === isWrite
    queue.io.activate.bits  := choice.activate.bits.bank
    queue.io.activated      := opening
    queue.io.closed         := choice.closes
  }
  private val readEntry  = readQueue.io.columnEntry
  private val writeEntry = writeQueue.io.columnEntry
  private val ready      = Wire(new ChannelCommands(config))
  ready.column.valid       := choice.column.valid
  ready.column.bits.write  := choice.column.bits.write
  ready.column.bits.rank   := choice.column.bits.rankNumber
  ready.column.bits.bank   := choice.column.bits.bankNumber
  ready.column.bits.column :=
    Mux(choice.column.bits.write, writeEntry.access.location.column, readEntry.access.location.column)
  ready.activate.valid     := choice.activate.valid
  ready.activate.bits.rank := choice.activate.bits.rankNumber
  ready.activate.bits.bank := choice.activate.bits.bankNumber
  ready.activate.bits.row  := Mux(
    choice.activate.bits.write,
    writeQueue.io.activateEntry.location.row,
    readQueue.io.activateEntry.location.row
  )
  ready.rank := choice.rank

  private def onDfi[D <: Data](value: D): D = if (policies.fastReads) value else RegNext(value)
  commands := (if (policies.fastReads) ready else RegNext(ready, 0.U.asTypeOf(ready)))
  private val readsOut  = commands.column.valid && !commands.column.bits.write
  private val writesOut = commands.column.valid && commands.column.bits.write

  // --- refresh --------------------------------------------------------------------------------------------------------
  for (rank <- 0 until ranks) {
    sequences(rank).io.distances     := distances
    sequences(rank).io.wanted        := debts(rank).io.wanted
    sequences(rank).io.prechargeable := states.io.prechargeAll(rank)
    debts(rank).io.interval          := distances.refreshInterval
    debts(rank).io.postpone          := io.control.refreshPostpone
    debts(rank).io.refresh           := sequences(rank).io.refresh
    debts(rank).io.idle              := readQueue.io.rankLevel(rank) === 0.U &&
      !(writes(rank) && writeQueue.io.rankLevel(rank) =/= 0.U)
  }

  // --- ages and drains ------------------------------------------------------------------------------------------------
  private val age  = RegInit(0.U(12.W))
  private val aged = age >= io.control.ageLimit - 1.U
  age := Mux(aged, 0.U, age + 1.U)
  queues.foreach(_.io.age := aged)

  drain.io.highWaterMark := io.control.highWaterMark
  drain.io.lowWaterMark  := io.control.lowWaterMark
  // without what is leaving; where classes rest the drain decides before the next command anyway
  for (rank <- 0 until ranks) {
    val leaves = choice.column.valid && choice.column.bits.write && choice.column.bits.rankNumber === rank.U
    drain.io.writes(rank) := (if (phases.rest) writeQueue.io.rankLevel(rank)
                              else writeQueue.io.rankLevel(rank) - leaves)
  }
  drain.io.writesFull  := !writeQueue.io.enqueue.ready
  drain.io.reads       := readQueue.io.level
  drain.io.readUrgent  := readQueue.io.urgent.orR
  drain.io.cause       := (arrivals.io.hazard | writeQueue.io.urgent).asBools
  drain.io.writeIssued := choice.column.valid && choice.column.bits.write
  drain.io.readIssued  := choice.column.valid && !choice.column.bits.write

  // --- data -----------------------------------------------------------------------------------------------------------
  returning.io.read.valid := readsOut
  returning.io.read.bits  := onDfi(readEntry.access.payload.tag)
  returning.io.readData   := io.readData
  io.returns              := returning.io.returns

  store.io.take.valid := writesOut
  store.io.take.bits  := onDfi(writeEntry.slot)
  io.writeData        := store.io.taken
  io.writeMask        := store.io.takenMask

  // --- events ---------------------------------------------------------------------------------------------------------
  // banks that were precharged for an entry and not activated since
  private val conflicts = RegInit(0.U(allBanks.W))
  private val forEntry  = choice.rank.bits.operation === RankOperation.precharge
  conflicts := (conflicts & ~Mux(choice.activate.valid, choice.activate.bits.bank, 0.U)) |
    Mux(forEntry, choice.closes, 0.U)
  queues.foreach(_.io.afterConflict := (conflicts & choice.activate.bits.bank).orR)

  for (rank <- 0 until ranks) {
    val ofRank = choice.rank.valid && choice.rank.bits.rank === rank.U
    io.events.activate(rank)  := choice.activate.valid && choice.activate.bits.rankNumber === rank.U
    io.events.precharge(rank) := ofRank && (choice.rank.bits.operation === RankOperation.precharge ||
      choice.rank.bits.operation === RankOperation.prechargeAll)
    io.events.refresh(rank)       := sequences(rank).io.refresh
    io.events.refreshForced(rank) := sequences(rank).io.refresh && debts(rank).io.forced
    io.events.drain(rank)         := drain.io.starts(rank)
  }
  private val byWrite = choice.column.bits.write
  io.events.column.valid        := choice.column.valid
  io.events.column.bits.write   := byWrite
  io.events.column.bits.rank    := choice.column.bits.rankNumber
  io.events.column.bits.source  := Mux(byWrite, writeEntry.access.payload.source, readEntry.access.payload.source)
  io.events.column.bits.outcome := Mux(byWrite, writeEntry.outcome, readEntry.outcome)
  io.events.forwarded.valid     := forward.fire
  io.events.forwarded.bits      := forward.bits.source
  io.events.merged.valid        := arrivals.io.merge
  io.events.merged.bits         := write.bits.source
  io.events.readQueueLevel      := readQueue.io.level
  io.events.writeQueueLevel     := writeQueue.io.level
}
