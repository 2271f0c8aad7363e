// SPDX-License-Identifier: Apache-2.0
package weir.config

/** How many times slower software may make the memory look ([[weir.channel.TimeSteps]]); after reset it is as fast as it is.
  *
  * @param greatest   the greatest factor that may be set (1 to 64); 1 leaves time scaling out, which then costs no gates
  * @param slowMemory (register) whether the DRAM may be said to be so much slower itself, so that its refreshes are scaled
  *                   too; of DRAM models only, as a real part would lose its data
  */
case class TimeScaling(greatest: Int = 1, slowMemory: Boolean = false) {
  require(
    greatest >= 1 && greatest <= TimeScaling.limit,
    s"TimeScaling.greatest = $greatest: must be 1 to ${TimeScaling.limit}"
  )
  require(
    greatest > 1 || !slowMemory,
    "TimeScaling.slowMemory = true: needs TimeScaling.greatest to be above 1"
  )

  /** Whether there is time scaling at all. */
  def isThere: Boolean = greatest > 1
}

object TimeScaling {

  /** A memory so many times slower is that of a core of 3.2 GHz beside one of 50 MHz. */
  val limit = 64
}
