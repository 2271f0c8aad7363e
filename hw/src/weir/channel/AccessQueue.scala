// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util._
import weir.config.{Geometry, WeirConfig}
import weir.place.Location

/** An access that is to be put into a queue, or that leaves it. */
class QueuedAccess[T <: Data](geometry: Geometry, gen: T) extends Bundle {
  val location = new Location(geometry)
  val payload  = gen.cloneType
}

/** The entry that goes with a command. */
class ChosenEntry[T <: Data](geometry: Geometry, depth: Int, gen: T) extends Bundle {
  val access  = new QueuedAccess(geometry, gen)
  val slot    = UInt(log2Ceil(depth).W)
  val outcome = RowOutcome()
}

/** Accesses of one class (reads or writes) that wait for their commands.
  *
  * The choice of commands goes in two steps. In the first the queue tells for each bank (rank above bank) whether entries
  * wait whose row is open (`hits`) and whose row is not (`misses`), and [[Channel]] chooses banks among those that the
  * DRAM's rules let have a command. In the second, a cycle later, the queue gives the oldest entry of the chosen bank: of
  * those with an open row for a column command, after which it leaves; of the others for an activate. So nothing is looked
  * up for each entry, and the two steps are short.
  *
  * An entry stays in its slot; who came before whom is kept in a matrix of bits. Each entry keeps whether its row is open:
  * set at once for the entry of an activate, and for others of the same row when the activate is on the DFI.
  *
  * Starvation: `age` comes every `ageLimit` cycles; an entry that has seen two of them is urgent. While the rank of an
  * urgent entry is `served` (else it would hold back the very commands that its turn waits for), entries that are not urgent
  * get no column command in its bank and do not keep the row of its bank open, and while an urgent entry's row is open no
  * others get column commands at all. So an access leaves at the latest `2 * ageLimit` cycles after it came, plus one row
  * conflict (precharge, activate, column) and bus turn for each entry of the queue, the oldest of all one row conflict and
  * a column command with its bus turn for each other entry, counting only cycles in which its rank is neither in refresh
  * nor given to the other queue.
  *
  * Latency: an entry counts in `hits` and `misses` in the cycle after it was taken; with `fastReads` in the same cycle.
  * Throughput: one in and one out in each cycle; a full queue takes no entry in the cycle in which one leaves.
  */
class AccessQueue[T <: Data](config: WeirConfig, depth: Int, gen: T) extends Module {
  private val geometry  = config.geometry
  private val allBanks  = geometry.ranks * geometry.banks
  private val levelBits = log2Ceil(depth + 1)
  private val fast      = config.policies.fastReads

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

    /** Second step: the banks (one-hot) that get a column command and an activate for this queue, and their entries. */
    val column        = Flipped(Valid(UInt(allBanks.W)))
    val columnEntry   = Output(new ChosenEntry(geometry, depth, gen))
    val activate      = Flipped(Valid(UInt(allBanks.W)))
    val activateEntry = Output(new QueuedAccess(geometry, gen))

    /** The bank of `activate` was precharged for an entry's sake. */
    val afterConflict = Input(Bool())

    /** The row that is opened, when its activate is on the DFI; the banks that the chosen commands close. */
    val activated = Flipped(Valid(new ActivateCommand(geometry)))
    val closed    = Input(UInt(allBanks.W))

    /** Ranks that this queue may give commands to: theirs is the turn, and no refresh. */
    val served = Input(UInt(geometry.ranks.W))

    /** `ageLimit` cycles have gone by since the last time. */
    val age = Input(Bool())

    /** Slots that hold an entry, with `fastReads` without the one that leaves; those whose entry is of the line at
      * `search`.
      */
    val held   = Output(UInt(depth.W))
    val search = Input(new Location(geometry))
    val found  = Output(UInt(depth.W))

    val level = Output(UInt(levelBits.W))

    /** Entries of each rank; ranks with entries that have waited too long. */
    val rankLevel = Output(Vec(geometry.ranks, UInt(levelBits.W)))
    val urgent    = Output(UInt(geometry.ranks.W))
  })

  private val valid   = RegInit(0.U(depth.W))
  private val entries = Reg(Vec(depth, new QueuedAccess(geometry, gen)))
  private val banks   = Reg(Vec(depth, UInt(allBanks.W)))
  private val hit     = Reg(UInt(depth.W))
  private val outcome = Reg(Vec(depth, RowOutcome()))

  /** For each slot, the slots whose entry came earlier; meaningful among valid ones. */
  private val earlier = Reg(Vec(depth, UInt(depth.W)))

  private def bits(condition: Int => Bool): UInt = VecInit.tabulate(depth)(condition).asUInt
  private def oldest(set: UInt): UInt            = bits(i => set(i) && !(earlier(i) & set).orR)
  private def banksOf(set: UInt): UInt           =
    banks.zipWithIndex.map { case (mine, i) => Mux(set(i), mine, 0.U(allBanks.W)) }.reduce(_ | _)
  private def ranksOf(banks: UInt): UInt =
    VecInit(banks.asBools.grouped(geometry.banks).map(VecInit(_).asUInt.orR).toSeq).asUInt

  // --- second step: an entry for each chosen bank ---------------------------------------------------------------------
  private def ofBanks(chosen: UInt): UInt = bits(i => (banks(i) & chosen).orR)
  private val column                      = oldest(valid & hit & ofBanks(io.column.bits))
  private val activate                    = oldest(valid & ~hit & ofBanks(io.activate.bits))
  private val leaves                      = Mux(io.column.valid, column, 0.U(depth.W))
  private val opens                       = Mux(io.activate.valid, activate, 0.U(depth.W))
  assert(!io.column.valid || column.orR, "AccessQueue: no entry for the column command that was chosen")
  assert(!io.activate.valid || activate.orR, "AccessQueue: no entry for the activate that was chosen")

  io.columnEntry.access  := Mux1H(column, entries)
  io.columnEntry.slot    := OHToUInt(column)
  io.columnEntry.outcome := RowOutcome.safe(Mux1H(column, outcome.map(_.asUInt)))._1
  io.activateEntry       := Mux1H(activate, entries)

  // --- entries come and go --------------------------------------------------------------------------------------------
  private val free    = ~(valid | io.occupied)
  private val next    = PriorityEncoderOH(free)
  private val taken   = Mux(io.enqueue.valid, next, 0.U(depth.W))
  private val newBank = UIntToOH(io.enqueue.bits.location.rank ## io.enqueue.bits.location.bank, allBanks)
  private val stay    = valid & ~leaves
  io.enqueue.ready := free.orR
  io.next          := next

  valid := stay | taken
  private val opened = bits { i =>
    val row = io.activated.bits
    io.activated.valid && entries(i).location.row === row.row &&
    (entries(i).location.rank ## entries(i).location.bank) === (row.rank ## row.bank)
  }
  private val closed = ofBanks(io.closed)
  hit := (((hit | opens | opened) & ~closed) & ~taken) | Mux(io.enqueueHit, taken, 0.U(depth.W))
  for (i <- 0 until depth) {
    when(taken(i)) {
      entries(i) := io.enqueue.bits
      banks(i)   := newBank
      outcome(i) := RowOutcome.hit
    }
    when(opens(i))(outcome(i) := Mux(io.afterConflict, RowOutcome.conflict, RowOutcome.miss))
    earlier(i) := Mux(taken(i), valid, earlier(i) & ~taken)
  }

  // --- age ------------------------------------------------------------------------------------------------------------
  private val waited = RegInit(0.U(depth.W))
  private val urgent = RegInit(0.U(depth.W))
  waited := Mux(io.age, stay, waited & stay)
  urgent := Mux(io.age, waited & stay, urgent & stay)

  private val servedBanks = FillInterleaved(geometry.banks, io.served)
  private val urgentBanks = banksOf(urgent)
  private val pressed     = RegNext(urgentBanks & servedBanks, 0.U)

  // --- first step -----------------------------------------------------------------------------------------------------
  // where classes rest, what leaves now is gone before the next choice anyway
  private val present    = if (CommandPhases(config).rest) valid else stay
  private val newHits    = if (fast) Mux(io.enqueue.fire && io.enqueueHit, newBank, 0.U) else 0.U
  private val newMisses  = if (fast) Mux(io.enqueue.fire && !io.enqueueHit, newBank, 0.U) else 0.U
  private val urgentHits = banksOf(present & hit & urgent)
  private val onlyUrgent = RegNext((urgentHits & servedBanks).orR, false.B)

  io.hits    := ((banksOf(present & hit) | newHits) & ~pressed) | urgentHits
  io.columns := Mux(onlyUrgent, urgentHits, io.hits)
  io.misses  := banksOf(valid & ~hit) | newMisses

  // --- views ----------------------------------------------------------------------------------------------------------
  // with fastReads what leaves is on the DFI in this cycle, and its data on the way
  private val here = if (fast) stay else valid
  io.held   := here
  io.found  := bits(i => here(i) && entries(i).location.asUInt === io.search.asUInt)
  io.urgent := ranksOf(urgentBanks)

  private val leavesRank = ranksOf(Mux(io.column.valid, io.column.bits, 0.U))
  private val comesRank  = ranksOf(Mux(io.enqueue.fire, newBank, 0.U))
  for (rank <- 0 until geometry.ranks) {
    val count = RegInit(0.U(levelBits.W))
    count              := count + comesRank(rank) - leavesRank(rank)
    io.rankLevel(rank) := count
  }
  io.level := io.rankLevel.reduce(_ +& _)
}
