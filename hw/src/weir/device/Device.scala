// SPDX-License-Identifier: Apache-2.0
package weir.device

/** What stands behind ranks of a channel: the DRAM of a [[Standard]], or a memory that is emulated in that DRAM
  * ([[EmulatedDevice]]). The channel asks it for what lies between its commands and knows none by its name.
  */
trait Device {

  /** Constraints between commands of its ranks.
    *
    * @param dram  the DRAM's timings
    * @param burst clocks of a burst
    */
  def constraints(dram: Timing, burst: Int): Seq[Constraint]
}
