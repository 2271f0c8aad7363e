// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import chisel3._

/** Refreshes a rank that owes refreshes when no access of it waits, so a busy one when the limit of postponing is reached
  * ("defer until empty" in Stuecheli et al., "Elastic Refresh", MICRO 2010).
  */
object DeferUntilEmpty extends RefreshPolicy {
  val name        = "defer_until_empty"
  val description = "when no access of the rank waits, up to refresh_postpone later"
  val code        = 0

  def wants(view: RefreshView): Bool              = view.due && view.idle
  override def nearlyDue(view: RefreshView): Bool = false.B
}
