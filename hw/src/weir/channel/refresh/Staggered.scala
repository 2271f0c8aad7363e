// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import chisel3._

/** Refreshes each rank as soon as it falls due, the ranks in turn ("demand refresh"). The baseline of the paper on rank
  * assignment (section III-A): it keeps peak power low.
  */
object Staggered extends RefreshPolicy {
  val name        = "staggered"
  val description = "as soon as due, the ranks in turn"
  val code        = 2

  def wants(view: RefreshView): Bool = view.due
}
