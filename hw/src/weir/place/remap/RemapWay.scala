// SPDX-License-Identifier: Apache-2.0
package weir.place.remap

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** An access with the line that it goes to. */
class Remapped[T <: Data](config: WeirConfig, gen: T) extends Bundle {
  val access = gen.cloneType
  val line   = UInt(config.lineAddressBits.W)

  /** It was of the region, and that it goes to a frame. */
  val ofRegion   = Bool()
  val redirected = Bool()

  /** Its bitmap, its pointer was asked for; in the cache, or not. None of these where its page moves. */
  val lookedUp, bitmapMissed, pointerMissed = Bool()
}

/** One way of accesses, of reads or of writes, through the [[RemapUnit]].
  *
  * An access that is not looked up (of DRAM, or while remapping is disabled) passes in the same cycle where nothing is in front
  * of it. One of the region goes into the only register, and is looked up in both caches in the cycle in which it comes, or as
  * soon as it is granted; it leaves in the cycle after the lookup, or when what it misses has been fetched, or when its line
  * is no longer locked. Nothing passes it but, with `mayPass`, accesses that are not looked up, while it is blocked: that is
  * for reads, which have no order among lines. Those of the region stay in order, so that two of one line do.
  *
  * The window of a page that moves counts in the cycle in which an access leaves. What was looked up holds until `forget`.
  *
  * `out` may change, or be withdrawn, while it is not taken.
  *
  * `in.ready` looks at the line that is offered, as one that is looked up waits here and another needs `out.ready`. So whoever
  * offers must not look at `in.ready` for what it offers, which holds of every handshake (docs/design.md, "Ready and valid").
  *
  * Latency: 0 for what is not looked up; for the region 1 where the lookup is granted at once and both caches hit. Throughput:
  * one access per cycle, with `WeirConfig.halfRate` one in two cycles, as the register
  * then does not empty and fill in the same cycle, and `in.ready` looks at nothing else than `in.bits`, `enable`, `out.ready` and
  * registers.
  *
  * @param line the line's number of an access
  */
class RemapWay[T <: Data](config: WeirConfig, gen: T, line: T => UInt, mayPass: Boolean) extends Module {
  private val bits = new RemapBits(config)

  val io = IO(new Bundle {
    val in     = Flipped(Decoupled(gen))
    val out    = Decoupled(new Remapped(config, gen))
    val enable = Input(Bool())
    val window = Input(new MoveWindow(config))

    /** What was looked up in an earlier cycle holds no longer. */
    val forget = Input(Bool())

    /** A page to be looked up in both caches; answered in the cycle after it was granted. */
    val lookup      = Decoupled(UInt(bits.page.W))
    val bitmapHit   = Input(Bool())
    val bit         = Input(Bool())
    val pointerHit  = Input(Bool())
    val pointer     = Input(UInt(bits.page.W))
    val bitmapMiss  = new CacheMiss(config, Bool())
    val pointerMiss = new CacheMiss(config, new PointerCache.Found(config))
  })

  /** What is known of the access that waits. */
  private class Known extends Bundle {
    val bitmap     = Bool()
    val redirected = Bool()
    val pointer    = Bool()
    val frame      = UInt(bits.page.W)
  }

  private def ofRegion(line: UInt): Bool =
    line(config.lineAddressBits - 1, config.lineAddressBits - config.geometry.rankBits) >= config.nvm.get.firstRank.U
  private val lineIn  = line(io.in.bits)
  private val looksUp = io.enable && ofRegion(lineIn)

  // --- the access that waits, if there is one
  private val valid    = RegInit(false.B)
  private val access   = Reg(gen.cloneType)
  private val remapped = Reg(Bool())
  private val looked   = RegInit(false.B)
  private val known    = Reg(new Known)
  private val missed   = Reg(Vec(2, Bool()))
  private val awaits   = RegInit(VecInit.fill(2)(false.B))
  private val stale    = Reg(Bool()) // an answer to come was asked for before something changed
  private val blocked  = RegInit(false.B)
  private val arrives  = RegNext(io.lookup.fire, false.B)

  private val found = Wire(new Known)
  found.bitmap     := io.bitmapHit
  found.redirected := io.bit
  found.pointer    := io.pointerHit
  found.frame      := io.pointer
  private val now   = Mux(arrives, found, known)
  private val knows = (arrives || looked) && !io.forget

  private val target   = line(access)
  private val page     = target >> bits.line
  private val inPage   = target(bits.line - 1, 0)
  private val window   = io.window
  private val inWindow = window.active && page === window.page
  private val done     = inPage < window.done
  private val locked   = !done && inPage < window.lockedUntil
  private val awaiting = awaits.reduce(_ || _)
  private val goes     = !remapped || !awaiting && Mux(
    inWindow,
    !locked,
    knows && now.bitmap && (!now.redirected || now.pointer)
  )
  blocked := valid && !goes

  // --- out
  private val passes = (if (mayPass) blocked && !looksUp else false.B)
  private val held   = valid && !(passes && io.in.valid)
  private val leaves = held && goes && io.out.ready
  private val enters = io.in.fire && Mux(valid, !passes, looksUp)
  io.in.ready := (
    if (config.halfRate) Mux(valid, passes && io.out.ready, looksUp || io.out.ready)
    else Mux(valid, Mux(passes, io.out.ready, leaves), looksUp || io.out.ready)
  )

  private val toFrame = remapped && Mux(inWindow, window.toDram === done, now.redirected)
  private val frame   = Mux(inWindow, window.frame, now.frame)
  io.out.valid              := Mux(held, goes, io.in.valid && !looksUp)
  io.out.bits.access        := Mux(held, access, io.in.bits)
  io.out.bits.line          := Mux(held, Mux(toFrame, frame ## inPage, target), lineIn)
  io.out.bits.ofRegion      := ofRegion(Mux(held, target, lineIn))
  io.out.bits.redirected    := held && toFrame
  io.out.bits.lookedUp      := held && remapped && !inWindow
  io.out.bits.bitmapMissed  := missed(0)
  io.out.bits.pointerMissed := missed(1)

  // --- lookups
  private val again = valid && remapped && !inWindow && !knows && !awaiting && !arrives
  io.lookup.valid := again || enters && looksUp
  io.lookup.bits  := Mux(again, page, lineIn >> bits.line)

  // --- misses
  private val asks = valid && remapped && !inWindow && knows && !awaiting
  io.bitmapMiss.request.valid  := asks && !now.bitmap
  io.bitmapMiss.request.bits   := page
  io.pointerMiss.request.valid := asks && now.bitmap && now.redirected && !now.pointer
  io.pointerMiss.request.bits  := page

  when(arrives) {
    known  := found
    looked := true.B
  }
  for ((miss, index) <- Seq(io.bitmapMiss, io.pointerMiss).zipWithIndex) {
    when(miss.request.fire) {
      awaits(index) := true.B
      stale         := false.B
    }
    when(miss.answer.valid) {
      awaits(index) := false.B
      missed(index) := missed(index) || miss.answer.bits.fetched
    }
  }
  private val bitmap = io.bitmapMiss.answer
  when(bitmap.valid) {
    known.bitmap     := true.B
    known.redirected := bitmap.bits.found
  }
  private val pointer = io.pointerMiss.answer
  when(pointer.valid) {
    known.pointer := true.B
    known.frame   := pointer.bits.found.frame
    when(pointer.bits.found.bad)(known.redirected := false.B)
  }
  when(stale && (bitmap.valid || pointer.valid))(looked := false.B)
  when(io.forget) {
    looked := false.B
    stale  := true.B
  }
  when(leaves)(valid := false.B)
  when(enters) {
    valid    := true.B
    access   := io.in.bits
    remapped := looksUp
    looked   := false.B
    missed   := VecInit(false.B, false.B)
  }
}
