// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.device.Geometry
import weir.place.Location

/** An access that is to be put into a queue, or that leaves it. */
class QueuedAccess[T <: Data](geometry: Geometry, gen: T) extends Bundle {
  val location = new Location(geometry)
  val payload  = gen.cloneType
}

/** The entry that goes with a column command. */
class ChosenEntry[T <: Data](geometry: Geometry, depth: Int, gen: T) extends Bundle {
  val column  = UInt(geometry.lineColumnBits.W)
  val payload = gen.cloneType
  val slot    = UInt(log2Ceil(depth).W)
}

object AccessQueue {

  /** Entries of a bank that make it crowded: the average of a full write queue of 64 over the banks of two ranks. */
  val crowdedFrom = 4
}

/** Accesses of one class (reads or writes) that wait for their commands.
  *
  * The choice of commands goes in two steps. In the first the queue tells for each bank (rank above bank) whether entries
  * wait whose row is open (`hits`) and whose row is not (`misses`), and [[Channel]] chooses banks among those that the
  * DRAM's rules let have a command. In the second, a cycle later, the queue gives the oldest entry of the chosen bank: of
  * those with an open row for a column command, after which it leaves; of the others for an activate. So nothing is looked
  * up for each entry, and the two steps are short.
  *
  * An entry stays in its slot, and [[ArrivalOrder]] tells who came before whom. Each entry keeps whether its row is open:
  * set at once for the entry of an activate, and for others of the same row when the activate is on the DFI.
  *
  * Starvation: `age` comes every `ageLimit` cycles; an entry that has seen two of them is urgent. While the rank of an
  * urgent entry is `served` (else it would hold back the very commands that its turn waits for), entries that are not urgent
  * get no column command in its bank and do not keep the row of its bank open, and while an urgent entry's row is open no
  * others get column commands at all (with one rank and no bank groups the turns of the banks do as well). So an access
  * leaves at the latest `2 * ageLimit` cycles after it came, plus one row conflict (precharge, activate, column) and bus turn
  * for each entry of the queue, the oldest of all one row conflict and a column command with its bus turn for each other
  * entry, counting only cycles in which its rank is neither in refresh nor given to the other queue.
  *
  * Latency: an entry counts in `hits` and `misses` in the cycle in which it is taken, with `Pipeline.entry` in the next.
  * Throughput: one in and one out in each cycle; a full queue takes no entry in the cycle in which one leaves.
  */
class AccessQueue[T <: Data](config: WeirConfig, depth: Int, gen: T) extends Module {
  private val geometry  = config.geometry
  private val allBanks  = geometry.ranks * geometry.banks
  private val bankBits  = log2Ceil(allBanks)
  private val levelBits = log2Ceil(depth + 1)
  private val pipeline  = config.pipeline

  val io = IO(new Bundle {
    val enqueue = Flipped(Decoupled(new QueuedAccess(geometry, gen)))

    /** The row of the entry that is offered is open, the commands under way taken into account. */
    val enqueueHit = Input(Bool())

    /** Slots that may not be taken yet, and the slot that the next entry gets (one-hot). */
    val occupied = Input(UInt(depth.W))
    val next     = Output(UInt(depth.W))

    /** First step: banks with an entry whose row is open; those of them that may have a column command as far as urgent
      * entries allow; banks with an entry whose row is not open.
      */
    val hits    = Output(UInt(allBanks.W))
    val columns = Output(UInt(allBanks.W))
    val misses  = Output(UInt(allBanks.W))

    /** Banks with at least [[AccessQueue.crowdedFrom]] entries: where their rows are opened first, fewer banks run empty and more
      * of them work at a time; and those with urgent entries, so that these have their turn all the same. Only with
      * `Policies.crowdedFirst`, else none, which spares the counts.
      */
    val crowded = Output(UInt(allBanks.W))

    /** Banks with an entry whose row is open, whether urgent entries let it have its command or not. */
    val waiting = Output(UInt(allBanks.W))

    /** Second step: the banks (their numbers, rank above bank) that get a column command and an activate for this queue,
      * and their entries, which are there when the commands are on the DFI: at once, with `Pipeline.command` a cycle later.
      * Never both in one cycle where classes rest.
      */
    val column      = Flipped(Valid(UInt(bankBits.W)))
    val columnEntry = Output(new ChosenEntry(geometry, depth, gen))
    val activate    = Flipped(Valid(UInt(bankBits.W)))
    val activateRow = Output(UInt(geometry.rowBits.W))

    /** The bank that has been chosen for an activate, for this queue or another; its row, when it is on the DFI; the bank
      * that is closed, or with it all banks of its rank.
      */
    val opens     = Flipped(Valid(UInt(bankBits.W)))
    val openedRow = Input(UInt(geometry.rowBits.W))
    val closes    = Flipped(Valid(UInt(bankBits.W)))
    val closesAll = Input(Bool())

    /** Ranks that this queue may give commands to: theirs is the turn, and no refresh. */
    val served = Input(UInt(geometry.ranks.W))

    /** Banks of an emulated memory that are still busy with what came before: nobody stands back for an urgent entry of theirs. */
    val busy = config.emulated.map(_ => Input(UInt(allBanks.W)))

    /** `ageLimit` cycles have gone by since the last time. */
    val age = Input(Bool())

    /** Slots that hold an entry, without `Pipeline.command` without the one that leaves; those whose entry has
      * the mark of the line at `search` ([[AddressHash]]).
      */
    val held   = Output(UInt(depth.W))
    val search = Input(new Location(geometry))
    val found  = Output(UInt(depth.W))

    /** Of the slots that hold an entry, those whose row is open. */
    val open = Output(UInt(depth.W))

    val level = Output(UInt(levelBits.W))

    /** Entries of each rank; ranks with entries that have waited too long. */
    val rankLevel = Output(Vec(geometry.ranks, UInt(levelBits.W)))
    val urgent    = Output(UInt(geometry.ranks.W))
  })

  private val valid   = RegInit(0.U(depth.W))
  private val banks   = Reg(Vec(depth, UInt(bankBits.W)))
  private val bankBit = Reg(Vec(depth, UInt(allBanks.W)))
  private val rows    = Reg(Vec(depth, UInt(geometry.rowBits.W)))
  private val marks   = Reg(Vec(depth, UInt(AddressHash.bits(config).W)))
  private val hit     = Reg(UInt(depth.W))

  // what is read of one entry at a time
  private val columns  = Mem(depth, UInt(geometry.lineColumnBits.W))
  private val payloads = Mem(depth, gen)
  private val rowsRead = Mem(depth, UInt(geometry.rowBits.W))

  /** Where there is a register at each step, area matters most. */
  private val order = Module(new ArrivalOrder(depth, half = pipeline.entry))

  private def bits(condition: Int => Bool): UInt = VecInit.tabulate(depth)(condition).asUInt
  private def oldest(set: UInt): UInt            =
    bits(i => set(i) && !(set & order.io.before(i)).orR)
  private def banksOf(set: UInt): UInt =
    bankBit.zipWithIndex.map { case (mine, i) => Mux(set(i), mine, 0.U(allBanks.W)) }.reduce(_ | _)
  private def bankIndex(location: Location): UInt = (location.rank ## location.bank)(bankBits - 1, 0)
  private def rankOf(bank: UInt): UInt            = (bank >> geometry.bankBits).pad(1)
  private def inRank(bank: UInt): UInt            = bank(geometry.bankBits - 1, 0)
  private def ranksOf(banks: UInt): UInt          =
    VecInit(banks.asBools.grouped(geometry.banks).map(VecInit(_).asUInt.orR).toSeq).asUInt

  // --- second step: an entry for each chosen bank ---------------------------------------------------------------------
  private def ofBank(bank: UInt): UInt = bits(i => banks(i) === bank)
  private val (column, activate)       =
    if (CommandPhases(config).classesRest) {
      val rowOpen = Mux(io.column.valid, hit, ~hit)
      val chosen  = oldest(valid & rowOpen & ofBank(Mux(io.column.valid, io.column.bits, io.activate.bits)))
      assert(!(io.column.valid && io.activate.valid), "AccessQueue: a column command and an activate in one cycle")
      (chosen, chosen)
    } else (oldest(valid & hit & ofBank(io.column.bits)), oldest(valid & ~hit & ofBank(io.activate.bits)))
  private val leaves = Mux(io.column.valid, column, 0.U(depth.W))
  private val opens  = Mux(io.activate.valid, activate, 0.U(depth.W))
  assert(!io.column.valid || column.orR, "AccessQueue: no entry for the column command that was chosen")
  assert(!io.activate.valid || activate.orR, "AccessQueue: no entry for the activate that was chosen")

  private def onDfi[D <: Data](value: D): D = if (pipeline.command) RegNext(value) else value
  private val columnSlot                    = onDfi(OHToUInt(column))
  io.columnEntry.slot    := columnSlot
  io.columnEntry.column  := columns.read(columnSlot)
  io.columnEntry.payload := payloads.read(columnSlot)
  io.activateRow         := rowsRead.read(onDfi(OHToUInt(activate)))

  // --- entries come and go --------------------------------------------------------------------------------------------
  private val free    = ~(valid | io.occupied)
  private val next    = PriorityEncoderOH(free)
  private val taken   = Mux(io.enqueue.valid, next, 0.U(depth.W))
  private val newBank = bankIndex(io.enqueue.bits.location)
  private val newBit  = UIntToOH(newBank, allBanks)
  private val stay    = valid & ~leaves
  io.enqueue.ready := free.orR
  io.next          := next

  valid := stay | taken
  // entries of the bank that is opened: the activate is on the DFI at once, or a cycle later
  private val ofOpening = Mux(io.opens.valid, ofBank(io.opens.bits), 0.U(depth.W))
  private val newOpens  = io.opens.valid && newBank === io.opens.bits
  private val ofOpened  =
    if (pipeline.command) RegNext((ofOpening & ~taken) | Mux(newOpens, taken, 0.U(depth.W)), 0.U(depth.W))
    else ofOpening
  private val opened  = ofOpened & bits(i => rows(i) === io.openedRow)
  private val closing = bits { i =>
    val ofRank = rankOf(banks(i)) === rankOf(io.closes.bits)
    val ofBank = inRank(banks(i)) === inRank(io.closes.bits)
    if (config.refreshedTogether) io.closesAll || ofRank && ofBank else ofRank && (io.closesAll || ofBank)
  }
  private val closed = Mux(io.closes.valid, closing, 0.U(depth.W))
  hit := (((hit | opens | opened) & ~closed) & ~taken) | Mux(io.enqueueHit, taken, 0.U(depth.W))

  order.io.taken := taken

  private val access  = io.enqueue.bits
  private val newMark = AddressHash(config, access.location)
  for (i <- 0 until depth) {
    when(taken(i)) {
      banks(i)   := newBank
      bankBit(i) := newBit
      rows(i)    := access.location.row
      marks(i)   := newMark
    }
  }
  when(io.enqueue.fire) {
    val slot = OHToUInt(next)
    columns.write(slot, access.location.column)
    payloads.write(slot, access.payload)
    rowsRead.write(slot, access.location.row)
  }

  // --- age ------------------------------------------------------------------------------------------------------------
  private val waited = RegInit(0.U(depth.W))
  private val urgent = RegInit(0.U(depth.W))
  waited := Mux(io.age, stay, waited & stay)
  urgent := Mux(io.age, waited & stay, urgent & stay)

  private val servedBanks = FillInterleaved(geometry.banks, io.served)
  private val urgentBanks = banksOf(urgent)
  private val standBack   = RegNext(urgentBanks & servedBanks, 0.U)

  // --- first step -----------------------------------------------------------------------------------------------------
  // where classes rest, what leaves now is gone before the next choice anyway
  private val present    = if (CommandPhases(config).classesRest) valid else stay
  private val newHits    = if (pipeline.entry) 0.U else Mux(io.enqueue.fire && io.enqueueHit, newBit, 0.U)
  private val newMisses  = if (pipeline.entry) 0.U else Mux(io.enqueue.fire && !io.enqueueHit, newBit, 0.U)
  private val urgentHits = banksOf(present & hit & urgent)
  // where all banks share one bus rule they have their turns, and need not stand back
  private val onlyUrgent =
    if (geometry.ranks == 1 && geometry.bankGroups == 1) false.B
    else RegNext(io.busy.foldLeft(urgentHits & servedBanks)(_ & ~_).orR, false.B)

  io.waiting := banksOf(present & hit) | newHits
  io.hits    := (io.waiting & ~standBack) | urgentHits
  io.columns := Mux(onlyUrgent, urgentHits, io.hits)
  io.misses  := banksOf(valid & ~hit) | newMisses

  // --- views ----------------------------------------------------------------------------------------------------------
  // what leaves is on the DFI in this cycle, and its data on the way, or both are a cycle later
  private val here = if (pipeline.command) valid else stay
  private val mark = AddressHash(config, io.search)
  io.held   := here
  io.found  := bits(i => here(i) && marks(i) === mark)
  io.open   := hit
  io.urgent := ranksOf(urgentBanks)

  /** How many entries there are of each bank, or of each rank, from those of which one comes or leaves. */
  private def counts(comes: UInt, leaves: UInt): Seq[UInt] = Seq.tabulate(comes.getWidth) { at =>
    val count = RegInit(0.U(levelBits.W))
    count := count + comes(at) - leaves(at)
    count
  }
  private def ifComes(what: UInt): UInt  = Mux(io.enqueue.fire, what, 0.U(what.getWidth.W))
  private def ifLeaves(what: UInt): UInt = Mux(io.column.valid, what, 0.U(what.getWidth.W))

  io.crowded := (if (config.policies.crowdedFirst) {
                   val ofBanks = counts(ifComes(newBit), ifLeaves(UIntToOH(io.column.bits, allBanks)))
                   VecInit(ofBanks.map(_ >= AccessQueue.crowdedFrom.U)).asUInt | urgentBanks
                 } else 0.U)

  private def rankBit(bank: UInt): UInt = UIntToOH(rankOf(bank), geometry.ranks)
  io.rankLevel := VecInit(counts(ifComes(rankBit(newBank)), ifLeaves(rankBit(io.column.bits))))
  io.level     := io.rankLevel.reduce(_ +& _)(levelBits - 1, 0)
}
