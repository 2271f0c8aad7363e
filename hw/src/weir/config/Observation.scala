// SPDX-License-Identifier: Apache-2.0
package weir.config

/** What the controller counts of itself.
  *
  * @param level       `none`: no counters, `observe` is left out and costs no gates; `events`: commands and accesses are
  *                    counted; `all`: also what explains them, delays, stalls, latencies, refreshes and energy
  * @param counterBits width of every counter (32 to 64); a counter wraps and never saturates, and software that reads
  *                    it often enough takes differences modulo 2 to the power of this
  */
case class Observation(level: String = "all", counterBits: Int = 64) {
  require(
    Observation.levels.contains(level),
    s"Observation.level = $level: must be one of ${Observation.levels.mkString(", ")}"
  )
  require(
    counterBits >= 32 && counterBits <= 64,
    s"Observation.counterBits = $counterBits: must be 32 to 64 bits"
  )

  /** Whether there are counters; whether they explain. */
  val counters: Boolean = level != "none"
  val explains: Boolean = level == "all"
}

object Observation {

  /** What may be built, each with all of what is before it. */
  val levels: Seq[String] = Seq("none", "events", "all")
}
