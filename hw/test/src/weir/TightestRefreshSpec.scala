// SPDX-License-Identifier: Apache-2.0
package weir

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.config.{Presets, WeirConfig}
import weir.front.Axi4
import weir.regs.{AxiLite, AxiLiteDriver, RegisterMap}

/** Accesses go on between refreshes at the tightest timings that the registers accept. */
class TightestRefreshSpec extends AnyFunSpec with ChiselSim {

  /** The controller with a PHY that answers every read, in time, with nothing. */
  private class Bench(config: WeirConfig) extends Module {
    val s_axi        = IO(Vec(config.axi.ports, Flipped(new Axi4(config.axi))))
    val s_axil       = IO(Flipped(new AxiLite(RegisterMap.addressBits)))
    private val weir = Module(new Weir(config))
    weir.s_axi <> s_axi
    weir.s_axil <> s_axil
    Surroundings.answer(weir.dfi.head, config)
  }

  private val timings = 0x040 to 0x074 by 4
  private val tREFI   = 0x07c
  private val factor  = 0x0ec

  /** Offsets of the timings that count twice beside tRFC and tZQCS in what tREFI must leave room for. */
  private val rowCycle = Seq(0x04c, 0x048, 0x040, 0x044, 0x058, 0x070, 0x068, 0x06c)

  private val config = Presets.all("test-4rank-2phase")

  it("reads go on at the preset timings, at a time scale, and at the longest timings that can be set") {
    simulate(new Bench(config)) { dut =>
      for (port <- dut.s_axi) {
        port.awvalid.poke(false)
        port.wvalid.poke(false)
        port.arvalid.poke(false)
        port.rready.poke(true)
        port.bready.poke(true)
      }
      val registers                          = new AxiLiteDriver(dut.s_axil, dut.clock)
      def read(offset: Int): Long            = registers.read(offset)._1
      def set(offset: Int, data: Long): Unit = assert(registers.write(offset, data) == AxiLiteDriver.okay, offset)

      // a calibration after every refresh, and no refresh put off
      set(0x084, 1)
      set(0x0c8, 1)
      tighten()
      readRows()
      set(tREFI, config.timing.tREFI)
      set(factor, 9)
      tighten()
      readRows()
      set(tREFI, config.timing.tREFI)
      set(factor, 1)
      for (offset <- timings) set(offset, 255)
      tighten()
      readRows()

      /** Sets the least tREFI that is accepted, and waits until the interval that was under way has ended. */
      def tighten(): Unit = {
        val room  = read(0x078) + read(0x080) + read(factor) * 2 * rowCycle.map(read).sum
        val least = room.max((config.timing.tREFI + 3) / 4)
        assert(registers.write(tREFI, least - 1) == AxiLiteDriver.slverr)
        set(tREFI, least)
        dut.clock.step(2 * config.timing.tREFI / config.phy.phases)
      }

      /** Reads another row of bank 0 each time, from rank to rank, for several refresh intervals. */
      def readRows(): Unit = {
        val port      = dut.s_axi(0)
        val geometry  = config.geometry
        val rowStride = BigInt(geometry.lineBytes) << (geometry.lineColumnBits + geometry.bankBits)
        val rows      = 96
        val interval  = read(tREFI).toInt / config.phy.phases
        var asked     = 0
        var answered  = 0
        var cycle     = 0
        port.arid.poke(0)
        port.arlen.poke(0)
        port.arsize.poke(2)
        port.arburst.poke(1)
        while (answered < rows && cycle < rows * interval) {
          port.arvalid.poke(asked < rows)
          port.araddr.poke(config.axi.base + rowStride * asked)
          if (asked < rows && port.arready.peek().litToBoolean) asked += 1
          if (port.rvalid.peek().litToBoolean) answered += 1
          dut.clock.step()
          cycle += 1
        }
        info(s"$answered reads in $cycle cycles, a refresh of each rank every $interval cycles")
        assert(answered == rows)
      }
    }
  }
}
