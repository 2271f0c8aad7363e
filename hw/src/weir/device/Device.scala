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

/** A memory that some of the ranks behave like. Its constraints take the place of the DRAM's of the same name for its own banks,
  * and are never shorter; all others of the DRAM hold beside them. What a line that was read comes later, how many lines may go,
  * and when its refreshes are hidden it says at run time ([[weir.channel.EmulatedPort]]).
  *
  * Its constraints are those of [[weir.channel.EmulatedConstraintCycles]], made of timings of its own.
  */
trait EmulatedDevice extends Device {

  /** Its ranks are all from this one on. */
  def firstRank: Int

  /** The timings that its constraints are made of, by name, after reset: DRAM clocks. */
  def timings: Map[String, Int]

  /** Bits of each of them. */
  def timingBits: Int
}
