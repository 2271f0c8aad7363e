// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import scala.collection.mutable.ArrayBuffer

/** What JEDEC asks of the refreshes of one rank (JESD79-3F 4.14.2, JESD79-4B 4.9 and 4.26), by a list of all of them.
  * Refreshes are counted in quarters.
  *
  * @param tREFI of the part, in controller cycles
  */
class RefreshJudge(tREFI: Int) {

  /** Cycle and quarters of each refresh, oldest first. */
  val refreshes = ArrayBuffer[(Int, Int)]()

  /** Quarters paid for until now less those that fell due; more than eight refreshes ahead earn nothing. */
  private var ahead = 0.0
  private var until = 0

  /** Quarters of the refresh in parts that has been begun, and of each of its parts. */
  private var begun = 0
  private var part  = 0

  private def elapse(cycle: Int): Unit = {
    ahead -= (cycle - until) * 4.0 / tREFI
    until = cycle
  }

  /** What is wrong in a cycle without a refresh. */
  def absent(cycle: Int): Option[String] = {
    elapse(cycle)
    val last  = refreshes.lastOption.map(_._2).getOrElse(4)
    val apart = refreshes.lastOption.map(cycle - _._1).getOrElse(0)
    // nine tREFI of 1x, 17 of 2x, 33 of 4x
    val most = (32 + last) * tREFI / 4
    if (-ahead > 32 + last) Some(f"cycle $cycle: ${-ahead / 4}%.2f refreshes are owed")
    else if (apart > most) Some(s"cycle $cycle: the last refresh was $apart cycles ago, more than $most")
    else None
  }

  /** What is wrong with a refresh of so many quarters. */
  def refresh(cycle: Int, quarters: Int): Option[String] = {
    val late = absent(cycle)
    ahead = (ahead + quarters).min(32)
    refreshes += cycle -> quarters
    val recent = refreshes.reverseIterator.takeWhile { case (at, _) => cycle - at < 2 * tREFI }.map(_._2).sum
    val many   = Option.when(recent > 64)(f"cycle $cycle: ${recent / 4.0}%.2f refreshes in two tREFI")
    val torn   =
      Option.when(begun != 0 && quarters != part)(s"cycle $cycle: $quarters quarters end a refresh in parts of $part")
    part = quarters
    begun = (begun + quarters) % 4
    Seq(late, many, torn).flatten.headOption
  }
}
