// SPDX-License-Identifier: Apache-2.0
package weir.dfi

import chisel3._
import chisel3.util._
import weir.channel.{ChannelCommands, CommandPhases, RankOperation}
import weir.config.WeirConfig

/** Puts the commands of a cycle onto the DFI, each in the phase of its class, and aligns data.
  *
  * Commands use the DDR3 truth table (JESD79-3F table 6) on RAS, CAS and WE; for DDR4, LiteDRAM's PHYs turn them into its
  * pins, so ACT_n stays high. A10 is 0 on reads and writes (no auto precharge) and 1 to precharge all banks. A11 is 1 where that, or a refresh, is of the banks of one number in all bank
  * groups (same-bank, DDR5), and the bank's upper bits are that number. CKE and RESET_n
  * stay high, as LiteDRAM's controller keeps them: initialisation is software's, through the DFI injector. ODT is that of
  * [[OnDieTermination]], or always high where the config has it so.
  *
  * Combinational: the channel gives commands and write data in the cycle in which they are due, and `front` registers what
  * is read.
  */
class CommandsToPhases(config: WeirConfig) extends Module {
  private val geometry = config.geometry
  private val chips    = geometry.electrical
  private val slots    = CommandPhases(config)
  private val n        = config.phy.phases

  val io = IO(new Bundle {
    val commands = Input(new ChannelCommands(config))

    /** Due `writeLatency` cycles after the write command. */
    val writeData = Input(UInt(geometry.lineBits.W))
    val writeMask = Input(UInt(geometry.lineBytes.W))
    val readData  = Valid(UInt(geometry.lineBits.W))

    /** Another master wants the DFI; the channel has let go of it. */
    val wanted   = Output(Bool())
    val released = Input(Bool())
    val dfi      = new Dfi(config)
  })

  private class Pins extends Bundle {
    val address = UInt(geometry.addressPins.W)
    val bank    = UInt(chips.bankBits.W)
    val cs_n    = UInt(chips.ranks.W)
    val ras_n   = Bool()
    val cas_n   = Bool()
    val we_n    = Bool()
    val write   = Bool()
    val read    = Bool()
  }

  private val idle = Wire(new Pins)
  idle.address := 0.U
  idle.bank    := 0.U
  idle.cs_n    := Fill(chips.ranks, true.B)
  idle.ras_n   := true.B
  idle.cas_n   := true.B
  idle.we_n    := true.B
  idle.write   := false.B
  idle.read    := false.B

  /** The chips of a command; with pseudo-ranks there is one rank of them, and the rank is the upper bits of the bank. */
  private def at(next: Pins, rank: UInt, bank: UInt): Unit =
    if (geometry.pseudoRanks == 1) {
      next.cs_n := ~UIntToOH(rank, geometry.ranks)
      next.bank := bank
    } else {
      next.cs_n := 0.U
      next.bank := rank ## bank
    }

  private lazy val termination = Module(new OnDieTermination(config))
  if (config.odtByCommand) termination.io.column := io.commands.column

  private val sameBank = if (config.sameBankRefresh) BigInt(1) << 11 else BigInt(0)
  private val allBanks = ((BigInt(1) << 10) | sameBank).U(geometry.addressPins.W)

  /** Beat column of a line on the address pins: A10 is skipped, and A12 high forbids burst chop. */
  private def columnPins(line: UInt): UInt = {
    val beats = line ## 0.U(log2Ceil(geometry.burstLength).W)
    val low   = if (geometry.columnBits > 10) beats(10) ## 0.U(1.W) ## beats(9, 0) else beats.pad(11)
    ((1 << 12).U(geometry.addressPins.W) | low.pad(geometry.addressPins))(geometry.addressPins - 1, 0)
  }

  private val pins = Wire(Vec(n, new Pins))
  for (phase <- 0 until n) {
    val next = WireInit(idle)
    if (phase == slots.precharge) when(io.commands.rank.valid) {
      val command = io.commands.rank.bits
      at(next, command.rank, command.bank)
      switch(command.operation) {
        is(RankOperation.precharge, RankOperation.prechargeAll) {
          next.ras_n   := false.B
          next.we_n    := false.B
          next.address := Mux(command.operation === RankOperation.prechargeAll, allBanks, 0.U)
        }
        is(RankOperation.refresh) {
          next.ras_n                               := false.B
          next.cas_n                               := false.B
          if (config.sameBankRefresh) next.address := sameBank.U
        }
        is(RankOperation.calibrate)(next.we_n := false.B)
      }
    }
    if (phase == slots.activate) when(io.commands.activate.valid) {
      val command = io.commands.activate.bits
      next := idle
      at(next, command.rank, command.bank)
      next.address := command.row
      next.ras_n   := false.B
    }
    for (write <- Seq(false, true)) if (phase == (if (write) slots.write else slots.read)) {
      when(io.commands.column.valid && io.commands.column.bits.write === write.B) {
        val command = io.commands.column.bits
        next := idle
        at(next, command.rank, command.bank)
        next.address := columnPins(command.column)
        next.cas_n   := false.B
        next.we_n    := (!write).B
        next.write   := write.B
        next.read    := (!write).B
      }
    }
    pins(phase) := next
  }

  private def concatenate(field: Pins => UInt): UInt = Cat(pins.map(field).reverse)
  io.dfi.address     := concatenate(_.address)
  io.dfi.bank        := concatenate(_.bank)
  io.dfi.cs_n        := concatenate(_.cs_n)
  io.dfi.ras_n       := concatenate(_.ras_n)
  io.dfi.cas_n       := concatenate(_.cas_n)
  io.dfi.we_n        := concatenate(_.we_n)
  io.dfi.wrdata_en   := concatenate(_.write)
  io.dfi.rddata_en   := concatenate(_.read)
  io.dfi.act_n       := Fill(n, true.B)
  io.dfi.reset_n     := Fill(n, true.B)
  io.dfi.cke         := Fill(n * chips.ranks, true.B)
  io.dfi.odt         := (if (config.odtByCommand) termination.io.odt else Fill(n * chips.ranks, true.B))
  io.dfi.wrdata      := io.writeData
  io.dfi.wrdata_mask := io.writeMask

  io.wanted          := io.dfi.phymstr_req
  io.dfi.phymstr_ack := io.released

  io.readData.valid := io.dfi.rddata_valid(0)
  io.readData.bits  := io.dfi.rddata
}
