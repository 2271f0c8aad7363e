// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util._
import weir.config.{Geometry, WeirConfig}
import weir.place.Location

/** What the banks let one class of accesses (reads or writes) do in this cycle, with all rules of bank, rank, bus, refresh
  * and drain taken together; a bit for each bank, rank above bank.
  */
class BankPermits(banks: Int) extends Bundle {
  val open      = UInt(banks.W)
  val column    = UInt(banks.W)
  val activate  = UInt(banks.W)
  val precharge = UInt(banks.W)
}

/** An access that could have a command now, with its row buffer outcome so far. */
class Candidate[T <: Data](geometry: Geometry, gen: T) extends Bundle {
  val location = new Location(geometry)
  val outcome  = RowOutcome()
  val payload  = gen.cloneType
}

/** Accesses that wait, oldest first, and which of them could have which command in this cycle: first ready, first come,
  * first served.
  *
  * The queue collapses: an access that leaves moves all younger ones up, so an entry's position is its age. Each entry
  * keeps whether its row is open (`hit`), updated one cycle after the command that opens or closes it; tRCD and tRP span
  * that cycle.
  *
  * Candidates: the oldest entry whose row is open and whose bank may have a column command; the oldest whose bank is closed
  * and may be activated; the oldest whose bank has another row open that no entry of this queue still wants.
  *
  * Starvation: an entry that has been the oldest for `ageLimit` cycles becomes urgent. Then, while its rank is `served`
  * (else it would hold back the very commands that its turn waits for), no younger entry of this queue gets a column command
  * in its bank, its bank is precharged even though younger entries hit the open row, and once its own
  * row is open no younger entry of this queue gets any column command. So the oldest entry leaves at the latest `ageLimit`
  * plus one row conflict (precharge, activate, column) plus the longest bus turn after it became the oldest, counting only
  * cycles in which its rank is neither in refresh nor given to the other queue; an entry that `n` others precede leaves
  * within `n + 1` times that.
  *
  * Latency: an entry is a candidate in the cycle after it was taken. Throughput: one in and one out in each cycle; a full
  * queue takes no entry in the cycle in which one leaves.
  *
  * @param searches ports that look an address up among the entries
  */
class AccessQueue[T <: Data](config: WeirConfig, depth: Int, gen: T, searches: Int) extends Module {
  private val geometry  = config.geometry
  private val allBanks  = geometry.ranks * geometry.banks
  private val levelBits = log2Ceil(depth + 1)

  val io = IO(new Bundle {
    val enqueue = Flipped(Decoupled(new Bundle {
      val location = new Location(geometry)
      val payload  = gen.cloneType
    }))

    /** The row of the entry that is offered is open now. */
    val enqueueHit = Input(Bool())

    /** Rows opened and banks (rank above bank) closed in the cycle before. */
    val activated = Input(Valid(new ActivateCommand(geometry)))
    val closed    = Input(UInt(allBanks.W))

    /** Ranks, a bit for each, that this queue may give commands to: theirs is the turn, and no refresh. */
    val served   = Input(UInt(geometry.ranks.W))
    val permits  = Input(new BankPermits(allBanks))
    val ageLimit = Input(UInt(12.W))

    val column    = Decoupled(new Candidate(geometry, gen))
    val activate  = Decoupled(new Candidate(geometry, gen))
    val precharge = Decoupled(new Candidate(geometry, gen))

    val search = Input(Vec(searches, new Location(geometry)))
    val found  = Output(Vec(searches, Valid(gen.cloneType)))

    val level = Output(UInt(levelBits.W))

    /** The oldest entry has waited too long. */
    val urgent = Output(Bool())

    /** Rank of the oldest entry; only meaningful when `level` is not 0. */
    val oldestRank = Output(UInt(geometry.rankBits.W))

    /** Entries of each rank. */
    val rankLevel = Output(Vec(geometry.ranks, UInt(levelBits.W)))

    /** Ranks with an entry whose row is open (one cycle late). */
    val rankHit = Output(UInt(geometry.ranks.W))
  })

  private class Entry extends Bundle {
    val location = new Location(geometry)
    val payload  = gen.cloneType
    val hit      = Bool()
    val outcome  = RowOutcome()
  }

  private def bankIndex(location: Location): UInt = location.rank ## location.bank

  private val valid   = RegInit(VecInit(Seq.fill(depth)(false.B)))
  private val entries = Reg(Vec(depth, new Entry))
  private val level   = RegInit(0.U(levelBits.W))

  // --- candidates -----------------------------------------------------------------------------------------------------
  private val oldestAge = RegInit(0.U(12.W))
  private val urgent    = RegInit(false.B)
  private val presses   = urgent && io.served(entries(0).location.rank)
  private val headBank  = UIntToOH(bankIndex(entries(0).location), allBanks)

  private val bankHit = RegInit(0.U(allBanks.W))
  bankHit := VecInit
    .tabulate(depth)(i => Mux(valid(i) && entries(i).hit, UIntToOH(bankIndex(entries(i).location), allBanks), 0.U))
    .reduce(_ | _)

  private val wantsColumn = VecInit
    .tabulate(depth) { i =>
      val permit   = io.permits.column(bankIndex(entries(i).location))
      val sameBank = headBank(bankIndex(entries(i).location))
      val passes   = if (i == 0) true.B else !(presses && (entries(0).hit || sameBank))
      valid(i) && entries(i).hit && permit && passes
    }
    .asUInt
  private val wantsActivate = VecInit
    .tabulate(depth) { i =>
      valid(i) && io.permits.activate(bankIndex(entries(i).location))
    }
    .asUInt
  private val wantsPrecharge = VecInit
    .tabulate(depth) { i =>
      val bank   = bankIndex(entries(i).location)
      val spared = bankHit(bank) && (if (i == 0) !presses else true.B)
      valid(i) && !entries(i).hit && io.permits.open(bank) && io.permits.precharge(bank) && !spared
    }
    .asUInt

  private def offer(port: DecoupledIO[Candidate[T]], wants: UInt): UInt = {
    val chosen = PriorityEncoderOH(wants)
    port.valid         := wants.orR
    port.bits.location := Mux1H(chosen, entries.map(_.location))
    port.bits.payload  := Mux1H(chosen, entries.map(_.payload))
    port.bits.outcome  := RowOutcome.safe(Mux1H(chosen, entries.map(_.outcome.asUInt)))._1
    Mux(port.ready, chosen, 0.U)
  }
  private val leaves     = offer(io.column, wantsColumn)
  private val activates  = offer(io.activate, wantsActivate)
  private val precharges = offer(io.precharge, wantsPrecharge)
  private val left       = io.column.fire

  // --- entries move up ------------------------------------------------------------------------------------------------
  private val updated = VecInit.tabulate(depth) { i =>
    val entry  = entries(i)
    val bank   = bankIndex(entry.location)
    val opened = io.activated.valid && bank === (io.activated.bits.rank ## io.activated.bits.bank) &&
      entry.location.row === io.activated.bits.row
    val next = WireInit(entry)
    next.hit                                    := (entry.hit || opened) && !io.closed(bank)
    when(precharges(i))(next.outcome                                    := RowOutcome.conflict)
    when(activates(i) && entry.outcome === RowOutcome.hit)(next.outcome := RowOutcome.miss)
    next
  }

  private val added = Wire(new Entry)
  added.location := io.enqueue.bits.location
  added.payload  := io.enqueue.bits.payload
  added.hit      := io.enqueueHit
  added.outcome  := RowOutcome.hit

  io.enqueue.ready := level =/= depth.U
  private val tail = level - left

  for (i <- 0 until depth) {
    val movesUp   = leaves(i, 0).orR
    val above     = if (i + 1 < depth) updated(i + 1) else updated(i)
    val fromAbove = if (i + 1 < depth) valid(i + 1) else false.B
    val taken     = io.enqueue.fire && tail === i.U
    entries(i) := Mux(taken, added, Mux(movesUp, above, updated(i)))
    valid(i)   := taken || Mux(movesUp, fromAbove, valid(i))
  }
  level := level + io.enqueue.fire - left

  // --- age ------------------------------------------------------------------------------------------------------------
  when(leaves(0) || !valid(0)) {
    oldestAge := 0.U
    urgent    := false.B
  }.otherwise {
    urgent := oldestAge >= io.ageLimit
    when(oldestAge < io.ageLimit)(oldestAge := oldestAge + 1.U)
  }

  // --- views ----------------------------------------------------------------------------------------------------------
  for ((address, found) <- io.search.zip(io.found)) {
    val matches = VecInit.tabulate(depth)(i => valid(i) && entries(i).location.asUInt === address.asUInt)
    found.valid := matches.asUInt.orR
    found.bits  := Mux1H(matches, entries.map(_.payload))
  }
  io.level      := level
  io.urgent     := urgent
  io.oldestRank := entries(0).location.rank
  io.rankHit    := VecInit
    .tabulate(geometry.ranks)(rank => bankHit(geometry.banks * (rank + 1) - 1, geometry.banks * rank).orR)
    .asUInt

  for (rank <- 0 until geometry.ranks) {
    val count = RegInit(0.U(levelBits.W))
    count := count +
      (io.enqueue.fire && io.enqueue.bits.location.rank === rank.U) -
      (left && io.column.bits.location.rank === rank.U)
    io.rankLevel(rank) := count
  }

  assert(!(io.enqueue.fire && level === depth.U), "AccessQueue: entry taken while full")
}
