// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import chisel3._
import weir.config.WeirConfig

/** In what refreshes are counted: shares of a whole refresh, at least as many as there are ranks in all channels, and
  * quarters where there are refreshes of 4x granularity. A share falls due every tREFI / `whole`, in all channels at once.
  *
  * The ranks of all channels fall due one after the other, tREFI / (`ranks` * `channels`) apart: a rank of each channel, then
  * the next of each, so that those of a channel are tREFI / `ranks` apart.
  *
  * @param whole    shares of a whole refresh: 1, 2, 4 or 8
  * @param ranks    of a channel, that refresh apart
  * @param channels of the memory
  * @param inParts  whether there are refreshes of 2x and 4x granularity; then `whole` is at least 4
  */
case class RefreshShares(whole: Int, ranks: Int, channels: Int, inParts: Boolean) {
  private val turns = ranks * channels

  /** What holds for a channel: of several, for that whose number is given. */
  def ofChannel[D <: Data](number: Option[UInt])(of: Int => D): D =
    number.fold(of(0))(VecInit.tabulate(channels)(of)(_))

  /** Which of all turns a rank of a channel has. */
  def turn(channel: Int, rank: Int): Int = rank * channels + channel

  /** Width of the shares of a refresh. */
  val ofOneBits: Int = BigInt(whole).bitLength

  /** What is ever owed or ahead, with its sign: nine refreshes. */
  val bits: Int = 1 + BigInt(9 * whole).bitLength

  /** Shares that a rank owes at the start: the ranks fall due one after the other, in the order of their turns. */
  def atStart(channel: Int, rank: Int): Int = (turns - turn(channel, rank)) % turns * whole / turns

  /** Shares of a refresh of a granularity (0: 1x, 1: 2x, 2: 4x). */
  def of(granularity: UInt): UInt = if (inParts) whole.U >> granularity else whole.U(ofOneBits.W)
}

object RefreshShares {
  def apply(config: WeirConfig): RefreshShares = {
    val ranks   = config.refreshedApart
    val inParts = RefreshPolicy.offered(config).exists(_.inParts)
    val turns   = ranks * config.channels
    RefreshShares(if (inParts) turns.max(4) else turns, ranks, config.channels, inParts)
  }
}
