// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.front.LineReturn
import weir.place.{PlacedRead, PlacedWrite}

/** What a queued read carries. */
class ReadTicket(config: WeirConfig) extends Bundle {
  val source = UInt(config.axi.sourceBits.W)
  val tag    = new weir.front.LineTag(config)
}

/** What a queued write carries: its source and where its data lies in the [[WriteStore]]. */
class WriteTicket(config: WeirConfig) extends Bundle {
  val source = UInt(config.axi.sourceBits.W)
  val index  = UInt(log2Ceil(config.policies.writeQueue).W)
}

/** One channel of DRAM: takes reads and writes of lines, chooses the DRAM commands, returns what was read.
  *
  * In each cycle at most one column command, one activate, and one precharge or refresh go out, as far as they stand in
  * different phases ([[CommandPhases]]); where they share one, column comes before activate before precharge. In a cycle a
  * rank serves either reads or writes ([[WriteDrain]]); writes of a draining rank come before reads of others, which slip in
  * when no write has its row open.
  *
  * Ordering: a write counts as done for all later reads when it is `accepted`. A read whose line waits in the write queue
  * is answered from there if the line is whole; else the rank drains and the read waits. A write whose line waits in the
  * write queue is merged into it, so no two queued writes are of one line. Reads in the queue do not wait for one another
  * and return in any order, each under its tag.
  *
  * Latency: a read taken in cycle 0 has its first command chosen in cycle 1, on the DFI in cycle 2. Throughput: one line
  * read and one line written per cycle in, one column command per cycle out.
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

    val commands = Output(new ChannelCommands(config))

    /** Data and mask (1: keep the byte) of the write command given `writeLatency` cycles before. */
    val writeData = Output(UInt(geometry.lineBits.W))
    val writeMask = Output(UInt(geometry.lineBytes.W))

    /** Data of the oldest read command not yet answered. */
    val readData = Flipped(Valid(UInt(geometry.lineBits.W)))

    val events = Output(new ChannelEvents(config))
  })

  private def bankIndex(rank: UInt, bank: UInt): UInt = rank ## bank
  private def groupOf(bank: UInt): UInt               =
    if (geometry.bankGroups == 1) 0.U(0.W) else bank(geometry.bankBits - 1, log2Ceil(geometry.banksPerGroup))

  // --- state ----------------------------------------------------------------------------------------------------------
  private val table      = Module(new DistanceTable(config))
  private val distances  = table.io.distances
  private val bank       = Seq.fill(allBanks)(Module(new Bank(config)))
  private val rankTimers = Seq.fill(ranks)(Module(new RankTimers(config)))
  private val busTimers  = Module(new BusTimers(config))
  private val debts      = Seq.tabulate(ranks)(rank => Module(new RefreshDebt(config, rank)))
  private val sequences  = Seq.fill(ranks)(Module(new RefreshSequence(config)))
  private val drain      = Module(new WriteDrain(config))
  private val readQueue  = Module(new AccessQueue(config, policies.readQueue, new ReadTicket(config), searches = 0))
  private val writeQueue =
    Module(new AccessQueue(config, policies.writeQueue, new WriteTicket(config), searches = 2))
  private val store = Module(new WriteStore(config))

  table.io.timing := io.control.timing

  // --- accesses come in -----------------------------------------------------------------------------------------------
  private val openVec                                        = VecInit(bank.map(_.io.open)).asUInt
  private val rowVec                                         = VecInit(bank.map(_.io.openRow))
  private def rowIsOpen(location: weir.place.Location): Bool = {
    val index = bankIndex(location.rank, location.bank)
    openVec(index) && rowVec(index) === location.row
  }

  // writes: into the queue, or merged into the queued write of the same line
  private val write = io.writes.bits
  writeQueue.io.search(0) := write.location
  private val merges = writeQueue.io.found(0).valid
  // with no write latency the data of a write that leaves now is read now: too late to merge
  private val mergeTooLate = if (config.phy.writeLatency == 0) merges && writeQueue.io.column.fire else false.B
  io.writes.ready := Mux(merges, !mergeTooLate, writeQueue.io.enqueue.ready && store.io.free.valid)

  writeQueue.io.enqueue.valid               := io.writes.valid && !merges && store.io.free.valid
  writeQueue.io.enqueue.bits.location       := write.location
  writeQueue.io.enqueue.bits.payload.source := write.source
  writeQueue.io.enqueue.bits.payload.index  := store.io.free.bits
  writeQueue.io.enqueueHit                  := rowIsOpen(write.location)

  store.io.put.valid       := io.writes.fire
  store.io.put.bits.merge  := merges
  store.io.put.bits.index  := Mux(merges, writeQueue.io.found(0).bits.index, store.io.free.bits)
  store.io.put.bits.data   := write.data
  store.io.put.bits.strobe := write.strobe

  io.accepted.valid := io.writes.fire
  io.accepted.bits  := write.port

  // reads: into the queue, or answered from the write queue, or held until their write has gone
  private val read = io.reads.bits
  writeQueue.io.search(1) := read.location
  private val queued    = writeQueue.io.found(1)
  private val forwards  = if (policies.forwarding) queued.valid && store.io.full(queued.bits.index) else false.B
  private val forwarded = RegInit(0.U.asTypeOf(Valid(new LineReturn(config))))
  private val freed     = !io.readData.valid
  private val canPark   = !forwarded.valid || freed
  io.reads.ready := Mux(queued.valid, forwards && canPark, readQueue.io.enqueue.ready)

  readQueue.io.enqueue.valid               := io.reads.valid && !queued.valid
  readQueue.io.enqueue.bits.location       := read.location
  readQueue.io.enqueue.bits.payload.source := read.source
  readQueue.io.enqueue.bits.payload.tag    := read.tag
  readQueue.io.enqueueHit                  := rowIsOpen(read.location)

  store.io.peek := queued.bits.index
  private val forward = io.reads.fire && queued.valid
  if (policies.forwarding) {
    when(forward) {
      forwarded.bits.tag  := read.tag
      forwarded.bits.data := store.io.peekedData
    }
    forwarded.valid := forward || (forwarded.valid && !freed)
  }

  // --- commands go out ------------------------------------------------------------------------------------------------
  private val commands = Wire(new ChannelCommands(config))
  io.commands := commands

  private val writes        = drain.io.write
  private val writeRowsOpen = (writeQueue.io.rankHit & writes.asUInt).orR

  /** A bit for each bank, from a condition on its rank, its bank group and its state. */
  private def eachBank(condition: (Int, Int, Bank) => Bool): UInt =
    VecInit
      .tabulate(allBanks) { index =>
        condition(index / banks, index % banks / geometry.banksPerGroup, bank(index))
      }
      .asUInt

  private def serve(queue: AccessQueue[_ <: Data], mine: Int => Bool)(column: (Int, Int, Bank) => Bool): Unit = {
    val served  = VecInit.tabulate(ranks)(rank => mine(rank) && !sequences(rank).io.blocks)
    val permits = queue.io.permits
    queue.io.served  := served.asUInt
    permits.open     := eachBank((_, _, state) => state.io.open)
    permits.column   := eachBank((rank, group, state) => served(rank) && column(rank, group, state))
    permits.activate := eachBank((rank, group, state) =>
      served(rank) && state.io.activatable && rankTimers(rank).io.activatable(group)
    )
    permits.precharge := eachBank((rank, _, state) => served(rank) && state.io.prechargeable)
  }
  serve(readQueue, rank => !writes(rank)) { (rank, group, state) =>
    state.io.readable && busTimers.io.readable(rank)(group) && !writeRowsOpen
  }
  serve(writeQueue, rank => writes(rank)) { (rank, group, state) =>
    state.io.writable && busTimers.io.writable(rank)(group)
  }

  // column: one phase-correct command, writes of draining ranks first
  private val readColumn  = readQueue.io.column
  private val writeColumn = writeQueue.io.column
  writeColumn.ready := true.B
  readColumn.ready  := !writeColumn.valid
  private val columnAt = Mux(writeColumn.valid, writeColumn.bits.location, readColumn.bits.location)
  commands.column.valid       := writeColumn.valid || readColumn.valid
  commands.column.bits.write  := writeColumn.valid
  commands.column.bits.rank   := columnAt.rank
  commands.column.bits.bank   := columnAt.bank
  commands.column.bits.column := columnAt.column

  private def columnTakes(phase: Int): Bool =
    if (phase == phases.read && phase == phases.write) commands.column.valid
    else if (phase == phases.read) readColumn.fire
    else if (phase == phases.write) writeColumn.fire
    else false.B

  // activate
  private val activateFree = !columnTakes(phases.activate)
  writeQueue.io.activate.ready := activateFree
  readQueue.io.activate.ready  := activateFree && !writeQueue.io.activate.valid
  private val activateAt =
    Mux(writeQueue.io.activate.valid, writeQueue.io.activate.bits.location, readQueue.io.activate.bits.location)
  commands.activate.valid     := activateFree && (writeQueue.io.activate.valid || readQueue.io.activate.valid)
  commands.activate.bits.rank := activateAt.rank
  commands.activate.bits.bank := activateAt.bank
  commands.activate.bits.row  := activateAt.row

  // refresh before precharge, in the phase they share
  private val rankFree = !columnTakes(phases.precharge) &&
    (if (phases.precharge == phases.activate) !commands.activate.valid else true.B)
  private val refreshes = Module(new Arbiter(RankOperation(), ranks))
  refreshes.io.in.zip(sequences).foreach { case (in, sequence) => in <> sequence.io.command }
  refreshes.io.out.ready := rankFree

  // a column command that goes out now may be to a bank whose row just came to be wanted
  private def spares(location: weir.place.Location): Bool = !(commands.column.valid &&
    bankIndex(columnAt.rank, columnAt.bank) === bankIndex(location.rank, location.bank))
  private val prechargeFree  = rankFree && !refreshes.io.out.valid
  private val writePrecharge = writeQueue.io.precharge
  private val readPrecharge  = readQueue.io.precharge
  writePrecharge.ready := prechargeFree && spares(writePrecharge.bits.location)
  readPrecharge.ready  := prechargeFree && !writePrecharge.valid && spares(readPrecharge.bits.location)
  private val prechargeAt =
    Mux(writePrecharge.valid, writePrecharge.bits.location, readPrecharge.bits.location)
  commands.rank.valid          := refreshes.io.out.fire || writePrecharge.fire || readPrecharge.fire
  commands.rank.bits.operation :=
    Mux(refreshes.io.out.valid, refreshes.io.out.bits, RankOperation.precharge)
  commands.rank.bits.rank :=
    Mux(refreshes.io.out.valid, refreshes.io.chosen, prechargeAt.rank)
  commands.rank.bits.bank := prechargeAt.bank

  // --- what commands change -------------------------------------------------------------------------------------------
  private val columnBank   = UIntToOH(bankIndex(columnAt.rank, columnAt.bank), allBanks)
  private val activateBank = UIntToOH(bankIndex(activateAt.rank, activateAt.bank), allBanks)
  private val closeBank    = UIntToOH(bankIndex(commands.rank.bits.rank, prechargeAt.bank), allBanks)
  private val closed       = Wire(Vec(allBanks, Bool()))
  for (rank <- 0 until ranks; index <- 0 until banks) {
    val each  = rank * banks + index
    val state = bank(each).io
    closed(each) := commands.rank.valid && Mux(
      commands.rank.bits.operation === RankOperation.prechargeAll,
      commands.rank.bits.rank === rank.U,
      commands.rank.bits.operation === RankOperation.precharge && closeBank(each)
    )
    state.distances := distances
    state.activate  := commands.activate.valid && activateBank(each)
    state.row       := commands.activate.bits.row
    state.read      := commands.column.valid && !commands.column.bits.write && columnBank(each)
    state.write     := commands.column.valid && commands.column.bits.write && columnBank(each)
    state.precharge := closed(each)
  }
  for (rank <- 0 until ranks) {
    val activatesRank = commands.activate.valid && activateAt.rank === rank.U
    rankTimers(rank).io.distances := distances
    rankTimers(rank).io.activate  := activatesRank
    rankTimers(rank).io.group     := groupOf(activateAt.bank)

    val rankBanks = bank.slice(rank * banks, (rank + 1) * banks)
    sequences(rank).io.distances     := distances
    sequences(rank).io.wanted        := debts(rank).io.wanted
    sequences(rank).io.prechargeable := VecInit(rankBanks.map(_.io.prechargeable)).asUInt.andR
    sequences(rank).io.open          := VecInit(rankBanks.map(_.io.open)).asUInt.orR
    sequences(rank).io.activatable   := VecInit(rankBanks.map(_.io.activatable)).asUInt.andR
    debts(rank).io.interval          := distances.refreshInterval
    debts(rank).io.postpone          := io.control.refreshPostpone
    debts(rank).io.refresh           := sequences(rank).io.refresh
    debts(rank).io.idle              := readQueue.io.rankLevel(rank) === 0.U &&
      !(writes(rank) && writeQueue.io.rankLevel(rank) =/= 0.U)

    io.events.activate(rank)  := activatesRank
    io.events.precharge(rank) := commands.rank.valid && commands.rank.bits.rank === rank.U &&
      (commands.rank.bits.operation === RankOperation.precharge ||
        commands.rank.bits.operation === RankOperation.prechargeAll)
    io.events.refresh(rank)       := sequences(rank).io.refresh
    io.events.refreshForced(rank) := sequences(rank).io.refresh && debts(rank).io.forced
    io.events.drain(rank)         := drain.io.starts(rank)
  }
  busTimers.io.distances := distances
  busTimers.io.column    := commands.column.valid
  busTimers.io.write     := commands.column.bits.write
  busTimers.io.rank      := columnAt.rank
  busTimers.io.group     := groupOf(columnAt.bank)

  private val activated = RegInit(0.U.asTypeOf(Valid(new ActivateCommand(geometry))))
  activated := commands.activate
  private val wasClosed = RegNext(closed.asUInt, 0.U)
  readQueue.io.activated  := activated
  readQueue.io.closed     := wasClosed
  readQueue.io.ageLimit   := io.control.ageLimit
  writeQueue.io.activated := activated
  writeQueue.io.closed    := wasClosed
  writeQueue.io.ageLimit  := io.control.ageLimit

  drain.io.highWaterMark   := io.control.highWaterMark
  drain.io.lowWaterMark    := io.control.lowWaterMark
  drain.io.writes          := writeQueue.io.rankLevel
  drain.io.writesFull      := !writeQueue.io.enqueue.ready || !store.io.free.valid
  drain.io.reads           := readQueue.io.level
  drain.io.readUrgent      := readQueue.io.urgent
  drain.io.writeUrgent     := writeQueue.io.urgent
  drain.io.oldestWriteRank := writeQueue.io.oldestRank
  drain.io.writeIssued     := writeColumn.fire
  drain.io.readIssued      := readColumn.fire
  for (rank <- 0 until ranks)
    drain.io.hazard(rank) := io.reads.valid && queued.valid && !forwards && read.location.rank === rank.U

  // --- data -----------------------------------------------------------------------------------------------------------
  store.io.take.valid := writeColumn.fire
  store.io.take.bits  := writeColumn.bits.payload.index
  io.writeData        := store.io.taken.bits
  io.writeMask        := store.io.takenMask

  // reads come back in the order of their commands; a stray one (from software's hand on the DFI) is dropped
  private val returning =
    Module(new Queue(new weir.front.LineTag(config), 1 << log2Ceil(config.phy.readLatency + 4)))
  returning.io.enq.valid := readColumn.fire
  returning.io.enq.bits  := readColumn.bits.payload.tag
  returning.io.deq.ready := io.readData.valid
  assert(returning.io.enq.ready || !readColumn.fire, "Channel: more reads under way than the PHY's latency allows")

  io.returns.valid     := (io.readData.valid && returning.io.deq.valid) || forwarded.valid
  io.returns.bits.tag  := Mux(io.readData.valid, returning.io.deq.bits, forwarded.bits.tag)
  io.returns.bits.data := Mux(io.readData.valid, io.readData.bits, forwarded.bits.data)
  // a stray return must not be taken for the parked one
  when(io.readData.valid)(io.returns.valid := returning.io.deq.valid)

  // --- events ---------------------------------------------------------------------------------------------------------
  io.events.column.valid       := commands.column.valid
  io.events.column.bits.write  := commands.column.bits.write
  io.events.column.bits.rank   := columnAt.rank
  io.events.column.bits.source := Mux(
    writeColumn.valid,
    writeColumn.bits.payload.source,
    readColumn.bits.payload.source
  )
  io.events.column.bits.outcome := Mux(writeColumn.valid, writeColumn.bits.outcome, readColumn.bits.outcome)
  io.events.forwarded.valid     := forward
  io.events.forwarded.bits      := read.source
  io.events.merged.valid        := io.writes.fire && merges
  io.events.merged.bits         := write.source
  io.events.readQueueLevel      := readQueue.io.level
  io.events.writeQueueLevel     := writeQueue.io.level
}
