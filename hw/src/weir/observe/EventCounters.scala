// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3._
import chisel3.util.{PopCount, Valid}
import weir.channel.{ChannelEvents, RowOutcome}
import weir.config.WeirConfig

/** Everything that Weir counts. To count something new, add a counter to a group below, with the first number that the group
  * has not used; the hardware of [[Observe]] and the register map follow. Ranks of all channels are counted through, the
  * channel above the rank.
  */
object EventCounters {
  def groups(config: WeirConfig): Seq[CounterGroup] = new EventCounters(config).groups
}

private class EventCounters(config: WeirConfig) {
  private val channels = Option.when(config.channels > 1)("channel" -> config.channels).toSeq
  private val ranks    = "rank"   -> config.channels * config.geometry.ranks
  private val sources  = "source" -> config.axi.sources

  // --- how a counter looks at what is observed -------------------------------------------------------------------------
  private def ofChannel(
      number: Int,
      name: String,
      description: String,
      most: Int,
      level: ChannelEvents => UInt
  ): EventCounter =
    EventCounter(number, name, description, most, (seen, at) => level(seen.channels(at.headOption.getOrElse(0)).events))

  /** The channel and the rank in it with this number among all. */
  private def inChannel(rank: Int): (Int, Int) = (rank / config.geometry.ranks, rank % config.geometry.ranks)

  private def ofRank(
      number: Int,
      name: String,
      description: String,
      event: (ObservedChannel, Int) => Bool
  ): EventCounter =
    EventCounter(
      number,
      name,
      description,
      1,
      { case (seen, at) =>
        val (channel, rank) = inChannel(at.head)
        event(seen.channels(channel), rank)
      }
    )

  private def ofSource(
      number: Int,
      name: String,
      description: String,
      event: ChannelEvents => Valid[UInt]
  ): EventCounter =
    EventCounter(
      number,
      name,
      description,
      config.channels,
      (seen, at) =>
        PopCount(seen.channels.map(channel => event(channel.events)).map(each => each.valid && each.bits === at.head.U))
    )

  private def ofColumn(
      number: Int,
      name: String,
      description: String,
      write: Boolean,
      outcome: RowOutcome.Type
  ): EventCounter =
    EventCounter(
      number,
      name,
      description,
      1,
      { case (seen, at) =>
        val (channel, rank) = inChannel(at(1))
        val column          = seen.channels(channel).events.column
        column.valid && column.bits.write === write.B && column.bits.outcome === outcome &&
        column.bits.source === at(0).U && column.bits.rank === rank.U
      },
      at => Some(s"columns of channel ${inChannel(at(1))._1}")
    )

  private def ofSourceAndRank(
      number: Int,
      name: String,
      description: String,
      most: Int,
      growth: (ObservedChannel, Int, Int) => UInt
  ): EventCounter =
    EventCounter(
      number,
      name,
      description,
      most,
      { case (seen, at) =>
        val (channel, rank) = inChannel(at(1))
        growth(seen.channels(channel), at(0), rank)
      }
    )

  private def stall(number: Int, cause: StallCause.Type, name: String, description: String): EventCounter =
    ofSourceAndRank(
      number,
      s"stalls_$name",
      s"Cycles in which the source had a read waiting at the rank and none went out, $description.",
      1,
      (channel, source, rank) => channel.stalled(source)(rank).valid && channel.stalled(source)(rank).bits === cause
    )

  // --- level "events" ---------------------------------------------------------------------------------------------------
  private val cycles = Seq(
    EventCounter(0, "cycles", "Controller cycles since reset.", 1, (seen, _) => seen.running),
    ofChannel(
      1,
      "read_queue_level_sum",
      "Level of the read queue, summed over all cycles.",
      config.policies.readQueue,
      _.readQueueLevel
    ),
    ofChannel(
      2,
      "write_queue_level_sum",
      "Level of the write queue, summed over all cycles.",
      config.policies.writeQueue,
      _.writeQueueLevel
    )
  )

  private val commands = Seq(
    ofRank(0, "activates", "Activate commands.", _.events.activate(_)),
    ofRank(1, "precharges", "Precharge commands, a precharge of all banks counted once.", _.events.precharge(_)),
    ofRank(2, "refreshes", "Refresh commands.", _.events.refresh(_)),
    ofRank(3, "refreshes_forced", "Refreshes forced because as many were owed as may be.", _.events.refreshForced(_)),
    ofRank(4, "drains", "Drains of queued writes that began.", _.events.drain(_))
  )

  private val queueAnswers = Seq(
    ofSource(0, "forwarded", "Reads answered from the write queue.", _.forwarded),
    ofSource(1, "merged", "Writes merged into a queued write of the same line.", _.merged)
  )

  private val columns = Seq(
    ofColumn(0, "read_hits", "Reads of a row that had served another access.", write = false, RowOutcome.hit),
    ofColumn(1, "read_misses", "First reads of a row of a bank that stood closed.", write = false, RowOutcome.miss),
    ofColumn(
      2,
      "read_conflicts",
      "First reads of a row for which another was closed.",
      write = false,
      RowOutcome.conflict
    ),
    ofColumn(3, "write_hits", "Writes to a row that had served another access.", write = true, RowOutcome.hit),
    ofColumn(4, "write_misses", "First writes to a row of a bank that stood closed.", write = true, RowOutcome.miss),
    ofColumn(
      5,
      "write_conflicts",
      "First writes to a row for which another was closed.",
      write = true,
      RowOutcome.conflict
    )
  )

  // --- level "all" ------------------------------------------------------------------------------------------------------
  private def column(channel: ObservedChannel, rank: Int, write: Boolean): Bool = {
    val column = channel.events.column
    column.valid && column.bits.write === write.B && column.bits.rank === rank.U
  }

  private val energy = Seq(
    ofRank(5, "reads", "Read commands.", column(_, _, write = false)),
    ofRank(6, "writes", "Write commands.", column(_, _, write = true)),
    ofRank(
      7,
      "cycles_refreshing",
      "Cycles from a refresh command, included, until the rank had accesses again.",
      (channel, rank) => channel.refreshes(rank).io.refreshing
    ),
    ofRank(
      8,
      "cycles_active_standby",
      "Other cycles that began with a row of the rank open.",
      (channel, rank) => channel.events.rowOpen(rank) && !channel.refreshes(rank).io.refreshing
    ),
    EventCounter(
      9,
      "cycles_precharged_standby",
      "Other cycles, all banks closed.",
      1,
      { case (seen, at) =>
        val (channel, rank) = inChannel(at.head)
        val of              = seen.channels(channel)
        seen.running && !of.events.rowOpen(rank) && !of.refreshes(rank).io.refreshing
      }
    )
    // 10 was that of cycles in power-down
  )

  private val refreshImpact = Seq(
    ofRank(
      11,
      "cycles_blocked",
      "Cycles in which the rank was kept from accesses for refreshes, the closing of its banks included.",
      _.events.blocked(_)
    ),
    ofRank(
      12,
      "refreshes_stalling",
      "Refreshes that stalled a source.",
      (channel, rank) => channel.refreshes(rank).io.ended && channel.refreshes(rank).io.stalled.orR
    )
  )

  private val delays = Seq(
    ofSourceAndRank(
      6,
      "read_delay",
      "Cycles that reads spent in the read queue, all together.",
      config.policies.readQueue,
      (channel, source, rank) => channel.reads(source)(rank)
    ),
    ofSourceAndRank(
      7,
      "write_delay",
      "Cycles that writes spent in the write queue, all together.",
      config.policies.writeQueue,
      (channel, source, rank) => channel.writes(source)(rank)
    )
  )

  private val stalls = Seq(
    stall(8, StallCause.refresh, "refresh", "as the rank was kept for a refresh"),
    stall(9, StallCause.writeDrain, "write_drain", "as writes had the rank's turn or had to go first"),
    stall(10, StallCause.queueFull, "queue_full", "as the read queue was full"),
    stall(11, StallCause.bank, "bank", "as their rows were not open yet"),
    stall(12, StallCause.turnaround, "turnaround", "as the bus had to turn"),
    stall(13, StallCause.bus, "bus", "as others had the bus"),
    ofSourceAndRank(
      14,
      "stalled_by_refreshes",
      "Refreshes of the rank that stalled the source.",
      1,
      (channel, source, rank) => channel.refreshes(rank).io.ended && channel.refreshes(rank).io.stalled(source)
    )
  )

  private val latency = EventCounter(
    0,
    "bursts",
    "Read bursts of the source whose first beat was offered on R so many cycles after the handshake on AR.",
    1,
    { case (seen, at) =>
      // with three ports there are numbers of sources that none has
      seen.began
        .lift(port(at(0)))
        .map(began => began.valid && began.bits.source === at(0).U && LatencyBuckets(began.bits.cycles) === at(1).U)
        .getOrElse(false.B)
    },
    at => Some(s"latencies of port ${port(at(0))}")
  )

  private def port(source: Int): Int = source >> (config.axi.sourceIdHigh - config.axi.sourceIdLow + 1)

  // --- the list -----------------------------------------------------------------------------------------------------------
  private def explaining[T](these: Seq[T]): Seq[T] = if (config.observation.explains) these else Seq()

  private val groups: Seq[CounterGroup] = Seq(
    CounterGroup(
      "channel",
      if (config.channels > 1) "Counters of each channel." else "Counters of the whole channel.",
      first = 0x1000,
      bytes = 0x1000,
      spacing = 0x100,
      channels,
      cycles
    ),
    CounterGroup(
      "rank",
      if (config.channels > 1) "Counters of each rank, those of the second channel after those of the first."
      else "Counters of each rank.",
      first = 0x2000,
      bytes = 0x1000,
      spacing = 0x100,
      Seq(ranks),
      commands ++ explaining(energy ++ refreshImpact)
    ),
    CounterGroup(
      "source",
      "Counters of each source, which have no rank because no DRAM command followed.",
      first = 0x3000,
      bytes = 0x1000,
      spacing = 0x40,
      Seq(sources),
      queueAnswers
    ),
    CounterGroup(
      "source_rank",
      "Counters of each source at each rank: column commands by what the row buffer held, and what reads waited for.",
      first = 0x8000,
      bytes = 0x8000,
      spacing = 0x100,
      Seq(sources, ranks),
      columns ++ explaining(delays ++ stalls)
    ),
    CounterGroup(
      "read_latency",
      "Histogram of read latencies in controller cycles for each source: " +
        (0 until LatencyBuckets.count)
          .map(bucket => s"[$bucket] ${LatencyBuckets.range(bucket)}")
          .mkString(", ") + ".",
      first = 0x4000,
      bytes = 0x2000,
      spacing = 8,
      Seq(sources, "bucket" -> LatencyBuckets.count),
      explaining(Seq(latency))
    )
  )
}
