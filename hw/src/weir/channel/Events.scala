// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util.{Valid, log2Ceil}
import weir.config.WeirConfig

/** Row buffer outcome of an access: `hit` needed no activate of its own, `miss` an activate of a closed bank, `conflict`
  * a precharge of another row first.
  */
object RowOutcome extends ChiselEnum {
  val hit, miss, conflict = Value
}

/** A column command that went out. */
class ColumnEvent(config: WeirConfig) extends Bundle {
  val write   = Bool()
  val rank    = UInt(config.geometry.rankBits.W)
  val source  = UInt(config.axi.sourceBits.W)
  val outcome = RowOutcome()
}

/** What happened in the channel in this controller cycle, for `observe` to count; every field may be valid at once. Rank
  * vectors have a bit for each rank.
  */
class ChannelEvents(config: WeirConfig) extends Bundle {
  val column = Valid(new ColumnEvent(config))

  /** A read was answered from the write queue; its source. */
  val forwarded = Valid(UInt(config.axi.sourceBits.W))

  /** A write was merged into one that waited for the same line; its source. */
  val merged = Valid(UInt(config.axi.sourceBits.W))

  val activate  = Vec(config.geometry.ranks, Bool())
  val precharge = Vec(config.geometry.ranks, Bool())
  val refresh   = Vec(config.geometry.ranks, Bool())

  /** A refresh that had to be forced because the postpone limit was reached. */
  val refreshForced = Vec(config.geometry.ranks, Bool())

  /** A write drain of the rank began. */
  val drain = Vec(config.geometry.ranks, Bool())

  /** Levels of the queues in this cycle. */
  val readQueueLevel  = UInt(log2Ceil(config.policies.readQueue + 1).W)
  val writeQueueLevel = UInt(log2Ceil(config.policies.writeQueue + 1).W)
}
