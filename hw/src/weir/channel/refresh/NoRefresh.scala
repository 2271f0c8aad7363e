// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import chisel3._

/** Never refreshes: the ideal memory that the others are compared with. */
object NoRefresh extends RefreshPolicy {
  val name                 = "none"
  val description          = "never; only for a DRAM model that needs none"
  val code                 = 7
  override val beyondJedec = true
  override val refreshes   = false

  def wants(view: RefreshView): Bool = false.B
}
