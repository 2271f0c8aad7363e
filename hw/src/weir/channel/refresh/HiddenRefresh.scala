// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import chisel3._

/** Hides refreshes from a rank that has none in the eyes of those who wait for it: a rank of an emulated memory, of which the
  * DRAM cells must be refreshed all the same. It is refreshed when no access of it waits; when all that wait are for banks that a write or a
  * precharge keeps busy for as long as a refresh takes, then ahead of time too; else when the limit of postponing is reached.
  */
object HiddenRefresh {

  /** @param kept all accesses of the rank that wait, of which there are some, are for such banks */
  def wants(view: RefreshView, kept: Bool): Bool =
    view.due && view.idle || kept && (view.due || view.mayPullIn)
}
