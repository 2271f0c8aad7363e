// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3._
import chisel3.util._
import weir.channel.ChannelEvents
import weir.config.WeirConfig

/** Which sources' reads of which ranks of a channel stand still in this cycle, and why.
  *
  * A source waits at a rank while it has a read of the rank in the read queue, or the oldest read in front of the queue is
  * one. It is stalled in each cycle in which it waits and no read command of it goes to the rank, and each such cycle has
  * one [[StallCause]]. Reads further back, still in `front` or `place`, are not seen.
  *
  * Latency: none from `events` to `stalled`.
  */
class ReadStalls(config: WeirConfig) extends Module {
  private val sources = config.axi.sources
  private val ranks   = config.geometry.ranks
  private val slots   = config.policies.readQueue

  val io = IO(new Bundle {
    val events  = Input(new ChannelEvents(config))
    val stalled = Output(Vec(sources, Vec(ranks, Valid(StallCause()))))
  })
  private val events   = io.events
  private val queued   = events.readQueued
  private val column   = events.column
  private val readGoes = column.valid && !column.bits.write

  // --- the reads in the queue, by slot: the bank of each, and for each source and rank which are its own
  private val banks  = Reg(Vec(slots, UInt((queued.bits.rank.getWidth + queued.bits.bank.getWidth).W)))
  private val taken  = Mux(queued.valid, UIntToOH(queued.bits.slot, slots), 0.U)
  private val leaves = Mux(readGoes, UIntToOH(column.bits.slot, slots), 0.U)
  for (i <- 0 until slots) when(taken(i))(banks(i) := queued.bits.rank ## queued.bits.bank)

  // compared slot by slot in each cycle they took a third of a simulator's time
  private val owned = Seq.tabulate(sources, ranks) { (s, r) =>
    val reads = RegInit(0.U(slots.W))
    val comes = queued.bits.source === s.U && queued.bits.rank === r.U
    reads := (reads & ~leaves) | Mux(comes, taken, 0.U)
    reads
  }

  private def bits(condition: Int => Bool): UInt = VecInit.tabulate(slots)(condition).asUInt
  private val ready                              = bits(i => events.readsOpen(i) && events.readableBanks(banks(i)))
  private val permitted                          = bits(i => events.readsOpen(i) && events.readBanks(banks(i)))

  // --- the column command before, from which the bus may have to turn
  private val lastWasRead = RegEnable(!column.bits.write, true.B, column.valid)
  private val lastRank    = RegEnable(column.bits.rank, 0.U(column.bits.rank.getWidth.W), column.valid)

  // from one pseudo-rank to another the bus need not turn
  private def otherRank(rank: Int): Bool = if (config.geometry.pseudoRanks > 1) false.B else lastRank =/= rank.U

  for (s <- 0 until sources; r <- 0 until ranks) {
    val mine    = owned(s)(r)
    val inQueue = mine.orR
    val held    = events.readHeld.valid && events.readHeld.bits.source === s.U && events.readHeld.bits.rank === r.U
    val goes    = readGoes && column.bits.source === s.U && column.bits.rank === r.U
    val turns   = !lastWasRead || otherRank(r)

    io.stalled(s)(r).valid := (inQueue || held) && !goes
    io.stalled(s)(r).bits  := MuxCase(
      StallCause.bus,
      Seq(
        events.blocked(r)                           -> StallCause.refresh,
        events.writesTurn(r)                        -> StallCause.writeDrain,
        (!inQueue && events.readHeld.bits.forWrite) -> StallCause.writeDrain,
        !inQueue                                    -> StallCause.queueFull,
        !(mine & ready).orR                         -> StallCause.bank,
        (!(mine & permitted).orR && turns)          -> StallCause.turnaround
      )
    )
  }
}
