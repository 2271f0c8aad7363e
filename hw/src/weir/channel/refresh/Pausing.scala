// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import chisel3._

/** Begins a refresh when the rank is idle, in parts that follow one another, and pauses between two parts while accesses of
  * the rank wait, until the limit of postponing is reached (refresh pausing, Nair et al., "A Case for Refresh Pausing in DRAM
  * Memory Systems", HPCA 2013, as in the paper on rank assignment, section VI-H). Its parts cost no recovery time of their
  * own, which no DDR3 or DDR4 part offers; with a DDR4 part's tRFC2 and tRFC4 it is what that paper calls realistic.
  */
object Pausing extends RefreshPolicy {
  val name        = "pausing"
  val description = "when no access of the rank waits, in parts of refresh_granularity with pauses while one does"
  val code        = 6
  override val beyondJedec = true
  override val inParts     = true

  def wants(view: RefreshView): Bool              = view.idle && (view.begun || view.due)
  override def inPart(view: RefreshView): Bool    = !view.forced
  override def nearlyDue(view: RefreshView): Bool = false.B
}
