// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** A beat of the W channel. WLAST is not kept: beats are counted by AWLEN. */
class WriteBeat(config: WeirConfig) extends Bundle {
  val data   = UInt(config.axi.dataBits.W)
  val strobe = UInt(config.axi.dataBytes.W)

  /** Lines of its block that it sets a strobe of, a bit for each. */
  val marked = UInt(new Blocks(config).lines.W)
}

object WriteBeat {
  def apply(config: WeirConfig, data: UInt, strobe: UInt): WriteBeat = {
    val beat = Wire(new WriteBeat(config))
    val part = config.axi.dataBytes.min(config.geometry.lineBytes)
    beat.data   := data
    beat.strobe := strobe
    beat.marked := VecInit(strobe.asBools.grouped(part).map(VecInit(_).asUInt.orR).toSeq).asUInt
    beat
  }
}

/** Gathers the beats of a block into its data and strobes and sends its lines. Later beats overwrite earlier ones, as FIXED
  * bursts want. A line without a strobe is not sent, nor is any of a failed block.
  *
  * Strobes are taken as they come: that a beat sets only strobes of its own byte lanes is the manager's duty (AXI4 A3.4.3).
  *
  * A line and its entry in `owed` go in the same cycle: the `valid` of each looks at the `ready` of the other, and neither at its
  * own.
  *
  * Latency: a line is offered in the cycle after the last beat of its block was taken. Throughput: one beat and one line
  * per cycle.
  */
class WriteGather(config: WeirConfig) extends Module {
  private val blocks    = new Blocks(config)
  private val busBytes  = config.axi.dataBytes
  private val lineBits  = config.geometry.lineBits
  private val lineBytes = config.geometry.lineBytes

  val io = IO(new Bundle {
    val port     = Input(UInt(log2Ceil(config.axi.ports).W))
    val accesses = Flipped(Decoupled(new BlockAccess(config)))
    val beats    = Flipped(Decoupled(new WriteBeat(config)))
    val writes   = Decoupled(new LineWrite(config))

    /** What must happen before the burst is answered: an entry for each line sent, in order, and one for a burst that ends
      * without a line.
      */
    val owed = Decoupled(new OwedResponse(config))
  })
  private val access = io.accesses.bits
  private val cursor = Module(new BeatCursor(config))

  // The beats of the block that have come. The first one is taken in before its address need be known: into every word, of
  // which only its own counts. It and the others are counted by the cursor when the next one comes.
  private val full   = RegInit(false.B)
  private val data   = Reg(Vec(blocks.bytes, UInt(8.W)))
  private val strobe = Reg(Vec(blocks.words, UInt(busBytes.W)))
  private val marked = Reg(UInt(blocks.lines.W)) // lines with a strobe

  private val known       = full && io.accesses.valid
  private val ends        = cursor.io.last
  private val complete    = known && ends
  private val here        = UIntToOH(cursor.io.word, blocks.words)
  private val blockStrobe = VecInit(strobe.zipWithIndex.map { case (word, i) =>
    Mux(cursor.io.begun || here(i), word, 0.U)
  })

  // Its lines.
  private val lines = Module(new BlockSplitter(blocks.lines))
  private val sends = !access.failed && marked.orR
  lines.io.needed.valid := complete && sends && io.owed.ready
  lines.io.needed.bits  := marked
  lines.io.line.ready   := io.writes.ready

  io.writes.valid       := lines.io.line.valid
  io.writes.bits.line   := (if (blocks.lines == 1) access.block else Cat(access.block, lines.io.line.bits))
  io.writes.bits.source := SourceTag(config, io.port, access.id)
  io.writes.bits.port   := io.port
  private def lineOf(block: UInt, width: Int): UInt =
    if (blocks.lines == 1) block
    else VecInit(Seq.tabulate(blocks.lines)(i => block((i + 1) * width - 1, i * width)))(lines.io.line.bits)
  io.writes.bits.data   := lineOf(data.asUInt, lineBits)
  io.writes.bits.strobe := lineOf(blockStrobe.asUInt, lineBytes)

  // The answer: an error of any block is the burst's.
  private val earlier  = Reg(UInt(2.W))
  private val response = Mux(access.failed, access.response, Mux(access.first, Response.okay, earlier))
  private val done     = Mux(sends, lines.io.needed.ready && io.owed.ready, io.owed.ready || !access.last)
  io.owed.valid         := complete && Mux(sends, io.writes.ready, access.last) // a block that sends has a line left
  io.owed.bits.id       := access.id
  io.owed.bits.response := response
  io.owed.bits.line     := sends
  io.owed.bits.last     := access.last && (!sends || lines.io.last)

  io.accesses.ready := complete && done
  when(io.accesses.fire)(earlier := response)

  // The next beat.
  private val opens = !full || ends // it is the first of its block
  private val lands = UIntToOH(cursor.io.nextWord, blocks.words)
  io.beats.ready := !full || known && (!ends || done)
  full           := io.beats.valid || full && !io.accesses.fire
  cursor.io.run  := access.run
  cursor.io.step := io.accesses.fire || known && !ends && io.beats.valid
  when(io.beats.fire) {
    marked := Mux(opens, 0.U, marked) | io.beats.bits.marked
    for (word <- 0 until blocks.words) {
      val hits = Mux(opens || lands(word), io.beats.bits.strobe, 0.U)
      strobe(word) := Mux(opens, 0.U, blockStrobe(word)) | hits
      for (byte <- 0 until busBytes)
        when(hits(byte))(data(word * busBytes + byte) := io.beats.bits.data(8 * byte + 7, 8 * byte))
    }
  }
}
