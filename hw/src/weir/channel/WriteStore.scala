// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** Data and strobes of the queued writes, one line for each entry, kept apart from the queue so that they never move.
  *
  * A line is put into a free place or merged into one that is held; `full` tells of each place whether all of its bytes are
  * strobed. `take` reads a line out for the DRAM: its data comes `writeLatency` cycles later, and its place is free after
  * that. `peek` reads a line in the same cycle for a read of it, and generates no gates where forwarding is left out.
  */
class WriteStore(config: WeirConfig) extends Module {
  private val depth     = config.policies.writeQueue
  private val indexBits = log2Ceil(depth)
  private val bytes     = config.geometry.lineBytes

  val io = IO(new Bundle {

    /** Place that the next new line gets. */
    val free = Valid(UInt(indexBits.W))

    val put = Flipped(Valid(new Bundle {
      val merge  = Bool()
      val index  = UInt(indexBits.W)
      val data   = UInt(config.geometry.lineBits.W)
      val strobe = UInt(bytes.W)
    }))
    val full = Output(Vec(depth, Bool()))

    val take       = Flipped(Valid(UInt(indexBits.W)))
    val taken      = Output(Valid(UInt(config.geometry.lineBits.W)))
    val takenMask  = Output(UInt(bytes.W))
    val peek       = Input(UInt(indexBits.W))
    val peekedData = Output(UInt(config.geometry.lineBits.W))
  })

  private val data    = Mem(depth, Vec(bytes, UInt(8.W)))
  private val strobes = Mem(depth, UInt(bytes.W))
  private val held    = RegInit(0.U(depth.W))
  private val full    = Reg(Vec(depth, Bool()))

  io.free.valid := !held.andR
  io.free.bits  := PriorityEncoder(~held)
  io.full       := full

  private val strobe = io.put.bits.strobe | Mux(io.put.bits.merge, strobes.read(io.put.bits.index), 0.U)
  when(io.put.valid) {
    data.write(io.put.bits.index, io.put.bits.data.asTypeOf(Vec(bytes, UInt(8.W))), io.put.bits.strobe.asBools)
    strobes.write(io.put.bits.index, strobe)
    full(io.put.bits.index) := strobe.andR
  }

  private val take = Pipe(io.take, config.phy.writeLatency)
  io.taken.valid := take.valid
  io.taken.bits  := data.read(take.bits).asUInt
  io.takenMask   := ~strobes.read(take.bits)

  private val taking  = Mux(io.put.valid && !io.put.bits.merge, UIntToOH(io.put.bits.index, depth), 0.U)
  private val freeing = Mux(take.valid, UIntToOH(take.bits, depth), 0.U)
  held := (held | taking) & ~freeing

  io.peekedData := (if (config.policies.forwarding) data.read(io.peek).asUInt else 0.U)
}
