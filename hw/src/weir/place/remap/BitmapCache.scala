// SPDX-License-Identifier: Apache-2.0
package weir.place.remap

import chisel3._
import chisel3.util._
import weir.config.{NvmRegion, WeirConfig}

/** What the caches of remapping and those who look something up in them have in common. */
class CacheLookup[T <: Data](config: WeirConfig, gen: T) extends Bundle {
  private val bits = new RemapBits(config)

  /** Looks a page up; only while `free` (which looks at `page`). */
  val valid = Output(Bool())
  val page  = Output(UInt(bits.page.W))
  val free  = Input(Bool())

  /** In the next cycle: whether the cache has it, and what it says. */
  val hit   = Input(Bool())
  val found = Input(gen.cloneType)
}

/** What the cache does not hold is asked for: once a request is taken its answer will come. */
class CacheMiss[T <: Data](config: WeirConfig, gen: T) extends Bundle {
  private val bits = new RemapBits(config)
  val request      = Decoupled(UInt(bits.page.W))
  val answer       = Flipped(Valid(new Bundle {
    val found = gen.cloneType

    /** It was read from memory, and not brought into the cache meanwhile for another. */
    val fetched = Bool()
  }))
}

/** Cache of the migration bitmaps: for each superpage of the region 512 bits, one for each of its pages, set where the page
  * lives in DRAM (Rainbow, section III-D). The whole table lies in DRAM, 64 bytes for each superpage from `base` on: bit p of
  * the superpage is bit p mod 8 of its byte p / 8.
  *
  *   - `lookup`: answered in the next cycle, one in each cycle; refused (`free`) in the cycle in which a miss begins to be
  *     served, and while the set is being written, 8 cycles for each line fetched.
  *   - `misses`: of the two ways of accesses; served one at a time, in turn with updates: a line read of 64 bytes, several
  *     where lines are shorter.
  *   - `updates`: sets or clears a page's bit in the cache, which fetches the bitmap if need be, and writes the changed byte
  *     through to the table; `updated` when that write is accepted.
  *   - `clear`: empties the cache; `busy` meanwhile, a cycle for each set, and then lookups are not to be trusted.
  *
  * The entries are words of 64 bits, so that a lookup reads one word of each way and no wide line.
  */
class BitmapCache(config: WeirConfig) extends Module {
  private val remapping = config.remapping.get
  private val bits      = new RemapBits(config)
  private val lineBytes = config.geometry.lineBytes
  private val inSuper   = log2Ceil(NvmRegion.pagesPerSuperpage)
  private val superBits = bits.page - inSuper
  private val bytes     = NvmRegion.pagesPerSuperpage / 8
  private val words     = bytes / 8
  private val pieces    = bytes / lineBytes

  val io = IO(new Bundle {
    val base    = Input(UInt(bits.page.W))
    val clear   = Input(Bool())
    val busy    = Output(Bool())
    val lookup  = Flipped(new CacheLookup(config, Bool()))
    val misses  = Vec(2, Flipped(new CacheMiss(config, Bool())))
    val updates = Flipped(Decoupled(new RemapUpdate(config)))
    val updated = Output(Bool())
    val memory  = new InternalPort(config)
  })

  private object State extends ChiselEnum {
    val idle, judge, fetch, fill, write, accept, sweep = Value
  }
  import State._
  private val state = RegInit(idle)
  private val clear = RegInit(false.B) // asked for, and not begun

  private val store = Module(new TaggedStore(remapping.bitmapSets, remapping.bitmapWays, superBits, words, 64))

  private def superpage(page: UInt): UInt = page >> inSuper
  private def word(page: UInt): UInt      = page(inSuper - 1, 6)

  // --- whom to serve
  private val turns = Module(new RRArbiter(UInt(bits.page.W), 3))
  for ((turn, miss) <- turns.io.in.zip(io.misses)) turn <> miss.request
  turns.io.in(2).valid := io.updates.valid
  turns.io.in(2).bits  := io.updates.bits.page
  io.updates.ready     := turns.io.in(2).ready
  turns.io.out.ready   := state === idle && !clear
  private val begins   = turns.io.out.fire
  private val page     = RegEnable(turns.io.out.bits, begins)
  private val served   = RegEnable(turns.io.chosen, begins)
  private val sets     = RegEnable(io.updates.bits.redirected, begins)
  private val isUpdate = served === 2.U

  private val writes  = state === fill || state === write
  private val sameSet = superpage(io.lookup.page)(log2Ceil(remapping.bitmapSets) - 1, 0) ===
    superpage(page)(log2Ceil(remapping.bitmapSets) - 1, 0)
  io.busy        := clear || state === sweep
  clear          := io.clear || clear && state =/= idle
  io.lookup.free := !begins && !(writes && sameSet)

  store.io.lookup.valid     := begins || io.lookup.valid
  store.io.lookup.bits.key  := superpage(Mux(begins, turns.io.out.bits, io.lookup.page))
  store.io.lookup.bits.word := word(Mux(begins, turns.io.out.bits, io.lookup.page))
  io.lookup.hit             := store.io.hit
  // the page of a lookup of the cycle before; its bit of each way, as the tags are compared meanwhile
  private val looked = RegEnable(io.lookup.page(5, 0), io.lookup.valid)
  io.lookup.found := Mux1H(store.io.found, store.io.words.map(word => word(looked)))

  // --- what is fetched
  private val line     = Reg(Vec(words, UInt(64.W)))
  private val asked    = Reg(UInt(log2Ceil(pieces + 1).W))
  private val received = Reg(UInt(log2Ceil(pieces + 1).W))
  private val lost     = Reg(Bool())     // a piece of what was fetched, so that all are fetched again
  private val filled   = Reg(UInt(log2Ceil(words).W))
  private val known    = Reg(UInt(64.W)) // the word of the page
  private val first    = config.nvm.get.firstRank * (BigInt(1) << superBits) / config.geometry.ranks
  private val entry = ((io.base << bits.line) + (superpage(page) - first.U) * pieces.U)(config.lineAddressBits - 1, 0)

  io.memory.reads.valid     := state === fetch && asked =/= pieces.U
  io.memory.reads.bits.line := entry + asked
  io.memory.reads.bits.tag  := asked
  when(io.memory.returns.valid) {
    val perLine = words / pieces
    for (index <- 0 until words)
      when(io.memory.returns.bits.tag === (index / perLine).U) {
        line(index) := io.memory.returns.bits.data(64 * (index % perLine) + 63, 64 * (index % perLine))
      }
  }

  // --- what is written through: the byte of the page
  private val changed = VecInit(known.asBools)
  changed(page(5, 0)) := sets
  private val newWord = changed.asUInt
  private val byte    = VecInit.tabulate(8)(index => newWord(8 * index + 7, 8 * index))(page(5, 3))
  private val inLine  = if (lineBytes > 1) (page >> 3)(log2Ceil(lineBytes) - 1, 0) else 0.U
  private val piece   = if (pieces > 1) page(inSuper - 1, 3) / lineBytes.U else 0.U
  io.memory.writes.valid       := state === write
  io.memory.writes.bits.line   := entry + piece
  io.memory.writes.bits.data   := Fill(lineBytes, byte)
  io.memory.writes.bits.strobe := UIntToOH(inLine, lineBytes)

  store.io.keep          := state === judge
  store.io.put.valid     := state === fill || io.memory.writes.fire
  store.io.put.bits.word := Mux(state === fill, filled, word(page))
  store.io.put.bits.data := Mux(state === fill, line(filled), newWord)
  store.io.install       := state === fill && filled === (words - 1).U
  store.io.drop          := false.B

  // --- one after the other
  private val answers = Wire(Valid(UInt(64.W)))
  answers.valid := false.B
  answers.bits  := Mux(state === judge, store.io.data, line(word(page)))
  for ((miss, way) <- io.misses.zipWithIndex) {
    miss.answer.valid        := answers.valid && served === way.U
    miss.answer.bits.found   := answers.bits(page(5, 0))
    miss.answer.bits.fetched := state =/= judge
  }
  io.updated := state === accept && io.memory.accepted

  private val sweepSet = Reg(UInt(log2Ceil(remapping.bitmapSets).W))
  store.io.sweep.valid := state === sweep
  store.io.sweep.bits  := sweepSet

  switch(state) {
    is(idle) {
      asked    := 0.U
      received := 0.U
      lost     := false.B
      filled   := 0.U
      sweepSet := 0.U
      when(clear)(state := sweep).elsewhen(begins)(state := judge)
    }
    is(judge) {
      known         := store.io.data
      answers.valid := store.io.hit && !isUpdate
      state         := Mux(store.io.hit, Mux(isUpdate, write, idle), fetch)
    }
    is(fetch) {
      asked    := asked + io.memory.reads.fire
      received := received + io.memory.returns.valid
      lost     := lost || io.memory.returns.valid && io.memory.returns.bits.lost
      when(received === pieces.U) {
        when(lost) {
          asked    := 0.U
          received := 0.U
          lost     := false.B
        }.otherwise(state := fill)
      }
    }
    is(fill) {
      filled := filled + 1.U
      known  := line(word(page))
      when(store.io.install) {
        answers.valid := !isUpdate
        state         := Mux(isUpdate, write, idle)
      }
    }
    is(write) {
      when(io.memory.writes.fire)(state := accept)
    }
    is(accept) {
      when(io.memory.accepted)(state := idle)
    }
    is(sweep) {
      sweepSet := sweepSet + 1.U
      when(sweepSet.andR)(state := idle)
    }
  }
}
