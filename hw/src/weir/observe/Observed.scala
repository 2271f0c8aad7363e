// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3._
import chisel3.util.Valid
import weir.channel.ChannelEvents
import weir.config.WeirConfig
import weir.front.BegunRead

/** What there is to count of a channel in a cycle; of what follows from events, what no counter asks for costs no gates. */
class ObservedChannel(config: WeirConfig, val events: ChannelEvents) {
  private val levels = Module(new QueueLevels(config))
  levels.io.events := events
  private val stalls = Module(new ReadStalls(config))
  stalls.io.events := events

  /** Waiting accesses by source and rank. */
  val reads: Vec[Vec[UInt]]  = levels.io.reads
  val writes: Vec[Vec[UInt]] = levels.io.writes

  /** Stalls by source and rank. */
  val stalled: Vec[Vec[Valid[StallCause.Type]]] = stalls.io.stalled

  /** Refreshes by rank. */
  val refreshes: Seq[RefreshWindow] = Seq.tabulate(config.geometry.ranks) { rank =>
    val window = Module(new RefreshWindow(config))
    window.io.blocked := events.blocked(rank)
    window.io.refresh := events.refresh(rank)
    window.io.stalls  := VecInit(stalled.map { ofSource =>
      ofSource(rank).valid && ofSource(rank).bits === StallCause.refresh
    }).asUInt
    window
  }
}

/** What there is to count in a cycle.
  *
  * @param running  there is a cycle to count: all but the first after reset, as events come a cycle later
  * @param channels of each channel
  * @param began    of each port, where there are counters for it
  */
case class Observed(running: Bool, channels: Seq[ObservedChannel], began: Seq[Valid[BegunRead]])
