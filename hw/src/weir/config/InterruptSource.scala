// SPDX-License-Identifier: Apache-2.0
package weir.config

/** Something that software may be interrupted for.
  *
  * @param name        the name of its bits in the registers
  * @param bit         their place, the same in every config
  * @param description when it is pending
  */
case class InterruptSource(name: String, bit: Int, description: String)

object InterruptSource {

  /** The sources that a config has; a room with another adds it here, and what raises it to [[weir.regs.Registers]]. */
  def of(config: WeirConfig): Seq[InterruptSource] =
    config.hotMonitoring.toSeq.flatMap(_ =>
      Seq(
        InterruptSource("interval_ended", 0, "An interval of the hot page counters has ended"),
        InterruptSource("hot_list", 1, "The hot list holds as many records as hot_list_level says")
      )
    ) ++ config.migration.map(_ =>
      InterruptSource("move_completed", 2, "A command of the page mover was completed or refused")
    )
}
