// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3._
import weir.channel.ChannelCounters
import weir.config.WeirConfig
import weir.counters.{CounterGroups, EventCounter}
import weir.front.ReadLatencies

/** All counters of a config, gathered from the rooms that have some; and this one's, of what follows from the channels' events. */
object EventCounters {
  def groups(config: WeirConfig): Seq[GatheredGroup] = {
    val counters =
      new ChannelCounters(config).all.map(_.seenIn[Observed](_.channels.map(_.events))) ++
        new ReadLatencies(config).all.map(_.seenIn[Observed](_.began)) ++
        new EventCounters(config).all
    val groups = new CounterGroups(config).all
    for (counter <- counters)
      require(
        groups.contains(counter.group),
        s"EventCounter ${counter.name}: its group ${counter.group.name} is not in CounterGroups.all"
      )
    groups.map(group => GatheredGroup(group, counters.filter(_.group == group).sortBy(_.number)))
  }
}

private class EventCounters(config: WeirConfig) {
  private val groups = new CounterGroups(config)

  private def ofRank(
      number: Int,
      name: String,
      description: String,
      event: (Observed, ObservedChannel, Int) => Bool
  ): EventCounter[Observed] =
    groups.ofRank(number, name, description, (seen, channel, rank) => event(seen, seen.channels(channel), rank))

  private def ofSourceAndRank(
      number: Int,
      name: String,
      description: String,
      most: Int,
      growth: (ObservedChannel, Int, Int) => UInt
  ): EventCounter[Observed] =
    EventCounter(
      groups.sourceAndRank,
      number,
      name,
      description,
      most,
      { case (seen, at) =>
        val (channel, rank) = groups.inChannel(at(1))
        growth(seen.channels(channel), at(0), rank)
      }
    )

  private def stall(number: Int, cause: StallCause.Type, name: String, description: String): EventCounter[Observed] =
    ofSourceAndRank(
      number,
      s"stalls_$name",
      s"Cycles in which the source had a read waiting at the rank and none went out, $description.",
      1,
      (channel, source, rank) => channel.stalled(source)(rank).valid && channel.stalled(source)(rank).bits === cause
    )

  private val cycles =
    EventCounter[Observed](
      groups.channel,
      0,
      "cycles",
      "Controller cycles since reset.",
      1,
      (seen, _) => seen.running
    )

  // --- where counters explain -------------------------------------------------------------------------------------------
  private val energy = Seq(
    ofRank(
      7,
      "cycles_refreshing",
      "Cycles from a refresh command, included, until the rank had accesses again.",
      (_, channel, rank) => channel.refreshes(rank).io.refreshing
    ),
    ofRank(
      8,
      "cycles_active_standby",
      "Other cycles that began with a row of the rank open.",
      (_, channel, rank) => channel.events.rowOpen(rank) && !channel.refreshes(rank).io.refreshing
    ),
    ofRank(
      9,
      "cycles_precharged_standby",
      "Other cycles, all banks closed.",
      (seen, channel, rank) => seen.running && !channel.events.rowOpen(rank) && !channel.refreshes(rank).io.refreshing
    )
    // 10 was that of cycles in power-down
  )

  private val refreshImpact = Seq(
    ofRank(
      12,
      "refreshes_stalling",
      "Refreshes that stalled a source.",
      (_, channel, rank) => channel.refreshes(rank).io.ended && channel.refreshes(rank).io.stalled.orR
    ),
    ofSourceAndRank(
      14,
      "stalled_by_refreshes",
      "Refreshes of the rank that stalled the source.",
      1,
      (channel, source, rank) => channel.refreshes(rank).io.ended && channel.refreshes(rank).io.stalled(source)
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
    stall(13, StallCause.bus, "bus", "as others had the bus")
  )

  val all: Seq[EventCounter[Observed]] =
    cycles +: (if (config.observation.explains) energy ++ refreshImpact ++ delays ++ stalls else Seq())
}
