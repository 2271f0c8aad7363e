// SPDX-License-Identifier: Apache-2.0
package weir.place.remap

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.ram.BlockRam

/** For each frame of DRAM whether it is used and whether it is dirty, and, where `Remapping.dirtyLines`, which of its lines are:
  * a bit each in memories that are a bit wide, so that marking one needs to read nothing.
  *
  *   - `mark`: a line of a frame was written by a redirected access; in each cycle, never refused.
  *   - `requests`: of whoever moves pages; refused in a cycle with a mark, answered in the next.
  *   - `read`: software reads the states of 32 frames, answered once, some 32 cycles later.
  *   - `clear`: all frames become unused and clean, a cycle each, `busy` meanwhile; lines keep their state.
  */
class FrameStates(config: WeirConfig) extends Module {
  private val remapping = config.remapping.get
  private val bits      = new RemapBits(config)

  val io = IO(new Bundle {
    val clear = Input(Bool())
    val busy  = Output(Bool())
    val mark  = Flipped(Valid(new Bundle {
      val index = UInt(bits.frame.W)
      val line  = UInt(bits.line.W)
    }))
    val requests = Flipped(Decoupled(new FrameRequest(config)))
    val answer   = Output(new FrameState)
    val read     = Flipped(Valid(new Bundle {
      val frames = UInt((bits.frame - 5).W)
      val dirty  = Bool()
    }))
    val states = Valid(UInt(32.W))
  })

  private val used  = Module(new BlockRam(remapping.frames, 1))
  private val dirty = Module(new BlockRam(remapping.frames, 1))
  private val lines = Option.when(remapping.dirtyLines)(Module(new BlockRam(remapping.frames * bits.lines, 1)))

  private val sweeping = RegInit(false.B)
  private val sweepAt  = Reg(UInt(bits.frame.W))
  when(io.clear) {
    sweeping := true.B
    sweepAt  := 0.U
  }.elsewhen(sweeping) {
    sweepAt  := sweepAt + 1.U
    sweeping := !sweepAt.andR
  }
  io.busy           := sweeping
  io.requests.ready := !sweeping && !io.mark.valid

  private val request = io.requests.bits
  private val taken   = io.requests.fire

  // --- software: bit after bit, in cycles in which nobody else needs the memories
  private val gathering = RegInit(false.B)
  private val gathered  = Reg(UInt(5.W))
  private val shown     = Reg(UInt(32.W))
  private val gathers   = gathering && !taken && !io.mark.valid && !sweeping
  private val arrives   = RegNext(gathers, false.B)
  private val last      = RegNext(gathers && gathered.andR, false.B)
  when(io.read.valid) {
    gathering := true.B
    gathered  := 0.U
  }.elsewhen(gathers) {
    gathered  := gathered + 1.U
    gathering := !gathered.andR
  }
  private val block   = RegEnable(io.read.bits.frames, io.read.valid)
  private val ofDirty = RegEnable(io.read.bits.dirty, io.read.valid)
  private val bit     = Mux(ofDirty, dirty.io.readData, used.io.readData)
  when(arrives)(shown := bit ## shown(31, 1))
  io.states.valid := RegNext(last, false.B)
  io.states.bits := shown

  private val readAt = Mux(taken, request.index, (if (bits.frame > 5) block ## gathered else gathered))
  private def wire(ram: BlockRam, write: Bool, address: UInt, data: Bool): Unit = {
    ram.io.clock        := clock
    ram.io.clear        := false.B
    ram.io.write        := write
    ram.io.writeAddress := address
    ram.io.writeData    := data
    ram.io.read         := taken || gathers
    ram.io.readAddress  := readAt
  }
  private val index = Mux(sweeping, sweepAt, Mux(io.mark.valid, io.mark.bits.index, request.index))
  wire(used, sweeping || taken && request.writeUsed, index, request.state.used && !sweeping)
  wire(
    dirty,
    sweeping || io.mark.valid || taken && request.writeDirty,
    index,
    !sweeping && (io.mark.valid || request.state.dirty)
  )
  io.answer.used      := used.io.readData
  io.answer.dirty     := dirty.io.readData
  io.answer.lineDirty := false.B
  for (lines <- lines) {
    val line = Mux(io.mark.valid, io.mark.bits.index ## io.mark.bits.line, request.index ## request.line)
    wire(lines, io.mark.valid || taken && request.writeLine, line, io.mark.valid || request.state.lineDirty)
    lines.io.read        := taken
    lines.io.readAddress := request.index ## request.line
    io.answer.lineDirty  := lines.io.readData
  }
}
