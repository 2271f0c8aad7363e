// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util.log2Ceil
import weir.config.WeirConfig

/** Which cycles count in times that are given in controller cycles.
  *
  * With a factor k everything takes k times as long: constraints between commands are multiplied ([[ScaledConstraints]]), what is
  * read is held back ([[ReturnDelay]]), and what waits for a number of cycles counts every k-th of them.
  */
class TimeSteps extends Bundle {

  /** A step of the policies: one cycle in each k. */
  val policy = Bool()

  /** A step of the refresh interval: the same of a slow memory, else every cycle. */
  val refresh = Bool()
}

object TimeSteps {

  /** The steps of a scale, from registers; every cycle while the factor is 1. A factor that changes is in force at the latest
    * after the step that was under way.
    */
  def apply(config: WeirConfig, scale: TimeScaleControl): TimeSteps = {
    val elapsed = RegInit(0.U(log2Ceil(config.policies.timeScaling.greatest).W))
    val last    = elapsed >= scale.factor - 1.U
    elapsed := Mux(last, 0.U, elapsed + 1.U)
    val steps = Wire(new TimeSteps)
    steps.policy  := RegNext(last, true.B)
    steps.refresh := steps.policy || !scale.slowMemory
    steps
  }
}
