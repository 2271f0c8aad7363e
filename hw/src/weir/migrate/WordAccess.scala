// SPDX-License-Identifier: Apache-2.0
package weir.migrate

import chisel3._
import chisel3.util._
import weir.config.{NvmRegion, WeirConfig}
import weir.place.remap.{InternalPort, RemapBits}

/** A word of 8 bytes to be read or written. */
class WordRequest(config: WeirConfig) extends Bundle {
  val write = Bool()
  val page  = UInt(new RemapBits(config).page.W)

  /** Which of the page's words. */
  val word = UInt(log2Ceil(NvmRegion.pageBytes / 8).W)
  val data = UInt(64.W)
}

/** Reads and writes words of 8 bytes, of bitmaps and pointers, one at a time. `done` is high for a cycle when the word
  * has been read, or when its write is accepted. A line that was lost on its way is read again.
  *
  * Latency: that of a line read or written, and two cycles.
  */
class WordAccess(config: WeirConfig) extends Module {
  private val wordsOfLine = config.geometry.lineBytes / 8
  private val wordBits    = log2Ceil(wordsOfLine)

  val io = IO(new Bundle {
    val request = Flipped(Decoupled(new WordRequest(config)))
    val done    = Output(Bool())
    val data    = Output(UInt(64.W))
    val memory  = new InternalPort(config)
  })
  private val busy    = RegInit(false.B)
  private val offered = RegInit(false.B)
  private val request = Reg(new WordRequest(config))
  private val place   = if (wordBits == 0) 0.U else request.word(wordBits - 1, 0)
  private val line    = request.page ## request.word >> wordBits

  io.memory.reads.valid        := offered && !request.write
  io.memory.reads.bits.line    := line
  io.memory.reads.bits.tag     := 0.U
  io.memory.writes.valid       := offered && request.write
  io.memory.writes.bits.line   := line
  io.memory.writes.bits.data   := Fill(wordsOfLine, request.data)
  io.memory.writes.bits.strobe := FillInterleaved(8, UIntToOH(place, wordsOfLine))

  private val came = io.memory.returns.valid
  io.request.ready := !busy
  io.done          := busy && Mux(request.write, io.memory.accepted, came && !io.memory.returns.bits.lost)
  io.data := VecInit.tabulate(wordsOfLine)(word => io.memory.returns.bits.data(64 * word + 63, 64 * word))(place)
  when(io.memory.reads.fire || io.memory.writes.fire)(offered := false.B)
  when(busy && !request.write && came && io.memory.returns.bits.lost)(offered := true.B)
  when(io.done)(busy                                                          := false.B)
  when(io.request.fire) {
    busy    := true.B
    offered := true.B
    request := io.request.bits
  }
}
