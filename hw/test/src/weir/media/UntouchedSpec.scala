// SPDX-License-Identifier: Apache-2.0
package weir.media

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import chisel3.util.random.LFSR
import chisel3.util.{Counter, Fill, log2Ceil}
import org.scalatest.funspec.AnyFunSpec
import weir.config.{Presets, WeirConfig}
import weir.{LongRun, Surroundings, Weir}

/** Accesses of DRAM beside an NVM region that nobody accesses: to the cycle as they are without a region. */
class UntouchedSpec extends AnyFunSpec with ChiselSim {

  /** Accesses by chance, now many and now none, that see only what the controller answers; a PHY that answers all reads with
    * nothing; and what is on the DFI and on AXI.
    */
  private class System(config: WeirConfig) extends Module {

    /** Accesses go to all of memory, not to its lower half alone. */
    val everywhere = IO(Input(Bool()))
    val dfi        = IO(Output(UInt()))
    val axi        = IO(Output(UInt()))
    val answered   = IO(Output(Bool()))

    private val weir      = Module(new Weir(config))
    private val random    = LFSR(64, true.B, Some(BigInt("1234567890abcdef", 16)))
    private val (time, _) = Counter(true.B, 1 << 12)
    private val word      = log2Ceil(config.axi.dataBytes)
    private val half      = log2Ceil(config.memoryBytes) - 1

    private def address(low: Int): UInt = {
      val within = random(low + half - word - 1, low) << word
      config.axi.base.U(config.axi.addressBits.W) | (everywhere && random(63)) << half | within
    }

    weir.s_axil                                                                                := DontCare
    for (channel <- Seq(weir.s_axil.awvalid, weir.s_axil.wvalid, weir.s_axil.arvalid)) channel := false.B
    Surroundings.answer(weir.dfi.head, config)
    weir.s_axi.foreach(Surroundings.idle)
    private val port  = weir.s_axi.head
    private val heavy = time(11, 10) =/= 0.U

    private def offered(taken: Bool, chance: Bool): Bool = {
      val valid = RegInit(false.B)
      valid := Mux(valid, !taken, chance)
      valid
    }
    // many reads, or many writes
    private val reads  = offered(port.arready, heavy && (random(1, 0) =/= 0.U || !time(9)))
    private val writes = RegInit(0.U(2.W))
    when(writes === 0.U)(writes := Fill(2, heavy && random(3, 2) =/= 0.U && time(9)))
      .otherwise(writes := writes & ~(port.wready ## port.awready))
    port.arvalid := reads
    port.araddr  := RegNext(Mux(reads && !port.arready, port.araddr, address(8)))
    port.arid    := 0.U
    port.awvalid := writes(0)
    port.wvalid  := writes(1)
    port.awaddr  := RegNext(Mux(writes.orR, port.awaddr, address(24)))
    port.awid    := 0.U
    port.wdata   := port.awaddr
    port.wstrb   := Fill(config.axi.dataBytes, true.B)
    port.wlast   := true.B
    for ((len, size, burst) <- Seq((port.arlen, port.arsize, port.arburst), (port.awlen, port.awsize, port.awburst))) {
      len   := 0.U
      size  := word.U
      burst := 1.U
    }
    private val pins = weir.dfi.head
    // data is what it was where nothing is written
    dfi := Seq(pins.address, pins.bank, pins.cs_n, pins.ras_n, pins.cas_n, pins.we_n, pins.wrdata_en).reduce(_ ## _)
    axi := VecInit(port.arready, port.awready, port.wready, port.rvalid, port.bvalid).asUInt
    answered := port.rvalid || port.bvalid
  }

  /** The config with its region and without it. */
  private class Bench(config: WeirConfig) extends Module {
    val everywhere = IO(Input(Bool()))
    val differed   = IO(Output(UInt(2.W)))
    val answers    = IO(Output(UInt(32.W)))

    private val Seq(hybrid, plain) = Seq(config, config.copy(nvm = None)).map(each => Module(new System(each)))
    private val count              = RegInit(0.U(32.W))
    private val found              = RegInit(0.U(2.W))
    Seq(hybrid, plain).foreach(_.everywhere := everywhere)
    count    := count + plain.answered
    found    := found | (hybrid.axi =/= plain.axi) ## (hybrid.dfi =/= plain.dfi)
    differed := found
    answers  := count
  }

  private val cycles = 12000

  for (name <- Seq("test-hybrid", "test-hybrid-x16")) {
    val config = Presets.all(name)
    val small  =
      config.copy(policies = config.policies.copy(readQueue = 8, writeQueue = 8, highWaterMark = 5, lowWaterMark = 2))

    it(
      s"is as without a region, but not where the region is accessed: $name",
      LongRun.unless(name == "test-hybrid"): _*
    ) {
      simulate(new Bench(small)) { bench =>
        bench.everywhere.poke(false)
        bench.clock.step(cycles)
        assert(bench.answers.peek().litValue > cycles / 10)
        assert(bench.differed.peek().litValue == 0)
        bench.everywhere.poke(true)
        bench.clock.step(cycles)
        assert(bench.differed.peek().litValue == 3)
      }
    }
  }
}
