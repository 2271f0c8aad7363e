// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util.{Valid, log2Ceil}
import weir.config.WeirConfig

/** What the row buffer of its bank held for a column command: `hit` a row that had served another column command since its
  * activate; else `conflict` if the bank's row before it was closed for an access to another row, `miss` if not.
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

  /** The slot that a read leaves in the read queue. */
  val slot = UInt(log2Ceil(config.policies.readQueue).W)
}

/** An access and whose it is. */
class AccessEvent(config: WeirConfig) extends Bundle {
  val source = UInt(config.axi.sourceBits.W)
  val rank   = UInt(config.geometry.rankBits.W)
}

/** A read that was put into the read queue. */
class QueuedRead(config: WeirConfig) extends AccessEvent(config) {
  val bank = UInt(config.geometry.bankBits.W)
  val slot = UInt(log2Ceil(config.policies.readQueue).W)
}

/** A read that waits in front of the read queue. */
class HeldRead(config: WeirConfig) extends AccessEvent(config) {

  /** It waits until a write of its line has gone; else until the read queue has room. */
  val forWrite = Bool()
}

/** What happened in the channel in this controller cycle, for `observe` to count; every field may be valid at once. Rank
  * vectors have a bit for each rank.
  *
  * Commands are told in the cycle in which they stand in the command register. What permits a choice is told with the
  * commands that it led to, a cycle after it was looked at.
  */
class ChannelEvents(config: WeirConfig) extends Bundle {
  private val ranks    = config.geometry.ranks
  private val allBanks = ranks * config.geometry.banks

  val column = Valid(new ColumnEvent(config))

  /** An access was put into its queue, where it is from the next cycle until that of its column command. */
  val readQueued  = Valid(new QueuedRead(config))
  val writeQueued = Valid(new AccessEvent(config))

  /** The oldest read that is not in the queue yet may not go in. */
  val readHeld = Valid(new HeldRead(config))

  /** A read was answered from the write queue; its source. */
  val forwarded = Valid(UInt(config.axi.sourceBits.W))

  /** A write was merged into one that waited for the same line; its source. */
  val merged = Valid(UInt(config.axi.sourceBits.W))

  val activate  = Vec(ranks, Bool())
  val precharge = Vec(ranks, Bool())
  val refresh   = Vec(ranks, Bool())

  /** A refresh that had to be forced because the postpone limit was reached. */
  val refreshForced = Vec(ranks, Bool())

  /** A write drain of the rank began. */
  val drain = Vec(ranks, Bool())

  /** The rank was kept from accesses for a refresh or its calibration. */
  val blocked = Vec(ranks, Bool())

  /** Its writes had the turn, not its reads. */
  val writesTurn = Vec(ranks, Bool())

  /** A row of the rank was open before this cycle's commands. */
  val rowOpen = Vec(ranks, Bool())

  /** Slots of the read queue whose row is open; banks that a read may have followed the activate of; banks that might have a
    * read as far as all rules of the DRAM go.
    */
  val readsOpen     = UInt(config.policies.readQueue.W)
  val readableBanks = UInt(allBanks.W)
  val readBanks     = UInt(allBanks.W)

  /** Levels of the queues in this cycle. */
  val readQueueLevel  = UInt(log2Ceil(config.policies.readQueue + 1).W)
  val writeQueueLevel = UInt(log2Ceil(config.policies.writeQueue + 1).W)
}
