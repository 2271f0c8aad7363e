// SPDX-License-Identifier: Apache-2.0
package weir.channel

import weir.config.WeirConfig
import weir.device.CommandClass

/** The DFI phase in which each class of command stands. Read and write are the PHY's choice; activate and precharge (with
  * refresh and ZQ calibration) get fixed phases too, so that the distance of two commands in DRAM clocks depends on their
  * classes and cycles alone. Where classes share a phase, only one of them may issue in a cycle.
  *
  * @param longClocks  clocks that an activate, a read and a write take on the command pins, in one cycle; the others take one
  * @param burstClocks clocks of a burst
  */
case class CommandPhases(
    phases: Int,
    read: Int,
    write: Int,
    activate: Int,
    precharge: Int,
    longClocks: Int,
    burstClocks: Int
) {

  /** The phase of a class. */
  def of(commands: CommandClass): Int = commands match {
    case CommandClass.Activate  => activate
    case CommandClass.Read      => read
    case CommandClass.Write     => write
    case CommandClass.Precharge => precharge
  }

  /** Whether a class rests for a cycle after each of its commands. In cycles shorter than a burst the DRAM allows no faster
    * pace for reads and writes (tCCD) and activates (tRRD, no shorter), and precharges need none; so what a command changes
    * may come from registers a cycle later. In longer ones a class may go in every cycle, and what a command changes shows
    * at once.
    */
  val classesRest: Boolean = phases < burstClocks

  /** Whether a precharge, refresh or calibration would be on the command pins in a clock of a long command of this phase. */
  def prechargeMeets(phase: Int): Boolean = precharge >= phase && precharge < phase + longClocks

  /** Whether an activate would be, in one of its clocks, together with a read or write of this phase. */
  def activateMeets(phase: Int): Boolean = (activate - phase).abs < longClocks

  /** Whether a long command ends in the cycle in which it begins. */
  def fits: Boolean = activate + longClocks <= phases

  /** Controller cycles between a command in phase `from` and one in phase `to` that must be `clocks` apart. */
  def cycles(clocks: Int, from: Int, to: Int): Int = (clocks + from - to + phases - 1) / phases
}

object CommandPhases {

  /** Chooses the activate and precharge phases: first those that share no phase with another class, then those that make a
    * row conflict (precharge, activate, read) and the row cycle shortest at the config's timings.
    */
  def apply(config: WeirConfig): CommandPhases = {
    val phy     = config.phy
    val timing  = config.timing
    val choices =
      for (activate <- 0 until phy.phases; precharge <- 0 until phy.phases)
        yield CommandPhases(
          phy.phases,
          phy.readPhase,
          phy.writePhase,
          activate,
          precharge,
          config.standard.longCommandClocks,
          config.geometry.burstClocks
        )
    choices.filter(_.fits).minBy { choice =>
      import choice._
      val shared = Seq(
        activateMeets(read),
        activateMeets(write),
        prechargeMeets(read),
        prechargeMeets(write),
        prechargeMeets(activate)
      )
      val conflict =
        cycles(timing.tRP, precharge, activate) + cycles(timing.tRCD, activate, read)
      val rowCycle = cycles(timing.tRAS, activate, precharge) + cycles(timing.tRP, precharge, activate)
      (shared.count(identity), conflict + rowCycle, cycles(timing.tRCD, activate, write))
    }
  }
}
