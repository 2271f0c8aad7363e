// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.ram.BlockRam

/** Data and strobes of the queued writes, one line for each slot of the write queue.
  *
  * A line is put into its slot or, with forwarding, merged into what the slot holds; `whole` tells of each slot whether all
  * of its bytes are strobed, with `Pipeline.arrival` a cycle later where a merge made it so
  * ([[WriteStore.mergesShowLater]]). `take`, with the write command on the DFI, reads a line out: it comes `writeLatency`
  * cycles later, from a register unless that is 0. `busy` tells the slots that must not be put before it has been read. `peek`
  * reads a line in the same cycle for a read of it.
  *
  * Without forwarding lines are put whole and read by one port, so the store fits in block RAM.
  */
class WriteStore(config: WeirConfig) extends Module {
  private val depth      = config.policies.writeQueue
  private val bytes      = config.geometry.lineBytes
  private val forwarding = config.policies.forwarding
  private val delay      = (config.phy.writeLatency - 1).max(0)

  val io = IO(new Bundle {
    val put = Flipped(Valid(new Bundle {
      val merge  = Bool()
      val slot   = UInt(depth.W)
      val data   = UInt(config.geometry.lineBits.W)
      val strobe = UInt(bytes.W)
    }))
    val whole = Output(UInt(depth.W))

    val take      = Flipped(Valid(UInt(log2Ceil(depth).W)))
    val taken     = Output(UInt(config.geometry.lineBits.W))
    val takenMask = Output(UInt(bytes.W))
    val busy      = Output(UInt(depth.W))

    val peek   = Input(UInt(depth.W))
    val peeked = Output(UInt(config.geometry.lineBits.W))
  })

  private val stages = Seq.iterate(io.take, delay + 1)(RegNext(_, 0.U.asTypeOf(io.take)))
  private val take   = stages.last.bits
  // memory that is read at once changes after the cycle in which a slot is put, block RAM gives nothing certain in that cycle
  private val blockRam = !forwarding && config.phy.writeLatency > 0
  io.busy := (if (blockRam) stages else stages.init)
    .map(stage => Mux(stage.valid, UIntToOH(stage.bits, depth), 0.U(depth.W)))
    .foldLeft(0.U(depth.W))(_ | _)

  private val putAt                       = OHToUInt(io.put.bits.slot)
  private def onTime[D <: Data](at: D): D = if (config.phy.writeLatency == 0) at else RegNext(at)

  if (forwarding) {
    val data    = Mem(depth, Vec(bytes, UInt(8.W)))
    val strobes = Mem(depth, UInt(bytes.W))
    val whole   = Reg(UInt(depth.W))
    val strobe  = io.put.bits.strobe | Mux(io.put.bits.merge, strobes.read(putAt), 0.U)
    when(io.put.valid) {
      data.write(putAt, io.put.bits.data.asTypeOf(Vec(bytes, UInt(8.W))), io.put.bits.strobe.asBools)
      strobes.write(putAt, strobe)
    }
    def afterPut(isWhole: Bool): UInt = Mux(isWhole, whole | io.put.bits.slot, whole & ~io.put.bits.slot)
    if (!WriteStore.mergesShowLater(config)) when(io.put.valid)(whole := afterPut(strobe.andR))
    else {
      val merged  = RegNext(Mux(io.put.valid && io.put.bits.merge, io.put.bits.slot, 0.U), 0.U)
      val isWhole = RegNext(strobe).andR
      whole := Mux(io.put.valid && !io.put.bits.merge, afterPut(io.put.bits.strobe.andR), whole) |
        Mux(isWhole, merged, 0.U)
    }
    io.taken     := onTime(data.read(take).asUInt)
    io.takenMask := onTime(~strobes.read(take))
    io.whole     := whole
    io.peeked    := data.read(OHToUInt(io.peek)).asUInt
  } else {
    val line  = Cat(io.put.bits.strobe, io.put.bits.data)
    val taken =
      if (blockRam) {
        val lines = Module(new BlockRam(depth, line.getWidth))
        lines.io.clock        := clock
        lines.io.clear        := false.B
        lines.io.write        := io.put.valid
        lines.io.writeAddress := putAt
        lines.io.writeData    := line
        lines.io.read         := true.B
        lines.io.readAddress  := take
        lines.io.readData
      } else {
        val lines = Mem(depth, chiselTypeOf(line))
        when(io.put.valid)(lines.write(putAt, line))
        lines.read(take)
      }
    io.taken     := taken(config.geometry.lineBits - 1, 0)
    io.takenMask := ~taken(config.geometry.lineBits + bytes - 1, config.geometry.lineBits)
    io.whole     := 0.U
    io.peeked    := 0.U
  }
}

object WriteStore {

  /** Whether `whole` shows a cycle later what a merge made of its slot, which keeps the strobes off the way to it. The slot is not
    * put anew in that cycle, as it is busy for one at least when its line is taken.
    */
  private[channel] def mergesShowLater(config: WeirConfig): Boolean =
    config.pipeline.arrival && config.phy.writeLatency >= 2
}
