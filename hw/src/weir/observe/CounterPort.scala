// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3._
import chisel3.util.log2Ceil
import weir.config.WeirConfig

/** How `regs` reads the counters; directions as the reader sees them. */
class CounterPort(config: WeirConfig) extends Bundle {

  /** One cycle: take a snapshot of all counters, which can be read from the third cycle after it on. */
  val latch = Output(Bool())

  /** Number of the counter to read, its position in [[EventCounters]]. */
  val index = Output(UInt(log2Ceil(EventCounters.groups(config).map(_.size).sum).W))

  /** Its value in the snapshot, in the next cycle; all counters read zero before the first snapshot. */
  val value = Input(UInt(config.observation.counterBits.W))

  /** A counter has wrapped since reset or since `clearWrapped`. */
  val wrapped      = Input(Bool())
  val clearWrapped = Output(Bool())
}
