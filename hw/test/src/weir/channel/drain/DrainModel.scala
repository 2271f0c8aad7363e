// SPDX-License-Identifier: Apache-2.0
package weir.channel.drain

/** What a policy sees in a cycle, as [[DrainView]] has it. */
case class Seen(
    writes: Seq[Int],
    full: Boolean,
    reads: Int,
    readUrgent: Boolean,
    readArrives: Boolean,
    cause: Seq[Boolean],
    readIssued: Boolean,
    writeIssued: Boolean
)

/** Drains between water marks, told in plain Scala: which ranks drain after each cycle.
  *
  * @param high,low   of the queued writes of a rank, or with `shared` of all
  * @param atHighMark no drain starts below the high mark for want of reads
  * @param readsAhead drains that started for nothing else end when a read comes
  */
class DrainModel(
    shared: Boolean,
    together: Boolean,
    atHighMark: Boolean,
    readsAhead: Boolean,
    high: Int,
    low: Int,
    writeQueue: Int,
    readQueue: Int
) {
  var draining       = Set[Int]()
  private var issued = 0
  private var owed   = 0 // reads that go before the next drain
  private var quiet  = 0

  /** The drains under way are for nothing but want of reads so far. */
  private var voluntary = true

  /** With shared marks and ranks apart: between the high and the low mark. */
  private var emptying = false

  /** Whether a rank writes that has so many writes queued. */
  def writing(rank: Int, writes: Int): Boolean = draining(rank) || (quiet >= 32 && writes > 0)

  /** Lets a cycle go by, and tells the ranks of which a drain begins in it. */
  def step(seen: Seen): Set[Int] = {
    val ranks                       = seen.writes.indices
    val overdue                     = issued >= writeQueue && seen.reads > 0
    def measured(rank: Int): Int    = if (shared) seen.writes.sum else seen.writes(rank)
    def hasMore(rank: Int): Boolean = seen.writes(rank) > 0 && (measured(rank) > low || seen.cause(rank))
    def fullest(rank: Int): Boolean = ranks.maxBy(other => (seen.writes(other), -other)) == rank
    val must                        = seen.full || ranks.exists(rank => measured(rank) >= high || seen.cause(rank))
    if (draining.isEmpty) voluntary = true
    if (must) voluntary = false
    val yields = readsAhead && voluntary && (seen.reads > 0 || seen.readArrives)
    val on     =
      if (overdue || yields) Set[Int]()
      else if (together && draining.exists(hasMore)) draining
      else if (together) Set[Int]()
      else draining.filter(hasMore)
    val early = !atHighMark && seen.reads == 0
    if (shared && !together)
      emptying = measured(0) > low && (emptying || early || measured(0) >= high || seen.full)
    def mustStart(rank: Int): Boolean = seen.writes(rank) > 0 && (seen.cause(rank) || (
      if (shared && !together) emptying && fullest(rank) && (on - rank).isEmpty
      else seen.full || measured(rank) >= high || (early && measured(rank) > low)
    ))
    val may    = !overdue && !yields && (seen.reads == 0 || (owed == 0 && !seen.readUrgent))
    val wanted = ranks.filter(mustStart).toSet
    val starts =
      (if (!may) Set[Int]() else if (together && wanted.nonEmpty) ranks.toSet else wanted).filterNot(draining)

    if (yields) emptying = false
    if (seen.reads == 0) owed = 0
    else if (overdue && draining.nonEmpty) owed = readQueue
    else if (seen.readIssued && owed > 0) owed -= 1
    if (draining.isEmpty) issued = 0
    else if (seen.writeIssued && !overdue && issued < writeQueue) issued += 1
    quiet = if (seen.reads > 0) 0 else quiet + 1
    draining = on ++ starts
    starts
  }
}
