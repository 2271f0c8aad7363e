// SPDX-License-Identifier: Apache-2.0
package weir.front

import weir.config._
import weir.device.{Geometry, Timing}

/** Small configs for the tests of this room, written out by hand so that no preset stands between test and design. */
object FrontConfigs {

  /** 64 KiB of memory for each 8 bits of DQ, in lines of `dqBits` bytes. */
  private def config(name: String, dqBits: Int, axi: Axi): WeirConfig = WeirConfig(
    name = name,
    part = "none",
    geometry = Geometry(ranks = 1, bankGroups = 1, banksPerGroup = 4, rowBits = 8, columnBits = 6, dqBits = dqBits),
    timing = Timing("test", 1250, 11, 8, 11, 11, 28, 39, 5, 5, 24, 4, 4, 6, 6, 6, 12, 2, 88, 6240, 64, 3, 44, 22),
    phy = Phy(phases = 4, readPhase = 1, writePhase = 0, readLatency = 9, writeLatency = 1),
    axi = axi,
    policies = Policies(readQueue = 4, writeQueue = 8, highWaterMark = 4, lowWaterMark = 1, ageLimit = 40)
  )

  /** A bus word is a line; two ports; beats of different ids mix. Memory starts in the middle of the address range. */
  val equal: WeirConfig = config(
    "bus as wide as a line, 2 ports, interleaved",
    dqBits = 16,
    Axi(
      ports = 2,
      dataBits = 128,
      idBits = 4,
      addressBits = 20,
      base = 0x7f000,
      readSlots = 16,
      sourceIdHigh = 3,
      sourceIdLow = 2,
      interleave = true
    )
  )

  /** A bus word is a line; bursts stay whole. */
  val whole: WeirConfig = config(
    "bus as wide as a line, whole bursts",
    dqBits = 16,
    Axi(ports = 1, dataBits = 128, idBits = 2, addressBits = 20, readSlots = 16, interleave = false)
  )

  /** The same, with a register before what the manager sends. */
  val sliced: WeirConfig =
    whole.copy(name = "bus as wide as a line, whole bursts, sliced", pipeline = whole.pipeline.copy(request = true))

  /** Eight words in a line, as between Rocket and a 64-bit DIMM; bursts stay whole. */
  val narrow: WeirConfig = config(
    "bus narrower than a line, whole bursts",
    dqBits = 64,
    Axi(
      ports = 1,
      dataBits = 64,
      idBits = 4,
      addressBits = 32,
      base = BigInt("80000000", 16),
      readSlots = 8,
      sourceIdHigh = 3,
      sourceIdLow = 2,
      interleave = false
    )
  )

  /** Sixteen words in a line, mixed, three ports, the smallest buffer. */
  val narrowest: WeirConfig = config(
    "bus narrower than a line, 3 ports, interleaved, 2 slots",
    dqBits = 64,
    Axi(ports = 3, dataBits = 32, idBits = 1, addressBits = 24, base = 0x100000, readSlots = 2, interleave = true)
  )

  /** Eight lines in a word, mixed. */
  val wide: WeirConfig = config(
    "bus wider than a line, interleaved",
    dqBits = 8,
    Axi(ports = 1, dataBits = 512, idBits = 4, addressBits = 20, base = 0x2000, readSlots = 64, interleave = true)
  )

  /** Two lines in a word; bursts stay whole; two slots only, so that few bursts fit. */
  val wideWhole: WeirConfig = config(
    "bus wider than a line, whole bursts, 2 slots",
    dqBits = 16,
    Axi(ports = 1, dataBits = 256, idBits = 3, addressBits = 18, base = 0x1000, readSlots = 4, interleave = false)
  )

  val all: Seq[WeirConfig] = Seq(equal, whole, sliced, narrow, narrowest, wide, wideWhole)
}
