// SPDX-License-Identifier: Apache-2.0
package weir.channel.row

import chisel3._
import weir.config.WeirConfig

/** What row policies see of the banks; every vector has a bit for each bank, rank above bank. */
class RowView(config: WeirConfig) extends Bundle {
  private val allBanks = config.geometry.ranks * config.geometry.banks

  /** Banks that a queued access could use as they are: its row is open. */
  val waiting = UInt(allBanks.W)

  /** The bank of the column command in the command register, one-hot; 0 for none. */
  val column = UInt(allBanks.W)

  /** The bank whose activate is on the DFI, one-hot; 0 for none. */
  val activate = UInt(allBanks.W)

  /** The row of that activate is the one that the bank had open last. */
  val again = Bool()

  /** The cycle counts in times that are given in cycles. */
  val step = Option.when(config.policies.timeScaling.isThere)(Bool())

  /** Banks that the command in the command register closes: for an access that needs another row, for a policy's sake, or
    * for a refresh.
    */
  val closedForAccess  = UInt(allBanks.W)
  val closedByPolicy   = UInt(allBanks.W)
  val closedForRefresh = UInt(allBanks.W)
}

/** A row policy: says in which banks a row that no queued access hits is to be closed before anything needs that. When such
  * a row may be closed, and that nothing more useful is in the way, is seen to by [[weir.channel.Channel]].
  */
trait RowPolicy {

  /** Name in configs and in the register map. */
  def name: String

  /** What it does, for the register map. */
  def description: String

  /** Builds it. A bit for each bank: its row is to be closed as soon as no queued access hits it. Combinational from
    * `control`, for the rest from registers.
    */
  def closes(config: WeirConfig, control: RowControl, banks: RowView): UInt
}

/** The row policies that there are; their numbers in the register map are their positions here. A policy to add gets a file
  * of its own and a line here.
  */
object RowPolicies {
  val all: Seq[RowPolicy] = Seq(OpenRows, ClosedRows, RowTimeout, AdaptiveRows)

  /** Number of the policy of that name, one of `all`. */
  def number(name: String): Int = {
    val number = all.indexWhere(_.name == name)
    require(number >= 0, s"RowClosing.policy = $name: known are ${all.map(_.name).mkString(", ")}")
    number
  }
}
