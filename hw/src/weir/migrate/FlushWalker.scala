// SPDX-License-Identifier: Apache-2.0
package weir.migrate

import chisel3._
import chisel3.util._
import weir.config.{RegionPages, WeirConfig}
import weir.place.remap.RemapBits

/** Walks the bitmap of the whole region and gives the pages that live in DRAM, one at a time, in the order of their
  * numbers. Only while nothing else changes the bitmap.
  *
  * Latency: a word of the bitmap, of 64 pages, takes a read of a line; so the walk takes 8 reads for each superpage,
  * and two cycles for each page that it gives.
  */
class FlushWalker(config: WeirConfig) extends Module {
  private val bits  = new RemapBits(config)
  private val pages = new RegionPages(config)

  val io = IO(new Bundle {

    /** The walk begins. */
    val start = Input(Bool())

    /** First page of the bitmap table. */
    val bitmapBase = Input(UInt(bits.page.W))

    /** The words of the bitmap that it wants, and the word that it wanted. */
    val words = Decoupled(new WordRequest(config))
    val word  = Flipped(Valid(UInt(64.W)))

    /** The next page in DRAM. */
    val next = Decoupled(UInt(bits.page.W))

    /** There are no more; until `next` could be taken. */
    val ended = Output(Bool())
  })
  private val wordBits = io.words.bits.word.getWidth

  private object State extends ChiselEnum {
    val idle, asks, waits, gives, ends = Value
  }
  private val state     = RegInit(State.idle)
  private val number    = Reg(UInt(log2Ceil(pages.count / 64).max(1).W))
  private val remaining = Reg(UInt(64.W))
  private val lowest    = PriorityEncoder(remaining)

  io.words.valid      := state === State.asks
  io.words.bits       := 0.U.asTypeOf(io.words.bits)
  io.words.bits.write := false.B
  io.words.bits.page  := io.bitmapBase + (number >> wordBits)
  io.words.bits.word  := number.pad(wordBits)(wordBits - 1, 0)
  io.next.valid       := state === State.gives && remaining.orR
  io.next.bits        := pages.first.U + number ## lowest
  io.ended            := state === State.ends

  when(io.start) {
    state  := State.asks
    number := 0.U
  }
  when(io.words.fire)(state := State.waits)
  when(state === State.waits && io.word.valid) {
    remaining := io.word.bits
    state     := State.gives
  }
  when(state === State.gives) {
    when(io.next.fire)(remaining := remaining & (remaining - 1.U))
    when(!remaining.orR) {
      number := number + 1.U
      state  := Mux(number === (pages.count / 64 - 1).U, State.ends, State.asks)
    }
  }
  when(state === State.ends && io.next.ready)(state := State.idle)
}
