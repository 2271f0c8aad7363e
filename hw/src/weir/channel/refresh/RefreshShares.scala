// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import chisel3._
import weir.config.WeirConfig

/** In what refreshes are counted: shares of a whole refresh, as many as there are ranks, whose refreshes fall due a share
  * apart, and quarters where there are refreshes of 4x granularity. A share falls due every tREFI / `whole`.
  *
  * @param whole   shares of a whole refresh: 1, 2 or 4
  * @param inParts whether there are refreshes of 2x and 4x granularity; then `whole` is 4
  */
case class RefreshShares(whole: Int, ranks: Int, inParts: Boolean) {

  /** What is ever owed or ahead, with its sign: nine refreshes. */
  val bits: Int = 1 + BigInt(9 * whole).bitLength

  /** Shares that a rank owes at the start: the ranks fall due one after the other, in their order. */
  def atStart(rank: Int): Int = (ranks - rank) % ranks * whole / ranks

  /** Shares of a refresh of a granularity (0: 1x, 1: 2x, 2: 4x). */
  def of(granularity: UInt): UInt = if (inParts) (whole.U(3.W) >> granularity)(2, 0) else whole.U(3.W)
}

object RefreshShares {
  def apply(config: WeirConfig): RefreshShares = {
    val ranks   = config.refreshedApart
    val inParts = RefreshPolicy.offered(config).exists(_.inParts)
    RefreshShares(if (inParts) 4 else ranks, ranks, inParts)
  }
}
