// SPDX-License-Identifier: Apache-2.0
package weir.config.presets

import weir.config._
import weir.config.presets.Shapes._

/** Corners of what a config can be, small so that tests go through all of a memory. */
object Tests {

  private val plain = Seq(
    config(
      "test-1rank-1phase",
      "MT41J128M8JP-25",
      2500,
      ranks = 1,
      dqBits = 8,
      Phys.series7(_, phases = 1),
      Axi(ports = 1, dataBits = 32, idBits = 1, readSlots = 8),
      Policies(
        readQueue = 4,
        writeQueue = 4,
        highWaterMark = 3,
        lowWaterMark = 1,
        forwarding = false
      ),
      trim = _.copy(banksPerGroup = 4, rowBits = 8)
    ).registered,
    config(
      "test-4rank-2phase",
      "MT40A512M16-083E",
      1250,
      ranks = 4,
      dqBits = 16,
      Phys.ultraScale(_, phases = 2),
      Axi(ports = 2, dataBits = 128, idBits = 3, interleave = true),
      Policies(beyondJedec = true),
      trim = _.copy(rowBits = 8)
    ).registered,
    config(
      "test-ddr4",
      "MT40A1G8-083E",
      833,
      ranks = 2,
      dqBits = 32,
      Phys.ultraScale(_),
      Axi(ports = 2, dataBits = 256, idBits = 4, interleave = true),
      trim = _.copy(rowBits = 9)
    ),
    config(
      "test-wide-bus",
      "MT41J128M8JP-125",
      1250,
      ranks = 1,
      dqBits = 8,
      Phys.series7(_),
      Axi(ports = 1, dataBits = 512, idBits = 8, interleave = true),
      Policies(forwarding = false, beyondJedec = true),
      trim = _.copy(rowBits = 9)
    ),
    ranksOfEight(
      2,
      "test-narrow-bus",
      Axi(ports = 3, dataBits = 32, idBits = 2),
      trim = _.copy(rowBits = 9)
    ).registered,
    config(
      "test-2channel",
      "MT41J128M8JP-125",
      1250,
      ranks = 2,
      dqBits = 16,
      Phys.series7(_),
      Axi(ports = 2, dataBits = 128, idBits = 3, readSlots = 16, interleave = true),
      Policies(readQueue = 8, writeQueue = 8, highWaterMark = 6, lowWaterMark = 2),
      trim = _.copy(rowBits = 9),
      channels = 2
    ).registered,
    // the boards' kind of memory, with pseudo-ranks that refresh together
    config(
      "test-2pseudo",
      "MT41K64M16-125",
      5000,
      ranks = 1,
      dqBits = 16,
      Phys.ecp5(_),
      Axi(ports = 1, dataBits = 128, idBits = 3, readSlots = 16, interleave = true),
      Policies(readQueue = 8, writeQueue = 8, highWaterMark = 4, lowWaterMark = 1),
      trim = _.copy(rowBits = 9),
      pseudoRanks = 2
    ).registered,
    // and with some that refresh apart
    config(
      "test-4pseudo",
      "MT40A1G8-083E",
      833,
      ranks = 1,
      dqBits = 32,
      Phys.ultraScale(_),
      Axi(ports = 2, dataBits = 256, idBits = 4, interleave = true),
      Policies(readQueue = 32, writeQueue = 16, highWaterMark = 4, lowWaterMark = 1, beyondJedec = true),
      trim = _.copy(rowBits = 9),
      pseudoRanks = 4
    ),
    // DDR5, refreshed as a whole and in sets of banks
    requested(ddr5("test-ddr5", pseudoRanks = 1)),
    ddr5("test-ddr5-sets", pseudoRanks = 4),
    // half of memory as NVM: a rank, and a pseudo-rank of the boards' kind of memory; the fewest superpages that tell much
    hybrid(
      ranksOfEight(
        2,
        "test-hybrid",
        Axi(ports = 2, dataBits = 128, idBits = 4, interleave = true),
        trim = _.copy(rowBits = 8)
      )
    ),
    // lines as wide as the bus, so that reads and writes come as fast as they can
    hybrid(
      ranksOfEight(
        2,
        "test-hot-monitor",
        Axi(ports = 2, dataBits = 512, idBits = 4, interleave = true),
        trim = _.copy(rowBits = 8)
      )
    ).copy(hotMonitoring = Some(HotMonitoring(chosen = 3, hotList = 16))),
    hybrid(
      config(
        "test-hybrid-x16",
        "MT41K64M16-125",
        5000,
        ranks = 1,
        dqBits = 16,
        Phys.ecp5(_),
        Axi(ports = 1, dataBits = 128, idBits = 3, readSlots = 16, interleave = true),
        Policies(readQueue = 8, writeQueue = 8, highWaterMark = 4, lowWaterMark = 1),
        trim = _.copy(rowBits = 10),
        pseudoRanks = 2
      ).registered,
      medium = "pcm-rank-assignment"
    )
  )

  private def ddr5(name: String, pseudoRanks: Int): WeirConfig =
    rankOfDdr5(
      name,
      pseudoRanks,
      Axi(ports = 2, dataBits = 256, idBits = 4, interleave = true),
      trim = _.copy(rowBits = 9)
    )

  // AR goes through a register first: a read's age begins before it
  private def requested(config: WeirConfig): WeirConfig = config.copy(pipeline = config.pipeline.copy(request = true))

  /** Of a hybrid config, one whose pages may live in DRAM. */
  private def remapped(
      name: String,
      of: String,
      remapping: Remapping,
      migration: Option[Migration] = None
  ): WeirConfig =
    plain.find(_.name == of).get.copy(name = name, remapping = Some(remapping), migration = migration)

  // few frames where pages move, so that tests soon meet full ones
  private val remappedTests = Seq(
    remapped("test-remapping", "test-hybrid", smallCaches.copy(dirtyLines = true)),
    remapped("test-remapping-x16", "test-hybrid-x16", smallCaches),
    remapped("test-migration", "test-hybrid", smallCaches.copy(frames = 32, dirtyLines = true), Some(Migration())),
    remapped("test-migration-x16", "test-hybrid-x16", smallCaches.copy(frames = 32), Some(Migration()))
  )

  val all: Seq[WeirConfig] = (plain ++ remappedTests).map(scalable)
}
