// SPDX-License-Identifier: Apache-2.0
package weir.regs

import chisel3.util.log2Ceil
import weir.config.{NvmRegion, WeirConfig}
import weir.place.{RemapBits, RemapCounters}

/** The registers of remapping: where the tables and frames are, what is known of each frame, and counters. Places in memory are
  * numbers of pages of 4 KiB from the first byte of memory, so that none can be misaligned.
  */
object RemapRegisters {
  val framesOffset = 0x3ac

  /** What changes only while remapping is disabled. */
  val locked: Seq[String] = Seq(
    "remap_control.pointers",
    "remap_bitmap_base.page",
    "remap_pointer_base.page",
    "remap_frame_base.page",
    "remap_frame_count.frames"
  )

  private def pages(bytes: BigInt): BigInt = (bytes + NvmRegion.pageBytes - 1) / NvmRegion.pageBytes

  /** First page of the region. */
  private def firstPage(config: WeirConfig): BigInt =
    pages(config.memoryBytes * config.nvm.get.firstRank / config.geometry.ranks)

  def apply(config: WeirConfig): Seq[Register] = if (config.remapping.isEmpty) Seq() else registers(config)

  /** Frames lie below the region. */
  def relations(config: WeirConfig): Seq[Relation] =
    if (config.remapping.isEmpty) Seq()
    else
      Seq(
        Relation(
          "frames are pages of DRAM",
          Seq(1 -> "remap_frame_base.page", 1 -> "remap_frame_count.frames"),
          0,
          "remap_region.first_page"
        )
      )

  private def registers(config: WeirConfig): Seq[Register] = {
    val bits        = new RemapBits(config)
    val frames      = config.remapping.get.frames
    val first       = firstPage(config)
    val all         = pages(config.memoryBytes)
    val bitmapSize  = pages((all - first) / NvmRegion.pagesPerSuperpage * (NvmRegion.pagesPerSuperpage / 8))
    val pointerSize = pages((all - first) * 8)
    val disabled    = "Changes only while remapping is disabled."
    def place(name: String, offset: Int, minimum: BigInt, maximum: BigInt, description: String): Register = Register(
      name,
      offset,
      s"$description $disabled",
      Seq(Field.readWrite("page", 0, bits.page, minimum, minimum, maximum, "Number of the first page, byte / 4096."))
    )
    Seq(
      Register(
        "remap_control",
        0x390,
        "Pages of the NVM region that live in DRAM.",
        Seq(
          Field.readWrite(
            "enable",
            0,
            1,
            0,
            0,
            1,
            "Accesses to the region are looked up. When this is set all frames become unused and clean, and the caches empty; " +
              "set and cleared only while nobody accesses the region or moves pages."
          ),
          Field.readWrite(
            "pointers",
            4,
            1,
            0,
            0,
            1,
            s"Where the pointers stand: in the first 8 bytes of each page's home, or in a table. $disabled",
            Seq("home" -> 0, "table" -> 1)
          )
        )
      ),
      Register(
        "remap_status",
        0x394,
        "State of remapping.",
        Seq(
          Field.readOnly("busy", 0, 1, 0, "It is being enabled; accesses to the region wait."),
          Field.bit(
            "bad_pointer",
            4,
            Access.WriteOneToClear,
            "A page's bit was set, but its pointer was not valid or led to no frame: accesses go to its home. Write 1 to clear."
          )
        )
      ),
      place(
        "remap_bitmap_base",
        0x398,
        0,
        first - bitmapSize,
        "The table of bitmaps in DRAM: 64 bytes for each superpage of the region, a bit for each page, set where it lives in DRAM."
      ),
      place(
        "remap_pointer_base",
        0x39c,
        first,
        all - pointerSize,
        "The table of pointers in the region: 8 bytes for each page of the region."
      ),
      place("remap_frame_base", 0x3a0, 0, first - 1, "The frames: pages of DRAM that hold pages of the region."),
      Register(
        "remap_frame_count",
        0x3a4,
        s"How many frames there are. $disabled",
        Seq(Field.readWrite("frames", 0, bits.frame + 1, 0, 0, frames, "Frames."))
      ),
      Register(
        "remap_frame_index",
        0x3a8,
        "Frames whose states are read next.",
        Seq(
          Field.readWrite(
            "block",
            0,
            (bits.frame - 5).max(1),
            0,
            0,
            frames / 32 - 1,
            "Number of 32 frames; after a read of remap_frame_states it is one more, or 0 after the last."
          ),
          Field.readWrite("state", 31, 1, 0, 0, 1, "What is read of them.", Seq("used" -> 0, "dirty" -> 1))
        )
      ),
      Register(
        "remap_frame_states",
        framesOffset,
        "A state of 32 frames.",
        Seq(Field.readOnly("states", 0, 32, 0, "A bit for each frame, the first in the lowest."))
      ),
      Register(
        "remap_counter_index",
        0x3b0,
        "Which counter is read.",
        Seq(
          Field.readWrite(
            "counter",
            0,
            log2Ceil(RemapCounters.names.size),
            0,
            0,
            RemapCounters.names.size - 1,
            "The counter. " + RemapCounters.names.map { case (name, text) => s"$name: $text" }.mkString(" "),
            RemapCounters.names.map(_._1).zipWithIndex
          )
        )
      ),
      Register(
        "remap_counter",
        0x3b4,
        "The counter. It wraps, and is cleared by reset alone.",
        Seq(Field.readOnly("count", 0, 32, 0, "Events."))
      ),
      Register(
        "remap_region",
        0x3bc,
        "The NVM region: it reaches from here to the end of memory.",
        Seq(Field.readOnly("first_page", 0, 32, first, "Number of its first page."))
      )
    )
  }
}
