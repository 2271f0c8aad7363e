// SPDX-License-Identifier: Apache-2.0
package weir.place.remap

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** Where the pages of the region are that live in DRAM; a small cache in front of the pointers in memory.
  *
  * A pointer is 8 bytes: bit 63 says that it is valid, bits 51:0 are the number of the page in DRAM. It stands in the first 8
  * bytes of the page's home (Rainbow, section III-E), or (`control.table`) in a table in the region, which a power cut spares, with
  * an entry for each page of the region.
  *
  * Like [[BitmapCache]], but that an entry is fetched by one line read, that updates change the cache alone, as whoever moves
  * pages writes pointers, and that a pointer that is not valid, or leads to no frame, is answered as `bad` and not kept.
  */
class PointerCache(config: WeirConfig) extends Module {
  import PointerCache._
  private val remapping = config.remapping.get
  private val bits      = new RemapBits(config)
  private val lineBytes = config.geometry.lineBytes
  private val perLine   = lineBytes / 8

  val io = IO(new Bundle {
    val control = Input(new RemapControl(config))
    val clear   = Input(Bool())
    val busy    = Output(Bool())
    val lookup  = Flipped(new CacheLookup(config, UInt(bits.page.W)))
    val misses  = Vec(2, Flipped(new CacheMiss(config, new Found(config))))
    val updates = Flipped(Decoupled(new RemapUpdate(config)))
    val updated = Output(Bool())

    /** The page whose pointer is being fetched. */
    val fetching = Valid(UInt(bits.page.W))
    val memory   = new InternalPort(config)
  })

  private object State extends ChiselEnum {
    val idle, judge, ask, fetch, check, write, sweep = Value
  }
  import State._
  private val state = RegInit(idle)
  private val clear = RegInit(false.B) // asked for, and not begun

  private val store   = Module(new TaggedStore(remapping.pointerSets, remapping.pointerWays, bits.page, 1, bits.page))
  private val setBits = log2Ceil(remapping.pointerSets)

  private val turns = Module(new RRArbiter(UInt(bits.page.W), 3))
  for ((turn, miss) <- turns.io.in.zip(io.misses)) turn <> miss.request
  turns.io.in(2).valid := io.updates.valid
  turns.io.in(2).bits  := io.updates.bits.page
  io.updates.ready     := turns.io.in(2).ready
  turns.io.out.ready   := state === idle && !clear
  private val begins   = turns.io.out.fire
  private val page     = RegEnable(turns.io.out.bits, begins)
  private val served   = RegEnable(turns.io.chosen, begins)
  private val update   = RegEnable(io.updates.bits, begins)
  private val isUpdate = served === 2.U

  // every state that may write the set at its end
  private val writes  = state === check || state === write
  private val sameSet = io.lookup.page(setBits - 1, 0) === page(setBits - 1, 0)
  io.busy                   := clear || state === sweep
  clear                     := io.clear || clear && state =/= idle
  io.lookup.free            := !begins && !(writes && sameSet)
  store.io.lookup.valid     := begins || io.lookup.valid
  store.io.lookup.bits.key  := Mux(begins, turns.io.out.bits, io.lookup.page)
  store.io.lookup.bits.word := DontCare
  io.lookup.hit             := store.io.hit
  io.lookup.found           := store.io.data

  // --- fetch
  private val first = config.nvm.get.firstRank * (BigInt(1) << bits.page) / config.geometry.ranks
  private val index = page - first.U
  private val line  = Mux(
    io.control.table,
    (io.control.pointerBase << bits.line) + (index / perLine.U),
    page << bits.line
  )
  private val inLine = if (perLine == 1) 0.U else Mux(io.control.table, index(log2Ceil(perLine) - 1, 0), 0.U)
  private val got    = Reg(UInt(64.W))
  io.memory.reads.valid     := state === ask
  io.memory.reads.bits.line := line
  io.memory.reads.bits.tag  := 0.U
  io.memory.writes.valid    := false.B
  io.memory.writes.bits     := 0.U.asTypeOf(io.memory.writes.bits)
  io.fetching.valid         := state === ask || state === fetch || state === check
  io.fetching.bits          := page
  when(io.memory.returns.valid)(
    got := VecInit.tabulate(perLine)(at => io.memory.returns.bits.data(64 * at + 63, 64 * at))(inLine)
  )

  private val pointer = got(numberBits - 1, 0)
  private val good    = got(validBit) && pointer >= io.control.frameBase &&
    pointer < io.control.frameBase +& io.control.frameCount

  private val fills = state === check && good || state === write && update.redirected
  private val hit   = RegEnable(store.io.hit, state === judge)
  store.io.keep          := state === judge
  store.io.put.valid     := fills
  store.io.put.bits.word := DontCare
  store.io.put.bits.data := Mux(isUpdate, update.frame, pointer(bits.page - 1, 0))
  store.io.install       := fills && !hit
  store.io.drop          := state === write && !update.redirected && hit

  for ((miss, way) <- io.misses.zipWithIndex) {
    miss.answer.valid            := (state === judge && store.io.hit || state === check) && served === way.U
    miss.answer.bits.found.bad   := state === check && !good
    miss.answer.bits.found.frame := Mux(state === check, pointer(bits.page - 1, 0), store.io.data)
    miss.answer.bits.fetched     := state === check
  }
  io.updated := state === write

  private val sweepSet = Reg(UInt(setBits.W))
  store.io.sweep.valid := state === sweep
  store.io.sweep.bits  := sweepSet

  switch(state) {
    is(idle) {
      sweepSet := 0.U
      when(clear)(state := sweep).elsewhen(begins)(state := judge)
    }
    is(judge)(state := Mux(isUpdate, write, Mux(store.io.hit, idle, ask)))
    is(ask)(when(io.memory.reads.ready)(state := fetch))
    is(fetch)(when(io.memory.returns.valid)(state := Mux(io.memory.returns.bits.lost, ask, check)))
    is(check)(state := idle)
    is(write)(state := idle)
    is(sweep) {
      sweepSet := sweepSet + 1.U
      when(sweepSet.andR)(state := idle)
    }
  }
}

object PointerCache {

  /** Bits of a pointer in memory. */
  val numberBits: Int = 52
  val validBit: Int   = 63

  /** What memory says of a page in DRAM: the frame's page number, or nothing of use. */
  class Found(config: WeirConfig) extends Bundle {
    val bad   = Bool()
    val frame = UInt(new RemapBits(config).page.W)
  }
}
