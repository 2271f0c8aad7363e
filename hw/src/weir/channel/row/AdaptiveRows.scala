// SPDX-License-Identifier: Apache-2.0
package weir.channel.row

import chisel3._
import chisel3.util.Fill
import weir.config.WeirConfig

/** A row is kept or closed as would have been right for its bank lately.
  *
  * Every bank has a counter of two bits, which moves by one, and stays within 0 to 3, whenever it shows what should have
  * been done with a row that no queued access hit any more:
  *
  *   - up, for keeping, when the next access of the bank is to the same row: a column command to the row that was kept, or
  *     an activate of the row that this policy had closed;
  *   - down, for closing, when it is to another row: a precharge of the row that was kept, or an activate of another row
  *     than the one that this policy had closed.
  *
  * Rows are closed while the counter is below 2. A refresh closes rows in any case, and teaches nothing. The counters learn
  * whatever policy is in force.
  *
  * That the outcome of each decision moves what the bank does next is from Intel's patent EP 1 461 706 B1 ("Method for
  * dynamically adjusting a memory page closing policy"), which moves a time to wait; the two-bit counter, as branch
  * predictors have it, from Xu, Agarwal and Davis, "Prediction in dynamic SDRAM controller policies" (SAMOS 2009).
  */
object AdaptiveRows extends RowPolicy {
  val name        = "adaptive"
  val description =
    "a row is kept or closed as would have been right for its bank lately, by a two-bit counter of the bank"

  def closes(config: WeirConfig, control: RowControl, banks: RowView): UInt = {
    val allBanks = banks.waiting.getWidth
    val again    = Fill(allBanks, banks.again)

    /** Banks whose open row has been without a hit since its last column command; of no meaning where none is open. */
    val idle = RegInit(0.U(allBanks.W))
    idle := (idle | ~banks.waiting) & ~banks.column & ~banks.activate

    val closed = RegInit(0.U(allBanks.W))
    closed := (closed | banks.closedByPolicy) & ~banks.activate & ~banks.closedForRefresh

    val reopened = closed & banks.activate
    val keep     = (idle & banks.column) | (reopened & again)
    val close    = (idle & banks.closedForAccess) | (reopened & ~again)
    VecInit(keep.asBools.zip(close.asBools).map { case (up, down) =>
      val counter   = RegInit(2.U(2.W))
      when(up && counter =/= 3.U)(counter   := counter + 1.U)
      when(down && counter =/= 0.U)(counter := counter - 1.U)
      counter < 2.U
    }).asUInt
  }
}
