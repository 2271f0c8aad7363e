// SPDX-License-Identifier: Apache-2.0
package weir.observe

import weir.config.WeirConfig

import scala.collection.mutable

/** Where a counter is: its name and what of source, rank (over all channels), channel or bucket it is of. */
case class CounterName(name: String, at: Seq[Int])

/** Counts in software what channels and ports tell, by the definitions of docs/counters.md. */
class CounterModel(config: WeirConfig) {
  private val ranks    = config.geometry.ranks
  private val banks    = config.geometry.banks
  private val allRanks = config.channels * ranks
  private val sources  = config.axi.sources
  private val explains = config.observation.level == "all"
  private val counts   = mutable.Map[CounterName, BigInt]().withDefaultValue(0)

  private val causes = Seq("refresh", "write_drain", "queue_full", "bank", "turnaround", "bus")

  /** All counters, and the offsets that software was promised for them (docs/counters.md). */
  val offsets: Seq[(CounterName, Int)] = {

    /** The counters of each place, from `first` on, `spacing` bytes from one place to the next; no name is one that went. */
    def each(first: Int, spacing: Int, names: Seq[String], sizes: Int*): Seq[(CounterName, Int)] = {
      val places = sizes.foldLeft(Seq(Seq.empty[Int]))((all, size) => all.flatMap(at => (0 until size).map(at :+ _)))
      for ((place, order) <- places.zipWithIndex; (name, number) <- names.zipWithIndex if name.nonEmpty)
        yield CounterName(name, place) -> (first + order * spacing + 8 * number)
    }
    def ifExplained(names: Seq[String]): Seq[String] = if (explains) names else Seq()
    each(0x1000, 0x100, Seq("cycles", "read level", "write level"), config.channels) ++
      each(
        0x2000,
        0x100,
        Seq("activates", "precharges", "refreshes", "forced", "drains") ++ ifExplained(
          Seq("reads", "writes", "refreshing", "active", "precharged", "", "blocked", "refreshes stalling")
        ),
        allRanks
      ) ++
      each(0x3000, 0x40, Seq("forwarded", "merged"), sources) ++
      each(
        0x8000,
        0x100,
        (for (command <- Seq("read", "write"); outcome <- Seq("hit", "miss", "conflict")) yield s"$command $outcome") ++
          ifExplained(Seq("read delay", "write delay") ++ causes ++ Seq("stalled by")),
        sources,
        allRanks
      ) ++
      (if (explains) each(0x4000, 8, Seq("latency"), sources, 12) else Seq())
  }

  val names: Seq[CounterName] = offsets.map(_._1)

  def snapshot: Seq[BigInt] = names.map(counts)

  /** Cycles in which a source was stalled at a rank, whatever the cause. */
  val stalledCycles: mutable.Map[(Int, Int), BigInt] = mutable.Map[(Int, Int), BigInt]().withDefaultValue(0)

  private def add(name: String, amount: BigInt, at: Int*): Unit = counts(CounterName(name, at)) += amount

  /** What is remembered of a channel. */
  private class Memory {
    var reads    = Map.empty[Int, Queued]
    var writes   = Seq.empty[(Int, Int)]
    var lastRead = true
    var lastRank = 0

    // of each rank, whether a refresh is under way, and whom the refresh stalled, or what goes before the next
    val begun   = Array.fill(ranks)(false)
    val victims = Array.fill(ranks)(Set.empty[Int])
  }
  private val memories = Seq.fill(config.channels)(new Memory)

  /** A cycle of all channels, and of the ports the source and age of a burst whose answer began. */
  def count(cycles: Seq[ChannelCycle], began: Seq[Option[(Int, Int)]]): Unit = {
    for (((cycle, memory), channel) <- cycles.zip(memories).zipWithIndex) count(cycle, memory, channel)
    for ((source, age) <- began.flatten) {
      val bucket = Iterator.iterate(8)(_ * 2).takeWhile(_ <= age).size
      add("latency", 1, source, bucket.min(11))
    }
  }

  private def count(cycle: ChannelCycle, memory: Memory, channel: Int): Unit = {
    val offset = channel * ranks
    add("cycles", 1, channel)
    add("read level", cycle.readLevel, channel)
    add("write level", cycle.writeLevel, channel)
    for (
      (name, set) <- Seq(
        "activates"  -> cycle.activate,
        "precharges" -> cycle.precharge,
        "refreshes"  -> cycle.refresh,
        "forced"     -> cycle.refreshForced,
        "drains"     -> cycle.drain,
        "blocked"    -> cycle.blocked
      );
      rank <- set
    ) add(name, 1, offset + rank)
    cycle.forwarded.foreach(add("forwarded", 1, _))
    cycle.merged.foreach(add("merged", 1, _))
    for (column <- cycle.column) {
      add(s"${if (column.write) "write" else "read"} ${column.outcome}", 1, column.source, offset + column.rank)
      add(if (column.write) "writes" else "reads", 1, offset + column.rank)
    }
    for (read <- memory.reads.values) add("read delay", 1, read.source, offset + read.rank)
    for ((source, rank) <- memory.writes) add("write delay", 1, source, offset + rank)

    for (rank <- 0 until ranks) {
      val stalls = for (source <- 0 until sources; cause <- stall(cycle, memory, source, rank)) yield source -> cause
      for ((source, cause) <- stalls) {
        add(cause, 1, source, offset + rank)
        stalledCycles((source, offset + rank)) += 1
      }
      refreshOf(cycle, memory, rank, offset, stalls.collect { case (source, "refresh") => source }.toSet)
    }

    for (column <- cycle.column) {
      if (column.write) memory.writes = memory.writes.diff(Seq((column.source, column.rank)))
      else memory.reads -= column.slot
      memory.lastRead = !column.write
      memory.lastRank = column.rank
    }
    memory.reads ++= cycle.readQueued
    memory.writes ++= cycle.writeQueued
  }

  /** Whether the bus turns between two ranks; pseudo-ranks are one rank to it. */
  private def otherRank(last: Int, rank: Int): Boolean = config.geometry.pseudoRanks == 1 && last != rank

  /** Why a source is stalled at a rank, if it is. */
  private def stall(cycle: ChannelCycle, memory: Memory, source: Int, rank: Int): Option[String] = {
    val inQueue = memory.reads.filter { case (_, read) => read.source == source && read.rank == rank }
    val held    = cycle.readHeld.filter(held => held._1 == source && held._2 == rank)
    val goes    = cycle.column.exists(column => !column.write && column.source == source && column.rank == rank)
    val open = inQueue.filter { case (slot, _) => cycle.readsOpen(slot) }.values.map(read => rank * banks + read.bank)
    if (inQueue.isEmpty && held.isEmpty || goes) None
    else if (cycle.blocked(rank)) Some("refresh")
    else if (cycle.writesTurn(rank)) Some("write_drain")
    else if (inQueue.isEmpty) Some(if (held.get._3) "write_drain" else "queue_full")
    else if (!open.exists(cycle.readableBanks)) Some("bank")
    else if (!open.exists(cycle.readBanks) && (!memory.lastRead || otherRank(memory.lastRank, rank))) Some("turnaround")
    else Some("bus")
  }

  private def refreshOf(cycle: ChannelCycle, memory: Memory, rank: Int, offset: Int, stalled: Set[Int]): Unit = {
    val blocked = cycle.blocked(rank)
    val command = cycle.refresh(rank)
    if (memory.begun(rank) && (!blocked || command)) {
      if (memory.victims(rank).nonEmpty) add("refreshes stalling", 1, offset + rank)
      for (source <- memory.victims(rank)) add("stalled by", 1, source, offset + rank)
      memory.victims(rank) = Set()
      memory.begun(rank) = false
    }
    memory.begun(rank) = blocked && (memory.begun(rank) || command)
    memory.victims(rank) = if (blocked) memory.victims(rank) ++ stalled else Set()
    val state =
      if (memory.begun(rank)) "refreshing" else if (cycle.rowOpen(rank)) "active" else "precharged"
    add(state, 1, offset + rank)
  }
}
