// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3.util.log2Ceil
import weir.config.WeirConfig
import weir.counters.CounterGroup
import weir.registers.{Field, Register, RegisterBlock, RegisterBundle}

/** The registers of the counters, in a config that has some. Directions as `regs` sees them. */
class CounterPort(config: WeirConfig) extends RegisterBundle {
  private val counters    = config.observation.counters
  private lazy val groups = EventCounters.groups(config)

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

  /** Which counters there are, for each group, whatever the config. */
  if (counters)
    for ((gathered, order) <- groups.zipWithIndex) {
      val group = gathered.group
      require(
        group.isWithin,
        s"CounterPort: ${group.places.size} places of ${group.dimensions.map(_._1).mkString(" and ")} for the counters of " +
          s"${group.name}: must be at most ${group.mostPlaces}; choose fewer Axi.sourceIdHigh:sourceIdLow bits, which have " +
          "counters for each source"
      )
      register(
        s"counters_of_${group.name}",
        CounterPort.presentByte + 4 * order,
        s"Which counters of `${group.name}` there are."
      ).constant(
        "present",
        0,
        32,
        gathered.present,
        s"Bit n: there are counters of number n, at ${CounterPort.where(group)}."
      )
    }

  /** Of the counter whose register has this byte offset, divided by 8, the value in the snapshot; all read zero before the
    * first one.
    */
  val snapshot = Option.when(counters)(
    wordsOf(first = 0, CounterPort.blocks(groups), CounterPort.indexBits(groups), latency = Observe.latency)
  )
}

object CounterPort {

  /** Byte offset of the register that says which counters of the first group there are. */
  private val presentByte = 0x400

  /** Width of a byte offset of any counter, divided by 8. */
  private def indexBits(groups: Seq[GatheredGroup]): Int =
    log2Ceil(groups.map(_.group).map(group => group.first + group.bytes).max / 8)

  private def where(group: CounterGroup): String = {
    val place = if (group.dimensions.isEmpty) "" else s" + 0x${group.spacing.toHexString} * place"
    s"0x${group.first.toHexString}$place + 8 n"
  }

  /** 64 bits in two registers each. */
  private def blocks(groups: Seq[GatheredGroup]): Seq[RegisterBlock] =
    groups.filter(_.counters.nonEmpty).map { case GatheredGroup(group, counters) =>
      val halves = counters.flatMap { counter =>
        Seq(("low", "31:0"), ("high", "63:32")).zipWithIndex.map { case ((half, range), which) =>
          Register(
            s"${counter.name}_$half",
            8 * counter.number + 4 * which,
            s"${counter.description} Bits $range of the snapshot.",
            Seq(Field.readOnly("value", 0, 32, 0, s"Bits $range."))
          )
        }
      }
      RegisterBlock(
        group.name,
        group.first,
        group.description,
        group.dimensions.map(_._2),
        halves,
        Some(group.spacing)
      )
    }
}
