// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import chisel3._

/** Fine granularity refresh: two or four times as many refreshes, each of a half or a quarter of the rows, the ranks in turn
  * (JESD79-4B 4.26; paper on rank assignment, section II-F and table I). What is owed from before is paid in whole ones.
  */
object FineGranularity extends RefreshPolicy {
  val name             = "fine"
  val description      = "as soon as due, in parts of refresh_granularity, the ranks in turn"
  val code             = 4
  override val inParts = true

  def wants(view: RefreshView): Bool              = view.due || view.owed >= view.part.zext && view.turn
  override def inPart(view: RefreshView): Bool    = !view.behind
  override def nearlyDue(view: RefreshView): Bool = view.owed +& 1.S >= view.part.zext
}
