// SPDX-License-Identifier: Apache-2.0
package weir.migrate

import chisel3._
import weir.config.WeirConfig
import weir.place.remap.RemapBits

/** What the mover is told to do. */
object MoveOperation extends ChiselEnum {
  val promote, evict, flush = Value

  /** Name for the register map and what it means. */
  val descriptions: Seq[(MoveOperation.Type, String, String)] = Seq(
    (promote, "promote", "copy the page of move_page to the frame of move_frame, where it lives from then on"),
    (evict, "evict", "bring the page of move_page home, and free its frame"),
    (flush, "flush", "write all dirty pages home; they stay in their frames, clean")
  )
}

/** What became of a command. All but `done` had no effect. */
object MoveResult extends ChiselEnum {
  val pending, done, disabled, misaligned, outsideRegion, outsideFrames, alreadyThere, frameInUse, badPointer = Value

  val bits = 4

  /** Name for the register map and what it means. */
  val descriptions: Seq[(MoveResult.Type, String, String)] = Seq(
    (pending, "pending", "it waits or is under way"),
    (done, "done", "it was carried out"),
    (disabled, "disabled", "remapping was not enabled"),
    (misaligned, "misaligned", "an address was not a multiple of 4096"),
    (outsideRegion, "outside_region", "move_page was not in the region, or a page of the pointer table"),
    (outsideFrames, "outside_frames", "move_frame was not one of the frames"),
    (alreadyThere, "already_there", "the page of a promote was in DRAM, or that of an evict at home"),
    (frameInUse, "frame_in_use", "move_frame held another page"),
    (badPointer, "bad_pointer", "the pointer in memory of the page of an evict was none to a frame in use")
  )
}

/** A command as it waits. Addresses are judged where they come from a register, as pages are all that is left of them
  * here.
  *
  * @param config one with remapping
  */
class MoveCommand(config: WeirConfig) extends Bundle {
  private val bits = new RemapBits(config)
  val operation    = MoveOperation()
  val page         = UInt(bits.page.W)
  val frame        = UInt(bits.page.W)
  val misaligned   = Bool()
  val pageOutside  = Bool()
  val frameOutside = Bool()
}
