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
  * @param forwarding    whether a read of a line that waits whole in the write queue is answered from there, and a write of
  *                      a line that waits is merged into it; if not they wait until the line has been written
  * @param fastReads     whether reads go with the fewest cycles: no register before the queues, and past an empty one; if
  *                      not there is a register at each step, for a higher clock
  * @param programmablePolicies whether what is marked (register) is; if not it is constant and costs no gates
  * @param programmableTimings whether timings are registers; if not they are constants and cost no gates
  */
case class Policies(
    readQueue: Int = 32,
    writeQueue: Int = 64,
    highWaterMark: Int = 24,
    lowWaterMark: Int = 6,
    ageLimit: Int = 100,
    refreshPostpone: Int = 8,
    forwarding: Boolean = true,
    fastReads: Boolean = true,
    programmableTimings: Boolean = true,
    programmablePolicies: Boolean = true
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
}
