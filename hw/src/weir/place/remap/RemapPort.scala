// SPDX-License-Identifier: Apache-2.0
package weir.place.remap

import chisel3.util.log2Ceil
import weir.config.WeirConfig
import weir.registers.RegisterBundle

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

/** The registers of remapping: where the tables and frames are, what is known of each frame, and counters. Directions as
  * `regs` sees them.
  */
class RemapPort(config: WeirConfig) extends RegisterBundle {
  private val bits   = new RemapBits(config)
  private val blocks = config.remapping.get.frames / 32

  val control = new RemapControl(config)

  private val state = register("remap_status", 0x394, "State of remapping.")

  /** Caches and frame states are being cleared after `enable` rose; accesses to the region wait. */
  val busy = state.status("busy", 0, 1, "It is being enabled; accesses to the region wait.")

  /** A set bit of the bitmap had no valid pointer to a frame; the access went home. */
  val badPointer = state.flag(
    "bad_pointer",
    4,
    "A page's bit was set, but its pointer was not valid or led to no frame: accesses go to its home. Write 1 to clear."
  )

  private val index = register("remap_frame_index", 0x3a8, "Frames whose states are read next.")

  /** Which 32 frames `frameStates` is of, and whether it tells which are dirty or which are used. */
  val frames = index.moved(
    "block",
    0,
    (bits.frame - 5).max(1),
    blocks - 1,
    "Number of 32 frames; after a read of remap_frame_states it is one more, or 0 after the last."
  )
  val dirty = index.choice("state", 31, reset = false, "What is read of them.", Seq("used", "dirty"))

  val frameStates = register("remap_frame_states", 0x3ac, "A state of 32 frames.")
    .fetched("states", "A bit for each frame, the first in the lowest.")

  /** Number of a counter in [[RemapCounters]], and its count. */
  val counterIndex = register("remap_counter_index", 0x3b0, "Which counter is read.").setting(
    "counter",
    0,
    log2Ceil(RemapCounters.names.size),
    0,
    0,
    RemapCounters.names.size - 1,
    "The counter. " + RemapCounters.names.map { case (name, text) => s"$name: $text" }.mkString(" "),
    RemapCounters.names.map(_._1).zipWithIndex
  )
  val counter = register("remap_counter", 0x3b4, "The counter. It wraps, and is cleared by reset alone.")
    .status("count", 0, 32, "Events.")
}
