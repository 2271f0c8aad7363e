// SPDX-License-Identifier: Apache-2.0
package weir.place.remap

import chisel3._
import weir.config.{RegionPages, WeirConfig}
import weir.registers.{Lock, RegisterBundle, Relation}

/** What software sets of remapping; all but `enable` changes only while that is 0. Places in memory are numbers of pages of
  * 4 KiB from the first byte of memory, so that none can be misaligned.
  */
class RemapControl(config: WeirConfig) extends RegisterBundle {
  private val bits     = new RemapBits(config)
  private val region   = new RegionPages(config)
  private val disabled = "Changes only while remapping is disabled."

  private def page(name: String, offset: Int, minimum: BigInt, maximum: BigInt, description: String): UInt =
    register(name, offset, s"$description $disabled")
      .setting("page", 0, bits.page, minimum, minimum, maximum, "Number of the first page, byte / 4096.")

  private val control = register("remap_control", 0x390, "Pages of the NVM region that live in DRAM.")

  /** Accesses to the region are looked up. */
  val enable = control.choice(
    "enable",
    0,
    reset = false,
    "Accesses to the region are looked up. When this is set all frames become unused and clean, and the caches empty; " +
      "set and cleared only while nobody accesses the region or moves pages."
  )

  /** Pointers stand in a table, else in the first 8 bytes of each page's home. */
  val table = control.choice(
    "pointers",
    4,
    reset = false,
    s"Where the pointers stand: in the first 8 bytes of each page's home, or in a table. $disabled",
    Seq("home", "table")
  )

  /** First page of the bitmap table, of the pointer table, and of the frames; frames. */
  val bitmapBase = page(
    "remap_bitmap_base",
    0x398,
    0,
    region.first - region.bitmapTable,
    "The table of bitmaps in DRAM: 64 bytes for each superpage of the region, a bit for each page, set where it lives in DRAM."
  )
  val pointerBase = page(
    "remap_pointer_base",
    0x39c,
    region.first,
    region.all - region.pointerTable,
    "The table of pointers in the region: 8 bytes for each page of the region."
  )
  val frameBase =
    page("remap_frame_base", 0x3a0, 0, region.first - 1, "The frames: pages of DRAM that hold pages of the region.")
  val frameCount = register("remap_frame_count", 0x3a4, s"How many frames there are. $disabled")
    .setting("frames", 0, bits.frame + 1, 0, 0, config.remapping.get.frames, "Frames.")

  register("remap_region", 0x3bc, "The NVM region: it reaches from here to the end of memory.")
    .constant("first_page", 0, 32, region.first, "Number of its first page.")

  override def relations: Seq[Relation] = Seq(
    Relation(
      "frames are pages of DRAM",
      Seq(1 -> "remap_frame_base.page", 1 -> "remap_frame_count.frames"),
      0,
      "remap_region.first_page"
    )
  )

  override def locks: Seq[Lock] = Seq(
    Lock(
      "remap_control.enable",
      Seq(
        "remap_control.pointers",
        "remap_bitmap_base.page",
        "remap_pointer_base.page",
        "remap_frame_base.page",
        "remap_frame_count.frames"
      )
    )
  )
}
