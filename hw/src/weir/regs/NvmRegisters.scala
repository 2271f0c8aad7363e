// SPDX-License-Identifier: Apache-2.0
package weir.regs

import weir.config.{NvmMedia, NvmRegion, NvmTiming, WeirConfig}
import weir.media.BandwidthControl

/** The registers of the NVM region: where it is, whether it is slow, its times in DRAM clocks, its bandwidth cap, and how far
  * its refreshes could not be hidden. A time that would be shorter than the DRAM's is refused.
  */
object NvmRegisters {
  val firstOffset = 0x110

  private case class Entry(name: String, least: Int, description: String)

  /** The register of a time, by the time's name in [[weir.config.NvmTiming]]. */
  def ofTime(name: String): String =
    "nvm_" + name.stripSuffix("Latency") + (if (name.endsWith("Latency")) "_latency" else "")

  def apply(config: WeirConfig): Seq[Register] = config.nvm.toSeq.flatMap { region =>
    val dram    = config.timing
    val medium  = NvmMedia(region.medium)
    val presets = config.nvmTiming.get.all
    val pages   = config.memoryBytes / NvmRegion.pageBytes
    val times   = Seq(
      Entry("tRCD", dram.tRCD, "Activate to column command"),
      Entry("tRP", dram.tRP, "Precharge to activate"),
      Entry("tRAS", dram.tRAS, "Activate to precharge"),
      Entry("tRC", dram.tRC, "Activate to activate of the same bank"),
      Entry("tRTP", dram.tRTP, "Read command to precharge"),
      Entry("tWR", dram.tWR, "End of write data to precharge"),
      Entry("tWTR", dram.tWTR_L, "End of write data to read command of the rank"),
      Entry("readLatency", 0, "What a line that was read comes later than one of DRAM"),
      Entry("writeLatency", 0, "Write command to the next command of its bank, where nothing else keeps it longer")
    )
    Seq(
      Register(
        "nvm_control",
        firstOffset,
        "The NVM region: all of the ranks from the first one on.",
        Seq(
          Field.readWrite(
            "enable",
            0,
            1,
            1,
            0,
            1,
            "Whether the region is slow: it has its own timings, latencies and bandwidth cap, and its refreshes are hidden. If not it is DRAM."
          ),
          Field.readOnly("first_rank", 8, 4, region.firstRank, "First rank of the region.")
        )
      ),
      Register(
        "nvm_first_page",
        firstOffset + 4,
        "Where the region begins; it ends with the memory.",
        Seq(
          Field.readOnly(
            "value",
            0,
            32,
            pages / config.geometry.ranks * region.firstRank,
            "Number of the region's first page of 4 KiB, counted from the first byte of memory."
          )
        )
      )
    ) ++ times.zipWithIndex.map { case (entry, number) =>
      Register(
        ofTime(entry.name),
        firstOffset + 8 + 4 * number,
        s"${entry.description}, in the NVM region.",
        Seq(
          Field.readWrite(
            "value",
            0,
            NvmTiming.bits,
            presets(entry.name),
            entry.least,
            NvmTiming.greatest,
            s"DRAM clocks. Preset ${presets(entry.name)}: ${medium.source}; at least that of the DRAM, ${entry.least}."
          )
        )
      )
    } ++ Seq(
      Register(
        "nvm_bandwidth",
        firstOffset + 8 + 4 * times.size,
        "Bandwidth cap of the region, reads and writes together: lines in so many controller cycles on average.",
        Seq(
          Field.readWrite(
            "lines",
            0,
            BandwidthControl.lineBits,
            0,
            0,
            (1 << BandwidthControl.lineBits) - 1,
            "Lines; 0 for no cap."
          ),
          Field.readWrite(
            "cycles",
            16,
            BandwidthControl.cycleBits,
            1,
            1,
            (1 << BandwidthControl.cycleBits) - 1,
            "Controller cycles."
          )
        )
      ),
      Register(
        "nvm_refresh_exposed",
        firstOffset + 12 + 4 * times.size,
        "How far the refreshes of the region's cells could not be hidden.",
        Seq(
          Field.readOnly(
            "cycles",
            0,
            32,
            0,
            "Controller cycles in which an access of the region could have had a command, had its rank not been refreshed; wraps."
          )
        )
      )
    )
  }

  /** The timings that make up a row cycle of the region in the worst order, for [[RegisterMap.relations]]. */
  val rowCycle: Seq[String] =
    Seq("tRC", "tRAS", "tRCD", "tRP", "tWR", "tWTR", "tRTP", "writeLatency").map(time => s"${ofTime(time)}.value") :+
      "tFAW.value"
}
