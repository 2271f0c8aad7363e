// SPDX-License-Identifier: Apache-2.0
package weir.dfi

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.channel.RankOperation
import weir.config._
import weir.device.{Geometry, Timing}

/** Pins against the command truth table of JESD79-3F (table 6), written out here. */
class CommandsToPhasesSpec extends AnyFunSpec with ChiselSim {
  private val config = WeirConfig(
    name = "dfi",
    part = "none",
    geometry = Geometry(ranks = 2, bankGroups = 1, banksPerGroup = 8, rowBits = 14, columnBits = 11, dqBits = 8),
    timing = Timing("test", 1250, 11, 8, 11, 11, 28, 39, 5, 5, 24, 4, 4, 6, 6, 6, 12, 2, 88, 6240, 64, 0, 44, 22),
    phy = Phy(phases = 4, readPhase = 1, writePhase = 0, readLatency = 9, writeLatency = 1),
    axi = Axi(ports = 1, dataBits = 64, idBits = 2)
  )

  private case class Pins(cs: String, ras: Int, cas: Int, we: Int, bank: Int, address: Int)

  /** Commands on the pins by phase; `cs` is written rank 1 first, as cs_n of a selected rank is 0. */
  private def pins(dut: CommandsToPhases, phase: Int): Option[Pins] = {
    def field(port: UInt, width: Int): Int =
      ((port.peek().litValue >> (phase * width)) & ((1 << width) - 1)).toInt
    val cs = field(dut.io.dfi.cs_n, 2)
    if (cs == 3) None
    else
      Some(
        Pins(
          Integer.toBinaryString(cs + 4).tail,
          field(dut.io.dfi.ras_n, 1),
          field(dut.io.dfi.cas_n, 1),
          field(dut.io.dfi.we_n, 1),
          field(dut.io.dfi.bank, 3),
          field(dut.io.dfi.address, 14)
        )
      )
  }

  private def clear(dut: CommandsToPhases): Unit = {
    dut.io.commands.column.valid.poke(false)
    dut.io.commands.activate.valid.poke(false)
    dut.io.commands.rank.valid.poke(false)
  }

  it("puts each command on its phase with the pins of the truth table, in the same cycle") {
    simulate(new CommandsToPhases(config)) { dut =>
      clear(dut)
      dut.clock.step()
      for (phase <- 0 until 4) assert(pins(dut, phase).isEmpty)

      // read and activate and precharge together: phases 1, 2, 3
      val column = dut.io.commands.column
      column.valid.poke(true)
      column.bits.write.poke(false)
      column.bits.rank.poke(1)
      column.bits.bank.poke(5)
      column.bits.column.poke(0xc3) // beat column 0x618: A11 carries bit 10, A10 stays 0
      val activate = dut.io.commands.activate
      activate.valid.poke(true)
      activate.bits.rank.poke(0)
      activate.bits.bank.poke(2)
      activate.bits.row.poke(0x2abc)
      val rank = dut.io.commands.rank
      rank.valid.poke(true)
      rank.bits.operation.poke(RankOperation.precharge)
      rank.bits.rank.poke(1)
      rank.bits.bank.poke(7)
      assert(pins(dut, 0).isEmpty)
      assert(pins(dut, 1).contains(Pins("01", 1, 0, 1, 5, 0x1000 | 0x800 | 0x218)))
      assert(pins(dut, 2).contains(Pins("10", 0, 1, 1, 2, 0x2abc)))
      assert(pins(dut, 3).contains(Pins("01", 0, 1, 0, 7, 0)))
      assert(dut.io.dfi.rddata_en.peek().litValue == 2)
      assert(dut.io.dfi.wrdata_en.peek().litValue == 0)
      clear(dut)
      for (phase <- 0 until 4) assert(pins(dut, phase).isEmpty)

      column.valid.poke(true)
      column.bits.write.poke(true)
      column.bits.rank.poke(0)
      column.bits.column.poke(1)
      assert(pins(dut, 0).contains(Pins("10", 1, 0, 0, 5, 0x1008)))
      assert(dut.io.dfi.wrdata_en.peek().litValue == 1)
      assert(dut.io.dfi.rddata_en.peek().litValue == 0)
      clear(dut)

      for (
        (operation, expected) <- Seq(
          (RankOperation.prechargeAll, Pins("10", 0, 1, 0, 7, 0x400)),
          (RankOperation.refresh, Pins("10", 0, 0, 1, 7, 0)),
          (RankOperation.calibrate, Pins("10", 1, 1, 0, 7, 0))
        )
      ) {
        rank.valid.poke(true)
        rank.bits.rank.poke(0)
        rank.bits.operation.poke(operation)
        assert(pins(dut, 3).contains(expected), operation)
      }
      assert(dut.io.dfi.cke.peek().litValue == 0xff)
      assert(dut.io.dfi.reset_n.peek().litValue == 0xf)
    }
  }

  it("names a pseudo-rank by the upper bits of the bank, and has one chip select") {
    val divided = config.copy(geometry = config.geometry.copy(ranks = 1).inPseudoRanks(4))
    simulate(new CommandsToPhases(divided)) { dut =>
      assert(dut.io.dfi.cs_n.getWidth == 4 && dut.io.dfi.cke.getWidth == 4)
      clear(dut)
      dut.clock.step()
      assert(dut.io.dfi.cs_n.peek().litValue == 0xf)
      // two banks in each: read in phase 1, activate in 2, precharge, and all that shares its phase, in 3
      dut.io.commands.column.valid.poke(true)
      dut.io.commands.column.bits.write.poke(false)
      dut.io.commands.column.bits.rank.poke(3)
      dut.io.commands.column.bits.bank.poke(0)
      dut.io.commands.activate.valid.poke(true)
      dut.io.commands.activate.bits.rank.poke(1)
      dut.io.commands.activate.bits.bank.poke(1)
      dut.io.commands.rank.valid.poke(true)
      dut.io.commands.rank.bits.rank.poke(2)
      dut.io.commands.rank.bits.bank.poke(0)
      for (operation <- Seq(RankOperation.precharge, RankOperation.prechargeAll, RankOperation.refresh)) {
        dut.io.commands.rank.bits.operation.poke(operation)
        assert(dut.io.dfi.cs_n.peek().litValue == 1)
        assert(dut.io.dfi.bank.peek().litValue == (((4 << 3 | 3) << 3 | 6) << 3))
      }
    }
  }

  it("passes write data and read data through") {
    simulate(new CommandsToPhases(config)) { dut =>
      clear(dut)
      dut.io.writeData.poke(BigInt("1122334455667788", 16))
      dut.io.writeMask.poke(0xa5)
      dut.io.dfi.wrdata.expect(BigInt("1122334455667788", 16))
      dut.io.dfi.wrdata_mask.expect(0xa5)
      dut.io.dfi.rddata.poke(0x42)
      dut.io.dfi.rddata_valid.poke(0xf)
      dut.io.readData.valid.expect(true)
      dut.io.readData.bits.expect(0x42)
    }
  }
}
