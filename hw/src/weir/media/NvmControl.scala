// SPDX-License-Identifier: Apache-2.0
package weir.media

import chisel3._
import weir.channel.refresh.RefreshTime
import weir.config.{RegionPages, WeirConfig}
import weir.device.{NvmMedia, NvmTiming}
import weir.registers.{RegisterBundle, Relation}

/** What software may change of the NVM region while the controller runs, and what it is told of it: where the region is,
  * whether it is slow, its times in DRAM clocks, its bandwidth cap, and how far its refreshes could not be hidden.
  * Directions as `regs` sees them.
  */
class NvmControl(config: WeirConfig) extends RegisterBundle {
  private val region = config.nvm.get

  private val control =
    register("nvm_control", 0x110, "The NVM region: all of the ranks from the first one on.")

  /** The region is slow; if not it is DRAM as the rest is. */
  val enable = control.choice(
    "enable",
    0,
    reset = true,
    "Whether the region is slow: it has its own timings, latencies and bandwidth cap, and its refreshes are hidden. If not it is DRAM."
  )
  control.constant("first_rank", 8, 4, region.firstRank, "First rank of the region.")

  register("nvm_first_page", 0x114, "Where the region begins; it ends with the memory.").constant(
    "value",
    0,
    32,
    new RegionPages(config).first,
    "Number of the region's first page of 4 KiB, counted from the first byte of memory."
  )

  val timing    = new NvmTimingControl(config)
  val bandwidth = new BandwidthControl

  val exposed = register(
    "nvm_refresh_exposed",
    0x140,
    "How far the refreshes of the region's cells could not be hidden."
  ).status(
    "cycles",
    0,
    32,
    "Controller cycles in which an access of the region could have had a command, had its rank not been refreshed; wraps."
  )
}

/** The times of the ranks of the NVM region, in DRAM clocks; fields as in [[weir.device.NvmTiming]]. */
class NvmTimingControl(config: WeirConfig) extends RegisterBundle {
  private val dram   = config.timing
  private val source = NvmMedia(config.nvm.get.medium).source

  /** The register of a time in DRAM clocks; `least` is the DRAM's, below which it is refused. */
  private def time(name: String, offset: Int, register: String, least: Int, description: String): UInt = {
    val preset = config.nvmTiming.get.all(name)
    this
      .register(register, offset, s"$description, in the NVM region.")
      .setting(
        "value",
        0,
        NvmTiming.bits,
        preset,
        least,
        NvmTiming.greatest,
        s"DRAM clocks. Preset $preset: $source; at least that of the DRAM, $least."
      )
  }

  val tRCD = time("tRCD", 0x118, "nvm_tRCD", dram.tRCD, "Activate to column command")
  val tRP  = time("tRP", 0x11c, "nvm_tRP", dram.tRP, "Precharge to activate")
  val tRAS = time("tRAS", 0x120, "nvm_tRAS", dram.tRAS, "Activate to precharge")
  val tRC  = time("tRC", 0x124, "nvm_tRC", dram.tRC, "Activate to activate of the same bank")
  val tRTP = time("tRTP", 0x128, "nvm_tRTP", dram.tRTP, "Read command to precharge")
  val tWR  = time("tWR", 0x12c, "nvm_tWR", dram.tWR, "End of write data to precharge")
  val tWTR = time("tWTR", 0x130, "nvm_tWTR", dram.tWTR_L, "End of write data to read command of the rank")

  /** DRAM clocks by which a line that was read comes later. */
  val readLatency =
    time("readLatency", 0x134, "nvm_read_latency", 0, "What a line that was read comes later than one of DRAM")

  val writeLatency = time(
    "writeLatency",
    0x138,
    "nvm_write_latency",
    0,
    "Write command to the next command of its bank, where nothing else keeps it longer"
  )

  override def relations: Seq[Relation] = RefreshTime.relations(
    config,
    Seq("nvm_tRC", "nvm_tRAS", "nvm_tRCD", "nvm_tRP", "nvm_tWR", "nvm_tWTR", "nvm_tRTP", "nvm_write_latency", "tFAW")
  )

  /** The field of a name. */
  def apply(name: String): UInt = elements(name).asInstanceOf[UInt]
}
