// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import chisel3._

/** Refreshes all ranks at once, when the last falls due (paper on rank assignment, section III-A). A rank that could not
  * begin with the others, as it was in a refresh of another policy, catches up by itself.
  */
object Simultaneous extends RefreshPolicy {
  val name        = "simultaneous"
  val description = "as soon as due, all ranks at once"
  val code        = 3

  def wants(view: RefreshView): Bool = view.allOwe || view.behind
}
