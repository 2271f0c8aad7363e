// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import chisel3._

/** Whole refreshes, which keep a rank for less time in all, while many of its reads wait; parts, which keep a read waiting
  * for less long, otherwise (adaptive refresh, Mukundan et al., "Understanding and Mitigating Refresh Overheads in
  * High-Density DDR4 DRAM Systems", ISCA 2013; by the queue in place of the bandwidth of a period). A refresh that was begun
  * in parts is ended in parts.
  */
object Adaptive extends RefreshPolicy {
  val name             = "adaptive"
  val description      = "as soon as due, whole while many reads wait, in parts of refresh_granularity otherwise"
  val code             = 5
  override val inParts = true

  private def whole(view: RefreshView): Bool = view.busy && !view.begun

  def wants(view: RefreshView): Bool              = view.due || !whole(view) && view.owed >= view.part.zext && view.turn
  override def inPart(view: RefreshView): Bool    = !whole(view) && !view.behind
  override def nearlyDue(view: RefreshView): Bool =
    Mux(whole(view), view.owed >= (view.whole - 1).S, view.owed +& 1.S >= view.part.zext)
}
