// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.ram.BlockRam

/** The data of the blocks in the read buffer.
  *
  * Latency: a beat that is asked for with `load` is on `data` from the next cycle on until the next `load`; without `Pipeline.answer`
  * also if its last line is written in the cycle of `load`. Throughput: one line in and one beat out per cycle.
  */
class ReadData(config: WeirConfig) extends Module {
  private val blocks = new Blocks(config)
  val io             = IO(new Bundle {

    /** A line has come. `line` has a bit for each line of the block. */
    val write = Flipped(Valid(new Bundle {
      val slot = UInt(blocks.slotBits.W)
      val line = UInt(blocks.lines.W)
      val data = UInt(config.geometry.lineBits.W)
      val lost = Bool()
    }))

    /** The word of a block that is wanted, and the lines of the block that were read; `passes` takes the line that is being written past the memory (without `Pipeline.answer`),
      * `failed` makes all data 0.
      */
    val load = Flipped(Valid(new Bundle {
      val slot   = UInt(blocks.slotBits.W)
      val word   = UInt(log2Ceil(blocks.words).W)
      val lines  = UInt(blocks.lines.W)
      val passes = Bool()
      val failed = Bool()
    }))
    val data = Output(UInt(config.axi.dataBits.W))

    /** A line of the block that was read was lost; never of a failed block. */
    val lost = Output(Bool())
  })
  private val write = io.write.bits
  private val load  = io.load.bits

  private val word   = RegEnable(load.word, io.load.valid)
  private val asked  = if (blocks.lines == 1) 1.U else RegEnable(load.lines, io.load.valid)
  private val passed = RegEnable(Mux(load.passes && !load.failed, write.line, 0.U), io.load.valid) // lines in `line`
  private val line   = RegEnable(write.lost ## write.data, io.load.valid)

  private val lines = Seq.tabulate(blocks.lines) { i =>
    val memory = Module(new BlockRam(blocks.slots, 1 + config.geometry.lineBits))
    memory.io.clock        := clock
    memory.io.write        := io.write.valid && write.line(i)
    memory.io.writeAddress := write.slot
    memory.io.writeData    := write.lost ## write.data
    memory.io.read         := io.load.valid
    memory.io.clear        := io.load.valid && load.failed
    memory.io.readAddress  := load.slot
    if (config.pipeline.answer) memory.io.readData else Mux(passed(i), line, memory.io.readData)
  }
  private val block     = Cat(lines.map(_(config.geometry.lineBits - 1, 0)).reverse)
  private val lostLines = VecInit(lines.map(_(config.geometry.lineBits)))
  io.data := block.asTypeOf(Vec(blocks.words, UInt(config.axi.dataBits.W)))(word)
  io.lost := (lostLines.asUInt & asked).orR
}
