// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util.{PopCount, Valid}
import weir.config.WeirConfig
import weir.counters.{CounterGroups, EventCounter}

/** What is counted of the events of the channels. To count something new, add a counter to a list below, with the first number
  * that no counter of its group has had (`tests/regs/released.toml` has them); the hardware of [[weir.observe.Observe]] and the register map follow.
  */
class ChannelCounters(config: WeirConfig) {
  private val groups = new CounterGroups(config)

  /** The events of each channel. */
  private type Told = Seq[ChannelEvents]

  private def ofChannel(
      number: Int,
      name: String,
      description: String,
      most: Int,
      level: ChannelEvents => UInt
  ): EventCounter[Told] =
    EventCounter(groups.channel, number, name, description, most, (told, at) => level(told(at.headOption.getOrElse(0))))

  private def ofRank(
      number: Int,
      name: String,
      description: String,
      event: (ChannelEvents, Int) => Bool
  ): EventCounter[Told] =
    groups.ofRank(number, name, description, (told, channel, rank) => event(told(channel), rank))

  private def ofSource(
      number: Int,
      name: String,
      description: String,
      event: ChannelEvents => Valid[UInt]
  ): EventCounter[Told] =
    EventCounter(
      groups.source,
      number,
      name,
      description,
      config.channels,
      (told, at) => PopCount(told.map(event).map(each => each.valid && each.bits === at.head.U))
    )

  private def ofColumn(
      number: Int,
      name: String,
      description: String,
      write: Boolean,
      outcome: RowOutcome.Type
  ): EventCounter[Told] =
    EventCounter(
      groups.sourceAndRank,
      number,
      name,
      description,
      1,
      { case (told, at) =>
        val (channel, rank) = groups.inChannel(at(1))
        val column          = told(channel).column
        column.valid && column.bits.write === write.B && column.bits.outcome === outcome &&
        column.bits.source === at(0).U && column.bits.rank === rank.U
      },
      at => Some(s"columns of channel ${groups.inChannel(at(1))._1}")
    )

  private def column(events: ChannelEvents, rank: Int, write: Boolean): Bool = {
    val column = events.column
    column.valid && column.bits.write === write.B && column.bits.rank === rank.U
  }

  private val queues = Seq(
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
    ),
    ofSource(0, "forwarded", "Reads answered from the write queue.", _.forwarded),
    ofSource(1, "merged", "Writes merged into a queued write of the same line.", _.merged)
  )

  private val commands = Seq(
    ofRank(0, "activates", "Activate commands.", _.activate(_)),
    ofRank(1, "precharges", "Precharge commands, a precharge of all banks counted once.", _.precharge(_)),
    ofRank(2, "refreshes", "Refresh commands.", _.refresh(_)),
    ofRank(3, "refreshes_forced", "Refreshes forced because as many were owed as may be.", _.refreshForced(_)),
    ofRank(4, "drains", "Drains of queued writes that began.", _.drain(_))
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

  /** Where counters explain. */
  private val explaining = Seq(
    ofRank(5, "reads", "Read commands.", column(_, _, write = false)),
    ofRank(6, "writes", "Write commands.", column(_, _, write = true)),
    ofRank(
      11,
      "cycles_blocked",
      "Cycles in which the rank was kept from accesses for refreshes, the closing of its banks included.",
      _.blocked(_)
    )
  )

  val all: Seq[EventCounter[Told]] =
    queues ++ commands ++ columns ++ (if (config.observation.explains) explaining else Seq())
}
