// SPDX-License-Identifier: Apache-2.0
package weir.config

/** Depths and policies of the channel; those marked (register) are reset values that software may change.
  *
  * @param readQueue     entries of the read queue
  * @param writeQueue    entries of the write queue, all ranks together
  * @param highWaterMark (register) queued writes of a rank at which its drain starts
  * @param lowWaterMark  (register) queued writes of a rank at which its drain ends
  * @param ageLimit      (register) controller cycles the oldest access may be passed by younger ones
  * @param refreshPostpone (register) refreshes of a rank that may be owed before one is forced (JEDEC: at most 8)
  * @param draining      (register) what the marks stand for, and whether ranks drain by themselves
  * @param rowClosing    (register) when rows are closed that no queued access hits
  * @param refresh       (register) the refresh policy, by its name in weir.channel.refresh.RefreshPolicy
  * @param refreshPullIn (register) refreshes of a rank that may be made ahead of time (JEDEC: at most 8)
  * @param refreshIdle   (register) controller cycles of a step of the idle time that elastic refresh waits
  * @param refreshGranularity (register) parts of a refresh under the policies that refresh in parts: 1, 2 or 4
  * @param refreshDrainAhead  (register) controller cycles before a refresh falls due in which its rank's queued accesses
  *                      go first (preemptive command drain); 0 for none
  * @param beyondJedec   whether there are policies that no real part can do; for simulation only
  * @param forwarding    whether a read of a line that waits whole in the write queue is answered from there, and a write of
  *                      a line that waits is merged into it; if not they wait until the line has been written
  * @param crowdedFirst  whether rows are opened first in banks that many accesses wait for, which counts those of each bank
  * @param mayReadAhead  whether there is the choice of reads that go ahead of drains ([[Draining.readsAhead]])
  * @param programmablePolicies whether what is marked (register) is; if not it is constant and costs no gates
  * @param programmableTimings whether timings are registers; if not they are constants and cost no gates
  * @param timeScaling   how many times slower software may make the memory look
  */
case class Policies(
    readQueue: Int = 32,
    writeQueue: Int = 64,
    highWaterMark: Int = 14,
    lowWaterMark: Int = 4,
    ageLimit: Int = 100,
    refreshPostpone: Int = 8,
    draining: Draining = Draining(),
    rowClosing: RowClosing = RowClosing(),
    refresh: String = "defer_until_empty",
    refreshPullIn: Int = 8,
    refreshIdle: Int = 8,
    refreshGranularity: Int = 1,
    refreshDrainAhead: Int = 0,
    beyondJedec: Boolean = false,
    forwarding: Boolean = true,
    crowdedFirst: Boolean = true,
    mayReadAhead: Boolean = true,
    programmableTimings: Boolean = true,
    programmablePolicies: Boolean = true,
    timeScaling: TimeScaling = TimeScaling()
) {
  require(readQueue >= 2 && readQueue <= 64, s"Policies.readQueue = $readQueue: must be 2 to 64")
  require(writeQueue >= 2 && writeQueue <= 128, s"Policies.writeQueue = $writeQueue: must be 2 to 128")
  require(
    highWaterMark >= 1 && highWaterMark <= writeQueue,
    s"Policies.highWaterMark = $highWaterMark: must be 1 to writeQueue = $writeQueue"
  )
  require(
    lowWaterMark >= 0 && lowWaterMark < highWaterMark,
    s"Policies.lowWaterMark = $lowWaterMark: must be 0 to below highWaterMark = $highWaterMark"
  )
  require(ageLimit >= 16 && ageLimit <= 4095, s"Policies.ageLimit = $ageLimit: must be 16 to 4095 cycles")
  require(
    refreshPostpone >= 1 && refreshPostpone <= 8,
    s"Policies.refreshPostpone = $refreshPostpone: must be 1 to 8 (JEDEC)"
  )
  require(
    refreshPullIn >= 0 && refreshPullIn <= 8,
    s"Policies.refreshPullIn = $refreshPullIn: must be 0 to 8 (JEDEC)"
  )
  require(refreshIdle >= 1 && refreshIdle <= 4095, s"Policies.refreshIdle = $refreshIdle: must be 1 to 4095 cycles")
  require(
    Set(1, 2, 4).contains(refreshGranularity),
    s"Policies.refreshGranularity = $refreshGranularity: must be 1, 2 or 4"
  )
  require(
    refreshDrainAhead >= 0 && refreshDrainAhead <= 4095,
    s"Policies.refreshDrainAhead = $refreshDrainAhead: must be 0 to 4095 cycles"
  )
  require(
    !draining.readsAhead || mayReadAhead,
    s"Draining.readsAhead = ${draining.readsAhead}: must be false where Policies.mayReadAhead is"
  )
  require(
    !timeScaling.isThere || (programmableTimings && programmablePolicies),
    s"TimeScaling.greatest = ${timeScaling.greatest}: must be 1 where timings or policies are not programmable"
  )
}
