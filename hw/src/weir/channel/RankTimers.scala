// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import weir.config.WeirConfig

/** When a rank may be activated again: tRRD_S and tRRD_L between two activates, and at most four in any tFAW. Where sets of
  * its banks are refreshed by themselves (JESD79-5 4.10, same-bank refresh): tREFSBRD from the refresh of a set to an activate
  * beside it, and when the next set may be, tRFCsb after the last and tRRD_L after an activate.
  *
  * The input is the activate in the command register; the outputs are for the choice of this cycle, as in [[Bank]].
  */
class RankTimers(config: WeirConfig) extends Module {
  private val groups = config.geometry.electrical.bankGroups
  val io             = IO(new Bundle {
    val constraints = Input(ConstraintTable.bundle(config))

    /** An activate, one-hot over the bank groups; 0 for none. */
    val activate = Input(UInt(groups.W))

    /** For each bank group: an activate breaks no rule of the rank. */
    val activatable = Output(Vec(groups, Bool()))

    val sets = Option.when(config.sameBankRefresh)(new Bundle {

      /** A refresh of a set of banks; another breaks no rule of the rank. */
      val refresh     = Input(Bool())
      val refreshable = Output(Bool())
    })
  })

  private val activates = io.activate.orR

  private def after(starts: (Bool, String)*): Bool = Countdown(config, io.constraints)(starts: _*)

  // the last four activates: the one that `oldest` points at must be tFAW old before a fifth
  private val oldest = RegInit(0.U(2.W))
  private val next   = oldest + activates
  oldest := next
  private val window =
    VecInit.tabulate(4)(index => after((activates && oldest === index.U) -> "fourActivates"))

  private val beside = io.sets.map(sets => after(sets.refresh -> "refreshToActivateOther")).getOrElse(true.B)
  for (sets <- io.sets)
    sets.refreshable := after(sets.refresh -> "refreshToRefresh") && after(activates -> "activateToRefresh")

  for ((activatable, group) <- io.activatable.zipWithIndex) {
    val same = io.activate(group)
    activatable := window(if (CommandPhases(config).classesRest) oldest else next) &&
      after(same -> "activateSame", (activates && !same) -> "activateOther") && beside
  }
}
