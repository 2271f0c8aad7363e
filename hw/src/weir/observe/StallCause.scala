// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3.ChiselEnum

/** Why a source's reads of a rank stand still in a cycle; the first that holds, in this order.
  *
  *   - `refresh`: the rank is kept from accesses for a refresh, from the closing of its banks to the end of tRFC.
  *   - `writeDrain`: the rank's writes have the turn; or the source has no read in the queue, and one in front of it that
  *     waits for a queued write of its line.
  *   - `queueFull`: the source has no read in the queue, and one in front of it that waits for room.
  *   - `bank`: none of its reads in the queue has its row open and tRCD behind it.
  *   - `turnaround`: one has, but the bus must turn first, from write to read or from another rank.
  *   - `bus`: one has, but another access has the bus, or tCCD keeps it.
  */
object StallCause extends ChiselEnum {
  val refresh, writeDrain, queueFull, bank, turnaround, bus = Value
}
