// SPDX-License-Identifier: Apache-2.0
package weir.channel

import weir.config._
import weir.device.{Geometry, Timing}

/** Small configs for the tests of this room, written out by hand so that no preset stands between test and design. */
object ChannelConfigs {

  /** DDR3-1600-like numbers in clocks, four phases, two ranks of four banks. */
  val ddr3: WeirConfig = WeirConfig(
    name = "channel-ddr3",
    part = "none",
    geometry = Geometry(ranks = 2, bankGroups = 1, banksPerGroup = 4, rowBits = 8, columnBits = 6, dqBits = 8),
    timing = Timing("test", 1250, 11, 8, 11, 11, 28, 39, 5, 5, 24, 4, 4, 6, 6, 6, 12, 2, 88, 6240, 64, 3, 44, 22),
    phy = Phy(phases = 4, readPhase = 1, writePhase = 0, readLatency = 9, writeLatency = 1),
    axi = Axi(ports = 1, dataBits = 64, idBits = 2, readSlots = 4),
    policies = Policies(readQueue = 4, writeQueue = 8, highWaterMark = 4, lowWaterMark = 1, ageLimit = 40)
  )

  /** DDR4-like numbers with bank groups, two phases. */
  val ddr4: WeirConfig = ddr3.copy(
    name = "channel-ddr4",
    geometry = Geometry(ranks = 2, bankGroups = 2, banksPerGroup = 2, rowBits = 8, columnBits = 6, dqBits = 8),
    timing = Timing("test", 1250, 11, 9, 11, 11, 28, 45, 4, 5, 20, 4, 5, 2, 6, 6, 12, 2, 280, 3120, 128, 0, 210, 128),
    phy = Phy(phases = 2, readPhase = 1, writePhase = 0, readLatency = 7, writeLatency = 3)
  )

  /** One phase: all commands share it. */
  val onePhase: WeirConfig = ddr3.copy(
    name = "channel-one-phase",
    phy = Phy(phases = 1, readPhase = 0, writePhase = 0, readLatency = 14, writeLatency = 7)
  )
}
