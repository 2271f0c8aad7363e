// SPDX-License-Identifier: Apache-2.0
package weir.place.remap

import chisel3._
import chisel3.util._
import weir.config.{RegionPages, WeirConfig}

/** Widths of what remapping counts: pages of 4 KiB from the first byte of memory, lines of a page, frames. */
class RemapBits(config: WeirConfig) {
  private val region = new RegionPages(config)

  /** Lines of a page. */
  val lines: Int = region.lines

  /** Bits that choose a line of a page. */
  val line: Int = region.lineBits

  /** Bits of a page's number. */
  val page: Int = region.bits

  /** Bits of a frame's index, its page's number less that of the first frame. */
  val frame: Int = log2Ceil(config.remapping.get.frames)
}

/** A page that moves, and how far. While `active`, accesses to the page look at this alone: its lines below `done` are at the
  * destination, those from `lockedUntil` on at the source, and accesses to those between wait. May change in any cycle, and
  * counts for every access that is sent in that cycle.
  */
class MoveWindow(config: WeirConfig) extends Bundle {
  private val bits = new RemapBits(config)
  val active       = Bool()

  /** The page of the region, and the page of DRAM; numbers from the first page of memory. */
  val page  = UInt(bits.page.W)
  val frame = UInt(bits.page.W)

  /** The frame is the destination, else the page's home. */
  val toDram = Bool()

  /** Lines of the page, 0 to all of them; `done` is never above `lockedUntil`. */
  val done        = UInt((bits.line + 1).W)
  val lockedUntil = UInt((bits.line + 1).W)
}

/** The page lives in the frame from now on, or at home again. */
class RemapUpdate(config: WeirConfig) extends Bundle {
  private val bits = new RemapBits(config)
  val page         = UInt(bits.page.W)
  val redirected   = Bool()
  val frame        = UInt(bits.page.W)
}

/** What is known of a frame, and of a line of it. */
class FrameState extends Bundle {
  val used  = Bool()
  val dirty = Bool()

  /** Where `Remapping.dirtyLines`. */
  val lineDirty = Bool()
}

/** Reads, or writes, the state of a frame by its index, and of a line of it. A write leaves what its flags do not name. */
class FrameRequest(config: WeirConfig) extends Bundle {
  private val bits = new RemapBits(config)
  val index        = UInt(bits.frame.W)
  val line         = UInt(bits.line.W)
  val writeUsed    = Bool()
  val writeDirty   = Bool()
  val writeLine    = Bool()
  val state        = new FrameState
}

/** What [[weir.place]] offers to the room that moves pages; directions as that sees them.
  *
  *   - `window`: see [[MoveWindow]].
  *   - `fence`: offered in the cycle of a change of `window` or later, taken when all demand accesses that were sent before it was
  *     offered to places in the region, or to frames, are done: writes accepted, reads returned. No fetch of the window's
  *     pointer is under way then.
  *   - `updates`: taken one at a time; `updated` is high for a cycle when the bitmap in memory (its write is accepted), the
  *     caches and all accesses not yet sent know of it. While the page's window is active none of this is seen by an access: so
  *     the window shows all lines at the destination (`done` all, `lockedUntil` all) until `updated`, and ends in the next
  *     cycle or later. Pointers in memory are the mover's to write, before the update.
  *   - `frames`: taken requests that write nothing are answered by `frame` in the next cycle.
  *   - `memory`: reads and writes of lines; demand accesses go first.
  */
class MovePort(config: WeirConfig) extends Bundle {
  val window = Output(new MoveWindow(config))
  val fence  = new Bundle {
    val valid = Output(Bool())
    val ready = Input(Bool())
  }
  val updates = Decoupled(new RemapUpdate(config))
  val updated = Input(Bool())
  val frames  = Decoupled(new FrameRequest(config))
  val frame   = Input(new FrameState)
  val memory  = new InternalPort(config)
}

object MovePort {

  /** Lets a port do nothing. */
  def idle(port: MovePort): Unit = {
    port.window              := 0.U.asTypeOf(port.window)
    port.fence.valid         := false.B
    port.updates.valid       := false.B
    port.updates.bits        := 0.U.asTypeOf(port.updates.bits)
    port.frames.valid        := false.B
    port.frames.bits         := 0.U.asTypeOf(port.frames.bits)
    port.memory.reads.valid  := false.B
    port.memory.reads.bits   := 0.U.asTypeOf(port.memory.reads.bits)
    port.memory.writes.valid := false.B
    port.memory.writes.bits  := 0.U.asTypeOf(port.memory.writes.bits)
  }
}
