// SPDX-License-Identifier: Apache-2.0
package weir.place.remap

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.front.{LineRead, LineReturn, LineTag, LineWrite}
import weir.place.{MonitoredAccess, PageNumbers}

/** Sends accesses to pages of the NVM region that live in DRAM there, so that whoever accesses them need not know (Rainbow,
  * section III-E); and brings the lines of whoever moves pages, and of the tables that tell where they are, to the channel.
  *
  * While remapping is enabled each access to the region is looked up in the [[BitmapCache]] and, in the same cycle, in the
  * [[PointerCache]]. Reads and writes are two ways ([[RemapWay]]) that take turns at the caches, and of which neither waits
  * for the other's misses longer than for one fetch each. A set bit whose pointer is none leads home, and is told as
  * `bad_pointer`. Fetches and the caches' writes go before demand accesses, and those before the mover's ([[LineArbiter]]).
  *
  * Ordering: writes stay in the order in which they came. Reads of the region do too; others pass one that is blocked.
  *
  * Latency of an access that is not redirected in cycles, beyond those without: none to DRAM; to the region 1, or 2 where the
  * other way is looked up first, if its bitmap is in the cache, and up to 9 where a fetched bitmap is just being written into
  * the same set. Throughput: one read and one write per cycle, together one lookup.
  */
class RemapUnit(config: WeirConfig) extends Module {
  private val bits = new RemapBits(config)

  val io = IO(new Bundle {
    val reads    = Flipped(Decoupled(new LineRead(config)))
    val writes   = Flipped(Decoupled(new LineWrite(config)))
    val returns  = Valid(new LineReturn(config))
    val accepted = Valid(UInt(new LineTag(config).port.getWidth.W))

    val placed = new Bundle {
      val reads    = Decoupled(new LineRead(config))
      val writes   = Decoupled(new LineWrite(config))
      val returns  = Flipped(Valid(new LineReturn(config)))
      val accepted = Flipped(Valid(UInt(new LineTag(config).port.getWidth.W)))
    }
    val move  = Flipped(new MovePort(config))
    val remap = Flipped(new RemapPort(config))

    /** Demand accesses to the region as they are sent on, a read and a write, with the page that was asked for. */
    val accesses = Option.when(config.hotMonitoring.isDefined)(Vec(2, Valid(new MonitoredAccess(config))))
  })
  private val control  = io.remap.control
  private val bitmaps  = Module(new BitmapCache(config))
  private val pointers = Module(new PointerCache(config))
  private val frames   = Module(new FrameStates(config))
  private val reads  = Module(new RemapWay(config, new LineRead(config), (read: LineRead) => read.line, mayPass = true))
  private val writes =
    Module(new RemapWay(config, new LineWrite(config), (write: LineWrite) => write.line, mayPass = false))

  // --- what is enabled begins empty
  private val begins = control.enable && !RegNext(control.enable, false.B)
  private val busy   = begins || bitmaps.io.busy || pointers.io.busy || frames.io.busy
  bitmaps.io.base     := control.bitmapBase
  bitmaps.io.clear    := begins
  pointers.io.control := control
  pointers.io.clear   := begins
  frames.io.clear     := begins
  io.remap.busy       := busy

  // --- lookups: in turn where both want one
  reads.io.in <> io.reads
  writes.io.in <> io.writes
  private val lastWasRead = RegInit(false.B)
  private val takesRead   = reads.io.lookup.valid && !(writes.io.lookup.valid && lastWasRead)
  private val page        = Mux(takesRead, reads.io.lookup.bits, writes.io.lookup.bits)
  private val free        = bitmaps.io.lookup.free && pointers.io.lookup.free && !busy
  private val granted     = free && (reads.io.lookup.valid || writes.io.lookup.valid)
  when(granted)(lastWasRead := takesRead)
  reads.io.lookup.ready := free && takesRead
  writes.io.lookup.ready := free && !takesRead
  bitmaps.io.lookup.valid := granted
  bitmaps.io.lookup.page := page
  pointers.io.lookup.valid := granted
  pointers.io.lookup.page := page

  private def wire[T <: Data](way: RemapWay[T], number: Int): Unit = {
    way.io.enable     := control.enable
    way.io.window     := io.move.window
    way.io.forget     := io.move.updated || begins
    way.io.bitmapHit  := bitmaps.io.lookup.hit
    way.io.bit        := bitmaps.io.lookup.found
    way.io.pointerHit := pointers.io.lookup.hit
    way.io.pointer    := pointers.io.lookup.found
    way.io.bitmapMiss <> bitmaps.io.misses(number)
    way.io.pointerMiss <> pointers.io.misses(number)
  }
  wire(reads, 0)
  wire(writes, 1)
  private val badPointer = RegInit(false.B)
  badPointer := pointers.io.misses.map(miss => miss.answer.valid && miss.answer.bits.found.bad).reduce(_ || _) ||
    badPointer && !io.remap.badPointer.clear
  io.remap.badPointer.value := badPointer

  // --- updates: the pointer, then the bitmap
  private object Update extends ChiselEnum { val idle, pointer, bitmap = Value }
  private val state  = RegInit(Update.idle)
  private val asked  = RegInit(false.B)
  private val update = RegEnable(io.move.updates.bits, io.move.updates.fire)
  io.move.updates.ready                                    := state === Update.idle && control.enable && !busy
  pointers.io.updates.valid                                := state === Update.pointer && !asked
  pointers.io.updates.bits                                 := update
  bitmaps.io.updates.valid                                 := state === Update.bitmap && !asked
  bitmaps.io.updates.bits                                  := update
  when(io.move.updates.fire)(state                                := Update.pointer)
  when(pointers.io.updates.fire || bitmaps.io.updates.fire)(asked := true.B)
  when(pointers.io.updated) {
    state := Update.bitmap
    asked := false.B
  }
  when(bitmaps.io.updated) {
    state := Update.idle
    asked := false.B
  }
  io.move.updated := bitmaps.io.updated

  // --- to the address map
  private val mover  = io.move.memory
  private val tables = Seq(bitmaps.io.memory, pointers.io.memory)
  // the caches' tags, told apart above the pieces of a bitmap
  private val pieces     = 64 / config.geometry.lineBytes
  private val readTables = Module(new RRArbiter(new LineRead(config), 2))
  for (((table, to), number) <- tables.zip(readTables.io.in).zipWithIndex) {
    to.valid          := table.reads.valid
    to.bits.line      := table.reads.bits.line
    to.bits.source    := 0.U
    to.bits.tag.port  := LineTag.tables(config).U
    to.bits.tag.slot  := (number * pieces).U + table.reads.bits.tag
    table.reads.ready := to.ready
  }
  private val toReads = Module(new LineArbiter(new LineRead(config)))
  toReads.io.tables <> readTables.io.out
  toReads.io.demand.valid        := reads.io.out.valid
  toReads.io.demand.bits         := reads.io.out.bits.access
  toReads.io.demand.bits.line    := reads.io.out.bits.line
  reads.io.out.ready             := toReads.io.demand.ready
  toReads.io.mover.valid         := mover.reads.valid
  toReads.io.mover.bits.line     := mover.reads.bits.line
  toReads.io.mover.bits.source   := 0.U
  toReads.io.mover.bits.tag.port := LineTag.mover(config).U
  toReads.io.mover.bits.tag.slot := mover.reads.bits.tag
  mover.reads.ready              := toReads.io.mover.ready
  io.placed.reads <> toReads.io.out

  private val toWrites = Module(new LineArbiter(new LineWrite(config)))
  private def internal(from: DecoupledIO[InternalWrite], to: DecoupledIO[LineWrite], port: Int): Unit = {
    to.valid       := from.valid
    to.bits.line   := from.bits.line
    to.bits.source := 0.U
    to.bits.port   := port.U
    to.bits.data   := from.bits.data
    to.bits.strobe := from.bits.strobe
    from.ready     := to.ready
  }
  internal(bitmaps.io.memory.writes, toWrites.io.tables, LineTag.tables(config))
  internal(mover.writes, toWrites.io.mover, LineTag.mover(config))
  pointers.io.memory.writes.ready := false.B
  toWrites.io.demand.valid        := writes.io.out.valid
  toWrites.io.demand.bits         := writes.io.out.bits.access
  toWrites.io.demand.bits.line    := writes.io.out.bits.line
  writes.io.out.ready             := toWrites.io.demand.ready
  io.placed.writes <> toWrites.io.out

  // --- and back, each to whom it is for
  private val returns  = io.placed.returns
  private val accepted = io.placed.accepted
  io.returns.valid        := returns.valid && returns.bits.tag.port < config.axi.ports.U
  io.returns.bits         := returns.bits
  io.accepted.valid       := accepted.valid && accepted.bits < config.axi.ports.U
  io.accepted.bits        := accepted.bits
  mover.returns.valid     := returns.valid && returns.bits.tag.port === LineTag.mover(config).U
  mover.returns.bits.tag  := returns.bits.tag.slot
  mover.returns.bits.data := returns.bits.data
  mover.returns.bits.lost := returns.bits.lost
  // from registers, as `accepted` may depend on what is read in the same cycle
  mover.accepted := RegNext(accepted.valid && accepted.bits === LineTag.mover(config).U, false.B)
  for ((table, number) <- tables.zipWithIndex) {
    val slot = returns.bits.tag.slot
    table.returns.valid := returns.valid && returns.bits.tag.port === LineTag.tables(config).U &&
      (slot >= pieces.U) === (number == 1).B
    table.returns.bits.tag  := slot - (number * pieces).U
    table.returns.bits.data := returns.bits.data
    table.returns.bits.lost := returns.bits.lost
    table.accepted := (if (number == 0) RegNext(accepted.valid && accepted.bits === LineTag.tables(config).U, false.B)
                       else false.B)
  }

  // --- fence
  private val fence   = Module(new AccessFence(config))
  private val fencing = RegInit(false.B)
  fence.io.begin          := io.move.fence.valid && !fencing
  fence.io.read.valid     := reads.io.out.fire && reads.io.out.bits.ofRegion
  fence.io.read.bits      := reads.io.out.bits.access.tag
  fence.io.returned.valid := io.returns.valid
  fence.io.returned.bits  := io.returns.bits.tag
  fence.io.wrote          := writes.io.out.fire
  fence.io.accepted       := io.accepted.valid
  private val fetches = pointers.io.fetching.valid && pointers.io.fetching.bits === io.move.window.page
  io.move.fence.ready := fencing && fence.io.done && !fetches
  fencing             := io.move.fence.valid && !io.move.fence.ready

  // --- states of frames
  private val dirties = writes.io.out.fire && writes.io.out.bits.redirected
  private val dirtied = RegEnable(writes.io.out.bits.line, dirties)
  frames.io.mark.valid      := RegNext(dirties, false.B)
  frames.io.mark.bits.index := ((dirtied >> bits.line) - control.frameBase)(bits.frame - 1, 0)
  frames.io.mark.bits.line  := dirtied(bits.line - 1, 0)
  frames.io.requests <> io.move.frames
  io.move.frame              := frames.io.answer
  frames.io.read.valid       := io.remap.frameStates.read
  frames.io.read.bits.frames := io.remap.frames.value
  frames.io.read.bits.dirty  := io.remap.dirty
  private val fetched = io.remap.frameStates.answer
  fetched.valid      := frames.io.states.valid
  fetched.bits.word  := frames.io.states.bits
  fetched.bits.there := true.B
  private val block     = io.remap.frames
  private val lastBlock = config.remapping.get.frames / 32 - 1
  block.moves.valid := frames.io.states.valid
  block.moves.bits  := block.next(block.value === lastBlock.U)

  // --- for whoever counts accesses, through a register
  private def sent[T <: Data](out: DecoupledIO[Remapped[T]], line: UInt, write: Boolean): Valid[MonitoredAccess] = {
    val access = Wire(Valid(new MonitoredAccess(config)))
    access.valid           := RegNext(out.fire && out.bits.ofRegion, false.B)
    access.bits.page       := RegNext(new PageNumbers(config).page(line))
    access.bits.write      := write.B
    access.bits.redirected := RegNext(out.bits.redirected)
    access
  }
  for (accesses <- io.accesses)
    accesses := VecInit(
      sent(reads.io.out, reads.io.out.bits.access.line, write = false),
      sent(writes.io.out, writes.io.out.bits.access.line, write = true)
    )

  // --- counters, in the order of RemapCounters
  private val counters = RegInit(VecInit.fill(RemapCounters.names.size)(0.U(32.W)))
  private val passed   = Seq(reads.io.out.fire -> reads.io.out.bits, writes.io.out.fire -> writes.io.out.bits)
  private val events   = passed.map { case (fire, access) =>
    val looked   = fire && access.lookedUp
    val pointers = looked && access.redirected
    val goes     = fire && access.redirected
    Seq(
      looked && !access.bitmapMissed,
      looked && access.bitmapMissed,
      pointers && !access.pointerMissed,
      pointers && access.pointerMissed,
      goes
    )
  }
  for (index <- 0 until 4) counters(index) := counters(index) + (RegNext(events(0)(index)) +& RegNext(events(1)(index)))
  for (way <- 0 until 2) counters(4 + way) := counters(4 + way) + RegNext(events(way)(4))
  io.remap.counter                         := counters(io.remap.counterIndex)
}
