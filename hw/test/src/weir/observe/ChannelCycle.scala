// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3.Data
import weir.channel.ChannelEvents
import weir.config.WeirConfig

import scala.util.Random

/** A read in the read queue. */
case class Queued(source: Int, rank: Int, bank: Int)

/** A column command; `slot` is that of a read. */
case class Column(write: Boolean, source: Int, rank: Int, outcome: String, slot: Int)

/** What a channel tells of one cycle. Sets hold the ranks, slots or banks (rank times banks, plus bank) that have the bit. */
case class ChannelCycle(
    column: Option[Column] = None,
    readQueued: Option[(Int, Queued)] = None,
    writeQueued: Option[(Int, Int)] = None,
    readHeld: Option[(Int, Int, Boolean)] = None,
    forwarded: Option[Int] = None,
    merged: Option[Int] = None,
    activate: Set[Int] = Set(),
    precharge: Set[Int] = Set(),
    refresh: Set[Int] = Set(),
    refreshForced: Set[Int] = Set(),
    drain: Set[Int] = Set(),
    blocked: Set[Int] = Set(),
    writesTurn: Set[Int] = Set(),
    rowOpen: Set[Int] = Set(),
    readsOpen: Set[Int] = Set(),
    readableBanks: Set[Int] = Set(),
    readBanks: Set[Int] = Set(),
    readLevel: Int = 0,
    writeLevel: Int = 0
) {

  /** The values of the fields, in the order of [[ChannelCycle.fields]]. */
  def values(config: WeirConfig): Seq[BigInt] = {
    def bit(flag: Boolean): BigInt       = if (flag) 1 else 0
    def bits(set: Set[Int]): BigInt      = set.map(BigInt(1) << _).sum
    def each(set: Set[Int]): Seq[BigInt] = (0 until config.geometry.ranks).map(rank => bit(set(rank)))
    def maybe(event: Option[Seq[BigInt]], size: Int): Seq[BigInt] =
      bit(event.isDefined) +: event.getOrElse(Seq.fill(size)(BigInt(0)))
    maybe(
      column.map(c => Seq(bit(c.write), c.source, c.rank, BigInt(ChannelCycle.outcomes.indexOf(c.outcome)), c.slot)),
      5
    ) ++ maybe(readQueued.map { case (slot, read) => Seq(slot, read.source, read.rank, read.bank) }, 4) ++
      maybe(writeQueued.map { case (source, rank) => Seq(source, rank) }, 2) ++
      maybe(readHeld.map { case (source, rank, forWrite) => Seq(source, rank, bit(forWrite)) }, 3) ++
      maybe(forwarded.map(Seq(_)), 1) ++ maybe(merged.map(Seq(_)), 1) ++
      Seq(activate, precharge, refresh, refreshForced, drain, blocked, writesTurn, rowOpen).flatMap(each) ++
      Seq(readsOpen, readableBanks, readBanks).map(bits) ++ Seq(readLevel, writeLevel).map(BigInt(_))
  }
}

object ChannelCycle {
  val outcomes: Seq[String] = Seq("hit", "miss", "conflict")

  /** All fields of events, one after the other. */
  def fields(events: ChannelEvents): Seq[Data] = {
    import events._
    Seq(column.valid, column.bits.write, column.bits.source, column.bits.rank, column.bits.outcome, column.bits.slot) ++
      Seq(readQueued.valid, readQueued.bits.slot, readQueued.bits.source, readQueued.bits.rank, readQueued.bits.bank) ++
      Seq(writeQueued.valid, writeQueued.bits.source, writeQueued.bits.rank) ++
      Seq(readHeld.valid, readHeld.bits.source, readHeld.bits.rank, readHeld.bits.forWrite) ++
      Seq(forwarded.valid, forwarded.bits, merged.valid, merged.bits) ++
      Seq(activate, precharge, refresh, refreshForced, drain, blocked, writesTurn, rowOpen).flatten ++
      Seq(readsOpen, readableBanks, readBanks, readQueueLevel, writeQueueLevel)
  }
}

/** Makes cycles by chance that a channel might tell of: what leaves a queue was put into it.
  *
  * @param busy how often each thing happens
  */
class RandomChannel(config: WeirConfig, random: Random, busy: Double) {
  private val ranks    = config.geometry.ranks
  private val banks    = config.geometry.banks
  private val sources  = config.axi.sources
  private val policies = config.policies
  private val reads    = Array.fill[Option[Queued]](policies.readQueue)(None)
  private var writes   = Seq.empty[(Int, Int)]

  // refreshes, drains and open rows last for a while
  private var blocked, writesTurn, rowOpen = Set.empty[Int]

  private def happens: Boolean                               = random.nextDouble() < busy
  private def some[T](thing: => T): Option[T]                = Option.when(happens)(thing)
  private def choose(count: Int): Set[Int]                   = (0 until count).filter(_ => happens).toSet
  private def flipped(set: Set[Int], odds: Double): Set[Int] =
    (0 until ranks).filter(rank => set(rank) != random.nextDouble() < odds).toSet
  private def source: Int                      = random.nextInt(sources)
  private def rank: Int                        = random.nextInt(ranks)
  private def outcome: String                  = Seq("hit", "miss", "conflict")(random.nextInt(3))
  private def pick[T](from: Seq[T]): Option[T] =
    Option.when(from.nonEmpty)(from(random.nextInt(from.size)))

  def next(): ChannelCycle = {
    blocked = flipped(blocked, 0.15)
    writesTurn = flipped(writesTurn, 0.15)
    rowOpen = flipped(rowOpen, 0.3)
    val occupied = reads.indices.filter(reads(_).isDefined)
    val readsNow = random.nextBoolean()
    val column   =
      if (!happens) None
      else if (readsNow)
        pick(occupied).map(slot => Column(write = false, reads(slot).get.source, reads(slot).get.rank, outcome, slot))
      else pick(writes).map { case (source, rank) => Column(write = true, source, rank, outcome, 0) }
    val slot   = pick(reads.indices.filter(reads(_).isEmpty)).filter(_ => happens)
    val queued = slot.map(_ -> Queued(source, rank, random.nextInt(banks)))
    val write  = if (writes.size < policies.writeQueue) some((source, rank)) else None
    val level  =
      if (busy == 1) (policies.readQueue, policies.writeQueue)
      else (random.nextInt(policies.readQueue + 1), random.nextInt(policies.writeQueue + 1))
    val cycle = ChannelCycle(
      column = column,
      readQueued = queued,
      writeQueued = write,
      readHeld = some((source, rank, random.nextBoolean())),
      forwarded = some(source),
      merged = some(source),
      activate = choose(ranks),
      precharge = choose(ranks),
      refresh = choose(ranks),
      refreshForced = choose(ranks),
      drain = choose(ranks),
      blocked = blocked,
      writesTurn = writesTurn,
      rowOpen = rowOpen,
      readsOpen = choose(policies.readQueue),
      readableBanks = choose(ranks * banks),
      readBanks = choose(ranks * banks),
      readLevel = level._1,
      writeLevel = level._2
    )
    for (command <- column) {
      if (command.write) writes = writes.diff(Seq((command.source, command.rank)))
      else reads(command.slot) = None
    }
    for ((slot, read) <- queued) reads(slot) = Some(read)
    writes ++= write
    cycle
  }
}
