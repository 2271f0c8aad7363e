// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3._
import chisel3.util.{PopCount, Valid}
import weir.channel.{ChannelEvents, RowOutcome}
import weir.config.WeirConfig

/** A counter: what it is called and what it adds up. To count something new, add one of these to a group below; the
  * hardware of [[Observe]] and the register map follow.
  *
  * @param name        name in the register map, lower case with underscores
  * @param description what is counted, for the register map
  * @param most        the most that it can grow in one controller cycle
  * @param growth      what it grows by in this cycle, given what is observed and the place in the group's dimensions
  * @param alone       names a set of counters, by place, of which at most one grows in a cycle and by one; which makes
  *                    them cheap
  */
case class EventCounter(
    name: String,
    description: String,
    most: Int,
    growth: (Observed, Seq[Int]) => UInt,
    alone: Seq[Int] => Option[String] = _ => None
)

/** Counters that exist once for each combination of the dimensions' values.
  *
  * @param name        name in the register map
  * @param description what its members have in common
  * @param dimensions  name and size of each dimension; none for counters of the only channel
  * @param counters    the counters of one combination
  */
case class CounterGroup(
    name: String,
    description: String,
    dimensions: Seq[(String, Int)],
    counters: Seq[EventCounter]
) {

  /** The combinations, the last dimension running fastest. */
  val places: Seq[Seq[Int]] =
    dimensions.foldLeft(Seq(Seq.empty[Int])) { case (outer, (_, size)) =>
      outer.flatMap(at => (0 until size).map(at :+ _))
    }

  /** Counters of all combinations together. */
  val size: Int = places.size * counters.size
}

/** Everything that Weir counts. A counter's number is its position in this list: group by group, in a group place by
  * place, in a place counter by counter. Ranks of all channels are counted through, the channel above the rank.
  */
object EventCounters {
  def groups(config: WeirConfig): Seq[CounterGroup] = new EventCounters(config).groups
}

private class EventCounters(config: WeirConfig) {
  private val channels = Option.when(config.channels > 1)("channel" -> config.channels).toSeq
  private val ranks    = "rank"   -> config.channels * config.geometry.ranks
  private val sources  = "source" -> config.axi.sources

  // --- how a counter looks at what is observed -------------------------------------------------------------------------
  private def ofChannel(name: String, description: String, most: Int, level: ChannelEvents => UInt): EventCounter =
    EventCounter(name, description, most, (seen, at) => level(seen.channels(at.headOption.getOrElse(0)).events))

  /** The channel and the rank in it with this number among all. */
  private def inChannel(rank: Int): (Int, Int) = (rank / config.geometry.ranks, rank % config.geometry.ranks)

  private def ofRank(name: String, description: String, event: (ObservedChannel, Int) => Bool): EventCounter =
    EventCounter(
      name,
      description,
      1,
      { case (seen, at) =>
        val (channel, rank) = inChannel(at.head)
        event(seen.channels(channel), rank)
      }
    )

  private def ofSource(name: String, description: String, event: ChannelEvents => Valid[UInt]): EventCounter =
    EventCounter(
      name,
      description,
      config.channels,
      (seen, at) =>
        PopCount(seen.channels.map(channel => event(channel.events)).map(each => each.valid && each.bits === at.head.U))
    )

  private def ofColumn(name: String, description: String, write: Boolean, outcome: RowOutcome.Type): EventCounter =
    EventCounter(
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
      name: String,
      description: String,
      most: Int,
      growth: (ObservedChannel, Int, Int) => UInt
  ): EventCounter =
    EventCounter(
      name,
      description,
      most,
      { case (seen, at) =>
        val (channel, rank) = inChannel(at(1))
        growth(seen.channels(channel), at(0), rank)
      }
    )

  private def stall(cause: StallCause.Type, name: String, description: String): EventCounter =
    ofSourceAndRank(
      s"stalls_$name",
      s"Cycles in which the source had a read waiting at the rank and none went out, $description.",
      1,
      (channel, source, rank) => channel.stalled(source)(rank).valid && channel.stalled(source)(rank).bits === cause
    )

  // --- level "events" ---------------------------------------------------------------------------------------------------
  private val cycles = Seq(
    EventCounter("cycles", "Controller cycles since reset.", 1, (seen, _) => seen.running),
    ofChannel(
      "read_queue_level_sum",
      "Level of the read queue, summed over all cycles.",
      config.policies.readQueue,
      _.readQueueLevel
    ),
    ofChannel(
      "write_queue_level_sum",
      "Level of the write queue, summed over all cycles.",
      config.policies.writeQueue,
      _.writeQueueLevel
    )
  )

  private val commands = Seq(
    ofRank("activates", "Activate commands.", _.events.activate(_)),
    ofRank("precharges", "Precharge commands, a precharge of all banks counted once.", _.events.precharge(_)),
    ofRank("refreshes", "Refresh commands.", _.events.refresh(_)),
    ofRank("refreshes_forced", "Refreshes forced because as many were owed as may be.", _.events.refreshForced(_)),
    ofRank("drains", "Drains of queued writes that began.", _.events.drain(_))
  )

  private val queueAnswers = Seq(
    ofSource("forwarded", "Reads answered from the write queue.", _.forwarded),
    ofSource("merged", "Writes merged into a queued write of the same line.", _.merged)
  )

  private val columns = Seq(
    ofColumn("read_hits", "Reads of a row that had served another access.", write = false, RowOutcome.hit),
    ofColumn("read_misses", "First reads of a row of a bank that stood closed.", write = false, RowOutcome.miss),
    ofColumn(
      "read_conflicts",
      "First reads of a row for which another was closed.",
      write = false,
      RowOutcome.conflict
    ),
    ofColumn("write_hits", "Writes to a row that had served another access.", write = true, RowOutcome.hit),
    ofColumn("write_misses", "First writes to a row of a bank that stood closed.", write = true, RowOutcome.miss),
    ofColumn(
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
    ofRank("reads", "Read commands.", column(_, _, write = false)),
    ofRank("writes", "Write commands.", column(_, _, write = true)),
    ofRank(
      "cycles_refreshing",
      "Cycles from a refresh command, included, until the rank had accesses again.",
      (channel, rank) => channel.refreshes(rank).io.refreshing
    ),
    ofRank(
      "cycles_active_standby",
      "Other cycles that began with a row of the rank open.",
      (channel, rank) => channel.events.rowOpen(rank) && !channel.refreshes(rank).io.refreshing
    ),
    EventCounter(
      "cycles_precharged_standby",
      "Other cycles, all banks closed.",
      1,
      { case (seen, at) =>
        val (channel, rank) = inChannel(at.head)
        val of              = seen.channels(channel)
        seen.running && !of.events.rowOpen(rank) && !of.refreshes(rank).io.refreshing
      }
    ),
    ofRank("cycles_power_down", "Cycles in power-down: 0, as this version never lowers CKE.", (_, _) => false.B)
  )

  private val refreshImpact = Seq(
    ofRank(
      "cycles_blocked",
      "Cycles in which the rank was kept from accesses for refreshes, the closing of its banks included.",
      _.events.blocked(_)
    ),
    ofRank(
      "refreshes_stalling",
      "Refreshes that stalled a source.",
      (channel, rank) => channel.refreshes(rank).io.ended && channel.refreshes(rank).io.stalled.orR
    )
  )

  private val delays = Seq(
    ofSourceAndRank(
      "read_delay",
      "Cycles that reads spent in the read queue, all together.",
      config.policies.readQueue,
      (channel, source, rank) => channel.reads(source)(rank)
    ),
    ofSourceAndRank(
      "write_delay",
      "Cycles that writes spent in the write queue, all together.",
      config.policies.writeQueue,
      (channel, source, rank) => channel.writes(source)(rank)
    )
  )

  private val stalls = Seq(
    stall(StallCause.refresh, "refresh", "as the rank was kept for a refresh"),
    stall(StallCause.writeDrain, "write_drain", "as writes had the rank's turn or had to go first"),
    stall(StallCause.queueFull, "queue_full", "as the read queue was full"),
    stall(StallCause.bank, "bank", "as their rows were not open yet"),
    stall(StallCause.turnaround, "turnaround", "as the bus had to turn"),
    stall(StallCause.bus, "bus", "as others had the bus"),
    ofSourceAndRank(
      "stalled_by_refreshes",
      "Refreshes of the rank that stalled the source.",
      1,
      (channel, source, rank) => channel.refreshes(rank).io.ended && channel.refreshes(rank).io.stalled(source)
    )
  )

  private val latency = EventCounter(
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
      channels,
      cycles
    ),
    CounterGroup(
      "rank",
      if (config.channels > 1) "Counters of each rank, those of the second channel after those of the first."
      else "Counters of each rank.",
      Seq(ranks),
      commands ++ explaining(energy ++ refreshImpact)
    ),
    CounterGroup(
      "source",
      "Counters of each source, which have no rank because no DRAM command followed.",
      Seq(sources),
      queueAnswers
    ),
    CounterGroup(
      "source_rank",
      "Counters of each source at each rank: column commands by what the row buffer held, and what reads waited for.",
      Seq(sources, ranks),
      columns ++ explaining(delays ++ stalls)
    )
  ) ++ explaining(
    Seq(
      CounterGroup(
        "read_latency",
        "Histogram of read latencies in controller cycles for each source: " +
          (0 until LatencyBuckets.count)
            .map(bucket => s"[$bucket] ${LatencyBuckets.range(bucket)}")
            .mkString(", ") + ".",
        Seq(sources, "bucket" -> LatencyBuckets.count),
        Seq(latency)
      )
    )
  )
}
