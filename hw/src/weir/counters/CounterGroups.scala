// SPDX-License-Identifier: Apache-2.0
package weir.counters

import chisel3.Bool
import weir.config.WeirConfig

/** The groups of a config's counters. Ranks of all channels are counted through, the channel above the rank. */
class CounterGroups(config: WeirConfig) {
  private val ranks    = "rank"   -> config.channels * config.geometry.ranks
  private val sources  = "source" -> config.axi.sources
  private val channels = Option.when(config.channels > 1)("channel" -> config.channels).toSeq

  val channel: CounterGroup = CounterGroup(
    "channel",
    if (config.channels > 1) "Counters of each channel." else "Counters of the whole channel.",
    first = 0x1000,
    bytes = 0x1000,
    spacing = 0x100,
    channels
  )

  val rank: CounterGroup = CounterGroup(
    "rank",
    if (config.channels > 1) "Counters of each rank, those of the second channel after those of the first."
    else "Counters of each rank.",
    first = 0x2000,
    bytes = 0x1000,
    spacing = 0x100,
    Seq(ranks)
  )

  val source: CounterGroup = CounterGroup(
    "source",
    "Counters of each source, which have no rank because no DRAM command followed.",
    first = 0x3000,
    bytes = 0x1000,
    spacing = 0x40,
    Seq(sources)
  )

  val sourceAndRank: CounterGroup = CounterGroup(
    "source_rank",
    "Counters of each source at each rank: column commands by what the row buffer held, and what reads waited for.",
    first = 0x8000,
    bytes = 0x8000,
    spacing = 0x100,
    Seq(sources, ranks)
  )

  val readLatency: CounterGroup = CounterGroup(
    "read_latency",
    "Histogram of read latencies in controller cycles for each source: " +
      (0 until LatencyBuckets.count)
        .map(bucket => s"[$bucket] ${LatencyBuckets.range(bucket)}")
        .mkString(", ") + ".",
    first = 0x4000,
    bytes = 0x2000,
    spacing = 8,
    Seq(sources, "bucket" -> LatencyBuckets.count)
  )

  /** All, in the order of the registers that say which of their counters there are, to the end of which a new one goes. */
  val all: Seq[CounterGroup] = Seq(channel, rank, source, sourceAndRank, readLatency)

  /** A counter of each rank.
    *
    * @param event whether there is something to count, given what the room tells, the channel and the rank in it
    */
  def ofRank[E](number: Int, name: String, description: String, event: (E, Int, Int) => Bool): EventCounter[E] =
    EventCounter(
      rank,
      number,
      name,
      description,
      1,
      { case (told, at) =>
        val (channel, rank) = inChannel(at.head)
        event(told, channel, rank)
      }
    )

  /** The channel and the rank in it with this number among all. */
  def inChannel(rank: Int): (Int, Int) = (rank / config.geometry.ranks, rank % config.geometry.ranks)
}
