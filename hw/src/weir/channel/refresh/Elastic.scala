// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import chisel3._

/** Refreshes an idle rank, the sooner the more it owes: when it has been idle for as many steps as it could still postpone
  * refreshes. So one that owes seven waits a step, one that owes none eight, and a rank that stays idle is refreshed ahead
  * of time, a step later each. A busy rank is refreshed when the limit of postponing is reached. (Stuecheli et al.,
  * "Elastic Refresh", MICRO 2010, whose delay is linear here over the whole range; pulling in is JEDEC's.)
  */
object Elastic extends RefreshPolicy {
  val name        = "elastic"
  val description = "when the rank is idle for long enough, up to refresh_postpone later or refresh_pull_in earlier"
  val code        = 1
  override val pullsIn = true

  def wants(view: RefreshView): Bool = {
    val owed   = view.owed >> BigInt(view.whole - 1).bitLength
    val waited = view.quiet.zext +& owed >= view.postpone.zext
    view.idle && waited && view.mayPullIn
  }
  override def nearlyDue(view: RefreshView): Bool = false.B
}
