// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3._
import chisel3.util.{Valid, log2Ceil}
import weir.channel.{AccessEvent, ChannelEvents}
import weir.config.WeirConfig

/** How many reads and writes of each source wait for each rank in a channel's queues. An access counts from the cycle after
  * it was queued to that of its column command; so the sum of a level over cycles is the sum of the accesses' delays
  * (Little's law), without a time kept for any of them.
  */
class QueueLevels(config: WeirConfig) extends Module {
  private val sources = config.axi.sources
  private val ranks   = config.geometry.ranks

  val io = IO(new Bundle {
    val events = Input(new ChannelEvents(config))
    val reads  = Output(Vec(sources, Vec(ranks, UInt(log2Ceil(config.policies.readQueue + 1).W))))
    val writes = Output(Vec(sources, Vec(ranks, UInt(log2Ceil(config.policies.writeQueue + 1).W))))
  })

  private def count(levels: Vec[Vec[UInt]], queued: Valid[_ <: AccessEvent], write: Boolean): Unit =
    for (source <- 0 until sources; rank <- 0 until ranks) {
      val level  = RegInit(chiselTypeOf(levels(source)(rank)), 0.U)
      val column = io.events.column
      val comes  = queued.valid && queued.bits.source === source.U && queued.bits.rank === rank.U
      val leaves = column.valid && column.bits.write === write.B &&
        column.bits.source === source.U && column.bits.rank === rank.U
      level                := level + comes - leaves
      levels(source)(rank) := level
    }

  count(io.reads, io.events.readQueued, write = false)
  count(io.writes, io.events.writeQueued, write = true)
}
