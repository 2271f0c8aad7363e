// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3._
import weir.channel.{ChannelEvents, RowOutcome}
import weir.config.WeirConfig

/** A counter: what it is called and what it adds up. To count something new, add one of these to a group below; the
  * hardware of [[Observe]] and the register map follow.
  *
  * @param name        name in the register map, lower case with underscores
  * @param description what is counted, for the register map
  * @param most        the most that it can grow in one controller cycle
  * @param growth      what it grows by in this cycle, given the channel's events and the place in the group's dimensions
  */
case class EventCounter(
    name: String,
    description: String,
    most: Int,
    growth: (ChannelEvents, Seq[Int]) => UInt
)

/** Counters that exist once for each combination of the dimensions' values.
  *
  * @param name        name in the register map
  * @param description what its members have in common
  * @param dimensions  name and size of each dimension; none for counters of the whole channel
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
  * place, in a place counter by counter.
  */
object EventCounters {
  def groups(config: WeirConfig): Seq[CounterGroup] = {
    val ranks   = "rank"   -> config.geometry.ranks
    val sources = "source" -> config.axi.sources
    Seq(
      CounterGroup(
        "channel",
        "Counters of the whole channel.",
        Seq(),
        Seq(
          EventCounter("cycles", "Controller cycles since reset.", 1, (_, _) => 1.U),
          EventCounter(
            "read_queue_level_sum",
            "Level of the read queue, summed over all cycles.",
            config.policies.readQueue,
            (events, _) => events.readQueueLevel
          ),
          EventCounter(
            "write_queue_level_sum",
            "Level of the write queue, summed over all cycles.",
            config.policies.writeQueue,
            (events, _) => events.writeQueueLevel
          )
        )
      ),
      CounterGroup(
        "rank",
        "Counters of each rank.",
        Seq(ranks),
        Seq(
          ofRank("activates", "Activate commands.", _.activate),
          ofRank("precharges", "Precharge commands, a precharge of all banks counted once.", _.precharge),
          ofRank("refreshes", "Refresh commands.", _.refresh),
          ofRank("refreshes_forced", "Refreshes forced because as many were owed as may be.", _.refreshForced),
          ofRank("drains", "Drains of queued writes that began.", _.drain)
        )
      ),
      CounterGroup(
        "source",
        "Counters of each source, which have no rank because no DRAM command followed.",
        Seq(sources),
        Seq(
          EventCounter(
            "forwarded",
            "Reads answered from the write queue.",
            1,
            { case (events, at) => events.forwarded.valid && events.forwarded.bits === at.head.U }
          ),
          EventCounter(
            "merged",
            "Writes merged into a queued write of the same line.",
            1,
            { case (events, at) => events.merged.valid && events.merged.bits === at.head.U }
          )
        )
      ),
      CounterGroup(
        "source_rank",
        "Column commands of each source to each rank, by what the row buffer held.",
        Seq(sources, ranks),
        Seq(
          ofColumn("read_hits", "Reads of an open row.", write = false, RowOutcome.hit),
          ofColumn("read_misses", "Reads that had a closed bank activated.", write = false, RowOutcome.miss),
          ofColumn(
            "read_conflicts",
            "Reads that had another row precharged first.",
            write = false,
            RowOutcome.conflict
          ),
          ofColumn("write_hits", "Writes to an open row.", write = true, RowOutcome.hit),
          ofColumn("write_misses", "Writes that had a closed bank activated.", write = true, RowOutcome.miss),
          ofColumn(
            "write_conflicts",
            "Writes that had another row precharged first.",
            write = true,
            RowOutcome.conflict
          )
        )
      )
    )
  }

  private def ofRank(name: String, description: String, event: ChannelEvents => Vec[Bool]): EventCounter =
    EventCounter(name, description, 1, { case (events, at) => event(events)(at.head) })

  private def ofColumn(name: String, description: String, write: Boolean, outcome: RowOutcome.Type): EventCounter =
    EventCounter(
      name,
      description,
      1,
      { case (events, at) =>
        val column = events.column.bits
        events.column.valid && column.write === write.B && column.outcome === outcome &&
        column.source === at(0).U && column.rank === at(1).U
      }
    )
}
