// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util.Valid
import weir.config.WeirConfig
import weir.counters.{CounterGroups, EventCounter, LatencyBuckets}

/** What is counted of the read bursts whose answers begin at the ports, where counters explain: how long they took. */
class ReadLatencies(config: WeirConfig) {
  private def portOf(source: Int): Int = source >> (config.axi.sourceIdHigh - config.axi.sourceIdLow + 1)

  private val bursts = EventCounter[Seq[Valid[BegunRead]]](
    new CounterGroups(config).readLatency,
    0,
    "bursts",
    "Read bursts of the source whose first beat was offered on R so many cycles after the handshake on AR.",
    1,
    { case (ports, at) =>
      // with three ports there are numbers of sources that none has
      ports
        .lift(portOf(at(0)))
        .map(began => began.valid && began.bits.source === at(0).U && LatencyBuckets(began.bits.cycles) === at(1).U)
        .getOrElse(false.B)
    },
    at => Some(s"latencies of port ${portOf(at(0))}")
  )

  val all: Seq[EventCounter[Seq[Valid[BegunRead]]]] = if (config.observation.explains) Seq(bursts) else Seq()
}
