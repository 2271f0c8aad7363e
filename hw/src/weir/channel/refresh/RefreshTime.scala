// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import weir.config.WeirConfig
import weir.registers.Relation

/** What must hold between timings so that refreshes leave a rank time for accesses. */
object RefreshTime {

  /** The timings that make up a row cycle of DRAM in the worst order. */
  private val rowCycle = fields("tRC", "tRAS", "tRCD", "tRP", "tFAW", "tWR", "tWTR_L", "tRTP")

  private def fields(timings: String*): Seq[String] = timings.map(timing => s"$timing.value")

  /** Least clocks of tREFI that software may set. In any two tREFI of the part no more refreshes may come than twice those
    * that may be postponed: those that were, and as many that fall due. Of eight it is a quarter of the part's.
    */
  def leastInterval(config: WeirConfig): Int = {
    val dueInTwo = config.mostPostponed
    (2 * config.timing.tREFI + dueInTwo - 1) / dueInTwo
  }

  /** For the DRAM's refreshes, whole and in the parts that it can do. */
  def relations(config: WeirConfig): Seq[Relation] =
    leaves(config, 1, "tRFC", rowCycle) ++
      (if (!config.fineRefresh) Seq()
       else
         leaves(config, 2, "tRFC2", rowCycle, Seq("refresh_granularity.value" -> 1)) ++
           leaves(config, 4, "tRFC4", rowCycle, Seq("refresh_granularity.value" -> 2)))

  /** For refreshes of ranks with row cycles of these registers. */
  def relations(config: WeirConfig, rowCycle: Seq[String]): Seq[Relation] =
    leaves(config, 1, "tRFC", fields(rowCycle: _*))

  /** Refreshes in so many parts, each of which takes `refreshTime`, come so many times as often. Those of sets of banks wait
    * for each other, each closed before its refresh by a row cycle at most. At any time scale: of a
    * slow DRAM all of it is scaled alike, of another one row cycles are and refreshes not.
    */
  private def leaves(
      config: WeirConfig,
      parts: Int,
      refreshTime: String,
      rowCycle: Seq[String],
      where: Seq[(String, Int)] = Seq()
  ): Seq[Relation] = {
    val scaling   = config.policies.timeScaling
    val sets      = if (config.sameBankRefresh) config.refreshedApart else 1
    val closings  = if (config.sameBankRefresh) sets else 0
    val calibrate = Option.when(config.standard.zqInterval > 0)("tZQCS")
    val refreshes = fields(refreshTime +: calibrate.toSeq: _*).map(parts * sets -> _)
    val accesses  = rowCycle.map(2 * parts + closings -> _)
    val plain     = Relation(
      (if (config.sameBankRefresh) "between two refreshes of a set of banks all other sets are refreshed, and it"
       else "between two refreshes a rank") +
        " must have time for two row cycles in the worst order, or accesses would starve",
      refreshes ++ accesses,
      0,
      "tREFI.value",
      where = where
    )
    val inRealTime = plain.copy(terms = refreshes, times = Some("time_scale.factor" -> accesses))
    if (!scaling.isThere) Seq(plain)
    else if (!scaling.slowMemory) Seq(inRealTime)
    else Seq(plain, inRealTime.copy(where = ("time_scale.slow_memory" -> 0) +: where))
  }
}
