// SPDX-License-Identifier: Apache-2.0
package weir.config

/** What the controller counts of itself.
  *
  * @param counters    whether there are counters at all; without them `observe` is left out and costs no gates
  * @param counterBits width of every counter (32 to 64); a counter wraps and never saturates, and software that reads
  *                    it often enough takes differences modulo 2 to the power of this
  */
case class Observation(counters: Boolean = true, counterBits: Int = 64) {
  require(
    counterBits >= 32 && counterBits <= 64,
    s"Observation.counterBits = $counterBits: must be 32 to 64 bits"
  )
}
