// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3.util.log2Ceil
import weir.config.WeirConfig
import weir.registers.{Field, Register, RegisterBlock, RegisterBundle}

/** The registers of the counters, in a config that has some. Directions as `regs` sees them. */
class CounterPort(config: WeirConfig) extends RegisterBundle {
  private val counters = config.observation.counters

  feature("counters", 1, 1, if (counters) 1 else 0, "There are counters.")
  feature(
    "counters_explain",
    7,
    1,
    if (config.observation.explains) 1 else 0,
    "Delays, stalls, latencies, energy and what refreshes stalled are counted too."
  )
  feature("counter_bits", 8, 8, config.observation.counterBits, "Bits after which a counter wraps.")

  /** One cycle: take a snapshot of all counters, which can be read from the third cycle after it on. */
  val latch = Option.when(counters)(
    register("counters_latch", 0x100, "Snapshot of the counters: all read zero before the first one.")
      .pulse("latch", 0, "Write 1 to snapshot all counters in one and the same cycle.")
  )

  /** A counter has wrapped. */
  val wrapped = Option.when(counters)(
    register("counters_status", 0x104, "State of the counters.")
      .flag("wrapped", 0, "A counter has wrapped since this was cleared; write 1 to clear.")
  )

  /** The counter of a number, its position in [[EventCounters]], in the snapshot; all read zero before the first one. */
  val snapshot = Option.when(counters)(
    wordsOf(
      CounterPort.firstByte,
      CounterPort.blocks(config),
      log2Ceil(EventCounters.groups(config).map(_.size).sum),
      latency = 1
    )
  )
}

object CounterPort {

  /** Byte offset of the first counter. */
  val firstByte = 0x400

  /** Byte offset behind the last counter. */
  def end(config: WeirConfig): Int = firstByte + (if (config.observation.counters)
                                                    8 * EventCounters.groups(config).map(_.size).sum
                                                  else 0)

  /** 64 bits in two registers each, in the order of [[EventCounters]] and without gaps. */
  private def blocks(config: WeirConfig): Seq[RegisterBlock] = {
    val groups  = EventCounters.groups(config)
    val offsets = groups.scanLeft(firstByte)((offset, group) => offset + 8 * group.size)
    groups.zip(offsets).map { case (group, offset) =>
      val halves = group.counters.zipWithIndex.flatMap { case (counter, number) =>
        Seq(("low", "31:0"), ("high", "63:32")).zipWithIndex.map { case ((half, range), which) =>
          Register(
            s"${counter.name}_$half",
            8 * number + 4 * which,
            s"${counter.description} Bits $range of the snapshot.",
            Seq(Field.readOnly("value", 0, 32, 0, s"Bits $range."))
          )
        }
      }
      RegisterBlock(group.name, offset, group.description, group.dimensions.map(_._2), halves)
    }
  }
}
