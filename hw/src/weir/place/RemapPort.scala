// SPDX-License-Identifier: Apache-2.0
package weir.place

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** What software sets; all but `enable` changes only while that is 0. Page numbers count from the first page of memory. */
class RemapControl(config: WeirConfig) extends Bundle {
  private val bits = new RemapBits(config)

  /** Accesses to the region are looked up. */
  val enable = Bool()

  /** Pointers stand in a table, else in the first 8 bytes of each page's home. */
  val table = Bool()

  /** First page of the bitmap table, of the pointer table, and of the frames; frames. */
  val bitmapBase  = UInt(bits.page.W)
  val pointerBase = UInt(bits.page.W)
  val frameBase   = UInt(bits.page.W)
  val frameCount  = UInt((bits.frame + 1).W)
}

/** What software can count, each event once for each access that is sent. An access of a page that moves is none of them, but
  * `redirected` where it goes to a frame.
  */
object RemapCounters {
  val names: Seq[(String, String)] = Seq(
    "bitmap_hits"       -> "Accesses whose bitmap was in the cache.",
    "bitmap_misses"     -> "Accesses whose bitmap was fetched.",
    "pointer_hits"      -> "Accesses to pages in DRAM whose pointer was in the cache.",
    "pointer_misses"    -> "Accesses to pages in DRAM whose pointer was fetched.",
    "redirected_reads"  -> "Reads of the region that went to a frame.",
    "redirected_writes" -> "Writes to the region that went to a frame."
  )
}

/** How `regs` sees remapping; directions as `regs` sees them. */
class RemapPort(config: WeirConfig) extends Bundle {
  private val bits = new RemapBits(config)
  val control      = Output(new RemapControl(config))

  /** Caches and frame states are being cleared after `enable` rose; accesses to the region wait. */
  val busy = Input(Bool())

  /** For a cycle: a set bit of the bitmap had no valid pointer to a frame; the access went home. */
  val badPointer = Input(Bool())

  /** Asks for the states of 32 frames, whether they are used or whether they are dirty; answered once, later. */
  val read = Valid(new Bundle {
    val frames = UInt((bits.frame - 5).W)
    val dirty  = Bool()
  })
  val states = Flipped(Valid(UInt(32.W)))

  val counters = Input(Vec(RemapCounters.names.size, UInt(32.W)))
}
