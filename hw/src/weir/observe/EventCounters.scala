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
  * @param growth      what it grows by in this cycle, given the channels' events and the place in the group's dimensions
  */
case class EventCounter(
    name: String,
    description: String,
    most: Int,
    growth: (Seq[ChannelEvents], Seq[Int]) => UInt
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
  def groups(config: WeirConfig): Seq[CounterGroup] = {
    val channels = Option.when(config.channels > 1)("channel" -> config.channels).toSeq
    val ranks    = "rank"   -> config.channels * config.geometry.ranks
    val sources  = "source" -> config.axi.sources

    def ofChannel(name: String, description: String, most: Int, event: ChannelEvents => UInt): EventCounter =
      EventCounter(name, description, most, (events, at) => event(events(at.headOption.getOrElse(0))))

    /** The channel and the rank in it with this number among all. */
    def inChannel(rank: Int): (Int, Int) = (rank / config.geometry.ranks, rank % config.geometry.ranks)

    def ofRank(name: String, description: String, event: ChannelEvents => Vec[Bool]): EventCounter =
      EventCounter(
        name,
        description,
        1,
        { case (events, at) =>
          val (channel, rank) = inChannel(at.head)
          event(events(channel))(rank)
        }
      )

    def ofSource(name: String, description: String, event: ChannelEvents => Valid[UInt]): EventCounter =
      EventCounter(
        name,
        description,
        config.channels,
        (events, at) => PopCount(events.map(event).map(each => each.valid && each.bits === at.head.U))
      )

    def ofColumn(name: String, description: String, write: Boolean, outcome: RowOutcome.Type): EventCounter =
      EventCounter(
        name,
        description,
        1,
        { case (events, at) =>
          val (channel, rank) = inChannel(at(1))
          val column          = events(channel).column.bits
          events(channel).column.valid && column.write === write.B && column.outcome === outcome &&
          column.source === at(0).U && column.rank === rank.U
        }
      )

    Seq(
      CounterGroup(
        "channel",
        if (config.channels > 1) "Counters of each channel." else "Counters of the whole channel.",
        channels,
        Seq(
          ofChannel("cycles", "Controller cycles since reset.", 1, _ => 1.U),
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
      ),
      CounterGroup(
        "rank",
        if (config.channels > 1) "Counters of each rank, those of the second channel after those of the first."
        else "Counters of each rank.",
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
          ofSource("forwarded", "Reads answered from the write queue.", _.forwarded),
          ofSource("merged", "Writes merged into a queued write of the same line.", _.merged)
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
}
