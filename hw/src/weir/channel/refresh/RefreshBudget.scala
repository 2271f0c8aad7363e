// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import chisel3._
import chisel3.util.log2Ceil
import weir.config.WeirConfig

/** Keeps refreshes of each rank from coming too many at once: at most 16 in any two tREFI of the part (JESD79-3F 4.14.2,
  * JESD79-4B 4.26), of 4x 64; where fewer may be postponed, twice as many as may. Needed where refreshes may be pulled in; else what may be postponed and what falls due are
  * never more.
  *
  * A refresh is paid from a budget that grows by one each period, up to `most`: in two tREFI no more than `most` and what
  * grows in that time can go out. The period is the least tREFI that software may set, so that the budget grows as fast as
  * refreshes fall due, and what is forced never waits for longer than a period.
  */
class RefreshBudget(config: WeirConfig, shares: RefreshShares) extends Module {
  import RefreshBudget._
  private val ranks = config.refreshedApart
  private val full  = most(config) * shares.whole

  val io = IO(new Bundle {

    /** A refresh of the rank goes out in this cycle, of so many shares. */
    val refresh = Input(Vec(ranks, Bool()))
    val paid    = Input(Vec(ranks, UInt(shares.ofOneBits.W)))

    /** Time counts. */
    val run = Input(Bool())

    /** There is enough for a whole refresh. */
    val enough = Output(Vec(ranks, Bool()))
  })

  private val elapsed = RegInit(0.U(log2Ceil(period(config)).W))
  private val grows   = elapsed === (period(config) - 1).U
  when(io.run)(elapsed := Mux(grows, 0.U, elapsed + 1.U))

  for (rank <- 0 until ranks) {
    val budget = RegInit(full.U(log2Ceil(full + shares.whole + 1).W))
    val grown  = budget + Mux(grows && io.run, shares.whole.U, 0.U) - Mux(io.refresh(rank), io.paid(rank), 0.U)
    budget          := Mux(grown > full.U, full.U, grown)
    io.enough(rank) := RegNext(budget >= shares.whole.U, false.B)
  }
}

object RefreshBudget {

  /** Controller cycles of the least tREFI (weir.channel.TimingControl). */
  def period(config: WeirConfig): Int = RefreshTime.leastInterval(config) / config.phy.phases

  /** Whole refreshes that may come at once: with those that a budget grows by in two tREFI of the part (which is a clock
    * longer than its preset at most), they are twice as many as may be postponed.
    */
  def most(config: WeirConfig): Int = {
    val window = (2 * (config.timing.tREFI + 1) + config.phy.phases - 1) / config.phy.phases
    2 * config.mostPostponed - (window / period(config) + 1)
  }
}
