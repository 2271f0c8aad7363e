// SPDX-License-Identifier: Apache-2.0
package weir.regs

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funspec.AnyFunSpec
import weir.config.{Presets, WeirConfig}
import weir.regs.AxiLiteDriver.{okay, slverr}
import weir.{LongRun, Packed, PackedBench, RegisterRooms}

import scala.util.Random

/** What strobes mean all over the register map. Which addresses have a register is found by reading; those that
  * start something when they are written are written down here.
  */
class StrobesSpec extends AnyFunSpec with ChiselSim {
  private val counted = 0x1000

  /** Every word below the counters; of these, and of what lies between them, some. */
  private val words  = (0 until 0x10000 by 4).filter(word => word < counted || word % 0x1000 < 0x40 || word % 0x1fc < 8)
  private val error  = 0x00c
  private val frames = 0x3ac

  private class PackedRegisters(config: WeirConfig)
      extends Packed(new Registers(RegisterRooms(config)), (dut: Registers) => dut.io)

  /** What stands behind the registers grants all they ask for, or nothing. */
  private class Bench(dut: PackedRegisters, val seed: Int, grants: Boolean, tamper: PackedBench => Unit = _ => ()) {
    val random = new Random(seed)
    val packed = new PackedBench(dut, tamper)
    packed.reset()
    for (name <- Seq("map.choice.judge.checked", "map.choice.judge.passes", "mover.room"))
      packed.set(name, if (grants) 1 else 0)
    private val fetched = Seq("remap.frameStates.read", "hot.data.read").filter(dut.outputLayout.contains)
    private val outputs = dut.outputLayout.keys.filterNot(_.startsWith("axil.")).toSeq.sorted

    /** All outputs but the bus, as they are in this cycle. */
    def state: Seq[(String, BigInt)] = outputs.map(name => name -> packed.get(name))

    private def cycle(): Unit = {
      packed.settle()
      val fetches = fetched.map(packed.high)
      packed.step()
      for ((port, fetches) <- fetched.zip(fetches))
        packed.set(port.replace(".read", ".answer.valid"), if (fetches) 1 else 0)
    }

    /** Writes a word; `watch` sees each cycle up to that in which the answer is taken and the two that follow. */
    def write(address: Int, data: Long, strobe: Int, watch: () => Unit = () => ()): Int = {
      for ((name, value) <- Seq("awaddr" -> BigInt(address), "wdata" -> BigInt(data), "wstrb" -> BigInt(strobe)))
        packed.set(s"axil.$name", value)
      for (name <- Seq("awvalid", "wvalid", "bready")) packed.set(s"axil.$name", 1)
      var answer = Option.empty[Int]
      var after  = 0
      for (_ <- 0 until 40 if after < 3) {
        packed.settle()
        watch()
        if (packed.high("axil.bvalid")) answer = Some(packed.get("axil.bresp").toInt)
        if (answer.nonEmpty) after += 1
        packed.step()
        for (name <- Seq("awvalid", "wvalid")) packed.set(s"axil.$name", 0)
      }
      packed.set("axil.bready", 0)
      answer.getOrElse(throw new AssertionError(f"seed $seed: the write to 0x$address%x was not answered"))
    }

    /** The word, where there is one that can be read. */
    def read(address: Int): Option[Long] = {
      packed.set("axil.araddr", address)
      packed.set("axil.arvalid", 1)
      packed.set("axil.rready", 1)
      var answer = Option.empty[(Long, Int)]
      for (_ <- 0 until 40 if answer.isEmpty) {
        packed.settle()
        if (packed.high("axil.rvalid")) answer = Some((packed.get("axil.rdata").toLong, packed.get("axil.rresp").toInt))
        cycle()
        packed.set("axil.arvalid", 0)
      }
      packed.set("axil.rready", 0)
      val (data, response) = answer.getOrElse(throw new AssertionError(f"the read of 0x$address%x was not answered"))
      Option.when(response == okay)(data)
    }

    def anyWord(): Long = random.nextInt() & 0xffffffffL

    /** Fails with the first output that is other than before. */
    def unchanged(before: Seq[(String, BigInt)], when: String): Unit =
      for (((name, was), (_, is)) <- before.zip(state) if was != is)
        fail(s"seed $seed: $name is $is and not $was $when")
  }

  /** Writes without a strobe, wherever they go, change no output in any cycle, and are answered OKAY. */
  private def checkWithout(bench: Bench): Unit = {
    import bench._
    val map = words.filter(_ < counted).filter(_ != frames)
    // what is read moves some registers on: once to find them where they are
    map.foreach(read)
    val held = map.map(read)
    packed.settle()
    val before = state
    for (address <- words ++ words.map(_ + 1 + random.nextInt(3)).filter(_ % 0x40 < 4)) {
      val when     = f"in a write without a strobe to 0x$address%x"
      val response = write(address, anyWord(), 0, () => unchanged(before, when))
      assert(response == okay, s"seed $seed: answered $response $when")
    }
    for ((address, was) <- map.zip(held)) {
      val is = read(address)
      assert(is == was, f"seed $seed: 0x$address%x holds $is and not $was after writes without a strobe")
    }
  }

  /** What writes without a strobe must not do, done: each must be found, and told. */
  private def checkIsFound(dut: PackedRegisters): Unit = {
    val starts = Seq("mover.gives", "hot.chosen", "hot.start", "map.choice.taken", "counters.latch")
      .filter(dut.outputLayout.contains)
      .map(name => (name, 1, s"$name is 1 and not 0"))
    for ((name, value, complaint) <- starts :+ (("axil.bresp", slverr, s"answered $slverr"))) {
      val broken = new Bench(dut, 1, grants = true, bench => if (bench.high("axil.bvalid")) bench.replace(name, value))
      val error  = intercept[TestFailedException](checkWithout(broken))
      assert(error.getMessage.contains(complaint))
    }
  }

  /** A write of some bytes is a write of the whole with the other bytes as they are. */
  private def checkParts(bench: Bench): Unit = {
    import bench._
    for (address <- words.filter(_ != error).filter(_ != frames); before <- read(address)) {
      // what is locked by the lowest bit of remap_control once that is cleared
      def restore(): Unit =
        if (write(address, before, 15) != okay)
          for (value <- Seq(read(address).get & ~1L, before)) assert(write(address, value, 15) == okay)
      val strobes = if (address < counted) Seq(1, 2, 4, 8, 3 + random.nextInt(12)) else Seq(1 + random.nextInt(14))
      for (strobe <- strobes) {
        val clue   = f"seed $seed: 0x$address%x with strobe $strobe"
        val mask   = (0 until 4).filter(byte => (strobe >> byte & 1) == 1).map(0xffL << 8 * _).sum
        val data   = if (random.nextBoolean()) anyWord() else before ^ (1L << random.nextInt(32))
        val merged = before & ~mask | data & mask
        val part   = write(address, data, strobe)
        val left   = read(address)
        if (part == okay) restore()
        val whole = write(address, merged, 15)
        assert(part == whole, s"$clue: $part, but $whole where the whole is written")
        assert(left == (if (part == okay) read(address) else Some(before)), clue)
        if (part == okay) restore()
      }
    }
  }

  /** What a write starts is started once, by a strobe of a byte that holds a field of the register. */
  private def checkStarts(bench: Bench, starts: (Int, String, Int)*): Unit = {
    import bench._
    for ((address, output, bytes) <- starts; strobe <- 0 to 15) {
      var times    = 0
      val response = write(address, read(address).get, strobe, () => if (packed.high(output)) times += 1)
      assert(response == okay)
      assert(times == (if ((strobe & bytes) == 0) 0 else 1), f"0x$address%x with strobe $strobe: $output $times times")
    }
  }

  it("lets strobes mean the same everywhere, with an NVM region, its monitor and a page mover") {
    simulate(new PackedRegisters(Presets.all("soc-64-hybrid"))) { dut =>
      for ((grants, seed) <- Seq(true, false).zipWithIndex) checkWithout(new Bench(dut, seed, grants))
      checkIsFound(dut)
      checkParts(new Bench(dut, 2, grants = true))
      // of the chosen superpage its number, of less than 17 bits, and bit 31
      checkStarts(new Bench(dut, 3, grants = true), (0x36c, "hot.chosen", 0xb), (0x3d0, "mover.gives", 0x1))
      checkPlace(new Bench(dut, 4, grants = true))
    }
  }

  it("lets strobes mean the same everywhere, with a programmable address map", LongRun) {
    simulate(new PackedRegisters(Presets.all("test-ddr4"))) { dut =>
      for ((grants, seed) <- Seq(true, false).zipWithIndex) checkWithout(new Bench(dut, seed, grants))
      checkIsFound(dut)
      checkParts(new Bench(dut, 2, grants = true))
      checkStarts(new Bench(dut, 3, grants = true), (0x180, "map.choice.taken", 0x1))
    }
  }

  /** Where a read moves a place on in the cycle in which it is written, what is written holds. */
  private def checkPlace(bench: Bench): Unit = {
    import bench._
    val index = 0x3a8
    val seen  = for (moved <- 3 until 12) yield {
      assert(write(index, 16, 15) == okay)
      for (
        (name, value) <- Seq(
          "araddr" -> frames,
          "awaddr" -> index,
          "wdata"  -> 3,
          "wstrb"  -> 15,
          "rready" -> 1,
          "bready" -> 1
        )
      )
        packed.set(s"axil.$name", value)
      for (cycle <- 0 until 20) {
        def at(number: Int): BigInt = if (cycle == number) 1 else 0
        packed.set("axil.arvalid", at(0))
        for (name <- Seq("awvalid", "wvalid")) packed.set(s"axil.$name", at(2))
        packed.set("remap.frameStates.answer.valid", at(moved))
        packed.set("remap.frames.moves.valid", at(moved))
        packed.settle()
        packed.set("remap.frames.moves.bits", packed.get("remap.frames.value") + 1)
        packed.settle()
        packed.step()
      }
      read(index).get
    }
    assert(seen.toSet == Set(3L, 4L), s"$seen: the place that was written, or the next where the read was later")
  }
}
