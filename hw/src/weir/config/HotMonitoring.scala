// SPDX-License-Identifier: Apache-2.0
package weir.config

import chisel3.util.isPow2

/** Counters of the accesses to the NVM region, in which software finds the pages that are worth moving (Rainbow,
  * section III-B); those marked (register) are reset values that software may change.
  *
  * @param chosen            superpages whose pages are counted one by one (1 to 100): 512 counters of 16 bits each
  * @param superpageCounters counters of superpages, a power of two less than the superpages of the region; if not given
  *                          each superpage has its own
  * @param hashed            whether the superpages that share a counter are those of an equal hash instead of those
  *                          that lie `superpageCounters` apart
  * @param hotList           records of the ring of hot pages, of which one stays free (a power of two, 4 to 4096)
  * @param interval          (register) controller cycles of an interval
  * @param writeWeight       (register) reads that a write counts for in the counters of superpages (1 to 31). 24 is
  *                          what a write to DRAM saves over one to PCM for each cycle that a read saves, (171 - 28.5) /
  *                          (19.5 - 13.5) of the paper's Table IV
  */
case class HotMonitoring(
    chosen: Int = 100,
    superpageCounters: Option[Int] = None,
    hashed: Boolean = false,
    hotList: Int = 512,
    interval: Int = 100000000,
    writeWeight: Int = 24
) {
  require(chosen >= 1 && chosen <= 100, s"HotMonitoring.chosen = $chosen: must be 1 to 100 superpages")
  for (count <- superpageCounters)
    require(
      isPow2(count) && count >= 4 && count <= (1 << 20),
      s"HotMonitoring.superpageCounters = $count: must be a power of two from 4 to ${1 << 20}"
    )
  require(
    !hashed || superpageCounters.nonEmpty,
    "HotMonitoring.hashed = true: must be false where each superpage has a counter of its own (superpageCounters)"
  )
  require(
    isPow2(hotList) && hotList >= 4 && hotList <= 4096,
    s"HotMonitoring.hotList = $hotList: must be a power of two from 4 to 4096"
  )
  require(interval >= 1, s"HotMonitoring.interval = $interval: must be at least 1 cycle")
  require(
    writeWeight >= 1 && writeWeight <= HotMonitoring.greatestWeight,
    s"HotMonitoring.writeWeight = $writeWeight: must be 1 to ${HotMonitoring.greatestWeight}"
  )
}

object HotMonitoring {
  val greatestWeight = 31
}
