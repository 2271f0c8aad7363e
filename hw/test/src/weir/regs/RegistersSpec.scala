// SPDX-License-Identifier: Apache-2.0
package weir.regs

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funspec.AnyFunSpec
import weir.RegisterRooms
import weir.channel.ChannelControl
import weir.channel.refresh.{RefreshPolicy, RefreshView}
import weir.config.{Presets, TimeScaling, WeirConfig}
import weir.observe.CounterPort
import weir.place.map.MapPort
import weir.registers.RegisterBundle
import weir.regs.AxiLiteDriver.{okay, slverr}

import scala.reflect.ClassTag
import scala.util.Random

/** The registers over AXI4-Lite. Offsets and expected values are written down here and in the config, not taken from the
  * register map.
  */
class RegistersSpec extends AnyFunSpec with ChiselSim {
  private val config = Presets.all("test-ddr4")
  private val timing = config.timing

  private val error           = 0x00c
  private val tREFI           = 0x07c
  private val tZQCS           = 0x080
  private val zqInterval      = 0x084
  private val waterMarks      = 0x0c0
  private val ageLimit        = 0x0c4
  private val refreshPostpone = 0x0c8
  private val timeScale       = 0x0ec
  private val countersLatch   = 0x100
  private val countersStatus  = 0x104

  /** Timings that may grow: offset, preset, width in bits. */
  private def growing(config: WeirConfig): Seq[(String, Int, Int, Int)] = {
    val t = config.timing
    Seq(
      ("tRCD", 0x040, t.tRCD, 8),
      ("tRP", 0x044, t.tRP, 8),
      ("tRAS", 0x048, t.tRAS, 8),
      ("tRC", 0x04c, t.tRC, 8),
      ("tRRD_S", 0x050, t.tRRD_S, 8),
      ("tRRD_L", 0x054, t.tRRD_L, 8),
      ("tFAW", 0x058, t.tFAW, 8),
      ("tCCD_S", 0x05c, t.tCCD_S, 8),
      ("tCCD_L", 0x060, t.tCCD_L, 8),
      ("tWTR_S", 0x064, t.tWTR_S, 8),
      ("tWTR_L", 0x068, t.tWTR_L, 8),
      ("tRTP", 0x06c, t.tRTP, 8),
      ("tWR", 0x070, t.tWR, 8),
      ("tRTRS", 0x074, t.tRTRS, 8),
      ("tRFC", 0x078, t.tRFC, 12),
      ("tZQCS", tZQCS, t.tZQCS, 12)
    )
  }

  private class Bench(val dut: Registers) {
    val axil                                           = new AxiLiteDriver(dut.io.axil, dut.clock)
    private def room[T <: RegisterBundle: ClassTag]: T = dut.io.room[T].get

    val control: ChannelControl = room[ChannelControl]
    val counters: CounterPort   = room[CounterPort]
    val map: MapPort            = room[MapPort]

    counters.snapshot.foreach(_.word.poke(0))
    counters.wrapped.foreach(_.value.poke(false))
    map.inForce.foreach(_.word.poke(0))
    for (choice <- map.choice) {
      choice.judge.checked.poke(true)
      choice.judge.passes.poke(true)
    }

    def value(address: Int): Long = {
      val (data, response) = axil.read(address)
      assert(response == okay, f"read 0x$address%x")
      data
    }

    def set(address: Int, data: Long): Unit = assert(axil.write(address, data) == okay, f"write $data to 0x$address%x")

    def force(name: String): Int = control.timing.elements(name).peek().litValue.toInt

    /** A write that must be refused: SLVERR, old value kept, the error noted; clears the error. */
    def refused(address: Int, data: Long, cause: Int, strobe: Int = 15): Unit = {
      val clue   = f"write of $data to 0x$address%x"
      val before = axil.read(address & ~3)
      assert(axil.write(address, data, strobe) == slverr, clue)
      assert(axil.read(address & ~3) == before, clue)
      val noted = value(error)
      assert(noted == ((address.toLong << 16) | (cause << 4) | 1), f"$clue: error 0x$noted%x")
      set(error, 1)
      assert(value(error) == 0, clue)
    }
  }

  private object Cause {
    val unaligned = 1
    val absent    = 2
    val readOnly  = 3
    val below     = 4
    val above     = 5
    val relation  = 6
    val twice     = 7
    val unnamed   = 8
  }

  private def bench(config: WeirConfig)(body: Bench => Unit): Unit = bench(RegisterRooms(config))(body)

  private def bench(rooms: Seq[(String, () => RegisterBundle)])(body: Bench => Unit): Unit =
    simulate(new Registers(rooms))(dut => body(new Bench(dut)))

  /** Every timing is the part's and cannot be made shorter. Also run against a design that it must reject. */
  private def checkMinimums(expected: WeirConfig)(bench: Bench): Unit =
    for ((name, address, preset, _) <- growing(expected)) {
      assert(bench.value(address) == preset, name)
      bench.refused(address, preset - 1, Cause.below)
      assert(bench.force(name) == preset, name)
    }

  it("identifies itself and its geometry") {
    bench(Presets.all("soc-64")) { bench =>
      import bench._
      assert(value(0x000) == 0x57454952L)
      assert(value(0x004) == ((0 << 16) | (1 << 8) | 0))
      assert(value(0x008) == ((64 << 8) | (1 << 7) | 15))
      // 2 ranks, no bank groups, 8 banks, 14 row and 10 column bits; DQ 64, 4 phases, 1 channel, 64 bytes
      assert(value(0x010) == ((10L << 24) | (14 << 16) | (8 << 8) | (1 << 4) | 2))
      assert(value(0x014) == ((64 << 16) | (1 << 12) | (4 << 8) | 64))
      assert((value(0x018), value(0x01c)) == ((0x80000000L, 0)))
      assert((value(0x020), value(0x024)) == ((0x80000000L, 0)))
      // one port of 64 bits, 4 id bits, 4 sources; queues of 16 and 32; 1250 ps; CL 11, CWL 8
      assert(value(0x028) == ((4 << 20) | (64 << 8) | (4 << 4) | 1))
      assert(value(0x02c) == ((32 << 8) | 16))
      assert(value(0x030) == 1250)
      assert(value(0x034) == ((8 << 8) | 11))
    }
  }

  it("shows a memory of more than 4 GiB in two words") {
    bench(Presets.all("paper-rank-assignment-32gb")) { bench =>
      // two channels of 64 GiB each
      assert((bench.value(0x018), bench.value(0x01c)) == ((0, 32)))
      assert((bench.value(0x014) >> 12 & 15) == 2)
    }
  }

  it("resets to the preset and passes it to the channel") {
    bench(config) { bench =>
      import bench._
      assert(value(tREFI) == timing.tREFI && force("tREFI") == timing.tREFI)
      assert(value(zqInterval) == timing.zqInterval && force("zqInterval") == timing.zqInterval)
      val policies = config.policies
      assert(value(waterMarks) == ((policies.lowWaterMark << 16) | policies.highWaterMark))
      assert(value(ageLimit) == policies.ageLimit && control.ageLimit.peek().litValue == policies.ageLimit)
      assert(value(refreshPostpone) == 8 && control.refresh.postpone.peek().litValue == 8)
      assert(control.draining.highWaterMark.peek().litValue == policies.highWaterMark)
      assert(control.draining.lowWaterMark.peek().litValue == policies.lowWaterMark)
      assert(value(error) == 0)
    }
  }

  it("lets timings grow, up to the width of their registers") {
    bench(config) { bench =>
      import bench._
      for ((name, address, preset, bits) <- growing(config)) {
        set(address, preset + 1)
        assert(value(address) == preset + 1 && force(name) == preset + 1, name)
        refused(address, 1L << bits, Cause.above)
        refused(address, 0xffffffffL, Cause.above)
        set(address, preset)
        assert(force(name) == preset, name)
      }
      set(0x040, 255)
      assert(force("tRCD") == 255)
    }
  }

  it("refuses timings below the part's minimum") {
    bench(config)(checkMinimums(config))
  }

  it("has a check of the minimums that notices a design with one of them too low") {
    val broken = config.copy(timing = timing.copy(tWTR_L = timing.tWTR_L - 1))
    assertThrows[TestFailedException](bench(broken)(checkMinimums(config)))
  }

  it("lets refresh and ZQ calibration come sooner, not later") {
    bench(config) { bench =>
      import bench._
      for (
        (name, address, preset, least) <- Seq(
          // a quarter, rounded up: 8 owed refreshes and 8 due ones in two tREFI of the part make JEDEC's 16
          ("tREFI", tREFI, timing.tREFI, Math.ceil(timing.tREFI / 4.0).toInt),
          ("zqInterval", zqInterval, timing.zqInterval, 1)
        )
      ) {
        refused(address, preset + 1, Cause.above)
        refused(address, 0, Cause.below)
        refused(address, least - 1, Cause.below)
        set(address, least)
        set(address, preset - 1)
        assert(force(name) == preset - 1, name)
        set(address, preset)
      }
      set(zqInterval, 1)
    }
  }

  it("takes the refresh policies that the DRAM can have, and what they are told") {
    // 3 policies in parts of refreshes are DDR4's, of which pausing and none are nobody's
    for ((name, policies, granularity) <- Seq(("soc-64", 3, 0), ("test-ddr4", 5, 2), ("test-4rank-2phase", 7, 2)))
      bench(Presets.all(name)) { bench =>
        import bench._
        for (
          (address, reset, least, most) <- Seq(
            (0x0cc, 0, 0, policies),
            (0x0d0, 8, 0, 8),
            (0x0d4, 8, 1, 4095),
            (0x0d8, 0, 0, granularity),
            (0x0dc, 0, 0, 4095)
          )
        ) {
          assert(value(address) == reset)
          refused(address, most + 1, Cause.above)
          if (least > 0) refused(address, least - 1, Cause.below)
          for (data <- Seq(least, most)) {
            set(address, data)
            assert(value(address) == data)
          }
        }
        assert(control.refresh.policy.peek().litValue == policies)
        assert(control.refresh.pullIn.peek().litValue == 8)
        assert(control.refresh.idle.peek().litValue == 4095)
        assert(control.refresh.granularity.peek().litValue == granularity)
        assert(control.refresh.drainAhead.peek().litValue == 4095)
      }
  }

  /** Codes of the refresh policies as software knows them; a code never means another policy. */
  private val refreshPolicies = Map(
    "defer_until_empty" -> 0,
    "elastic"           -> 1,
    "staggered"         -> 2,
    "simultaneous"      -> 3,
    "fine"              -> 4,
    "adaptive"          -> 5,
    "pausing"           -> 6,
    "none"              -> 7
  )

  it("keeps the code of every refresh policy") {
    assert(RefreshPolicy.all.map(policy => policy.name -> policy.code).toMap == refreshPolicies)
  }

  it("takes a refresh policy with a code beyond those that the DRAM cannot do, and refuses these") {
    object Appended extends RefreshPolicy {
      val name                     = "appended"
      val description              = "as staggered"
      val code                     = 7
      def wants(view: RefreshView) = view.due
    }
    val soc      = Presets.all("soc-64")
    val policies = RefreshPolicy.all.filter(_.code != Appended.code) :+ Appended
    val rooms    = RegisterRooms(soc).map {
      case ("control", _) => "control" -> (() => new ChannelControl(soc, policies))
      case other          => other
    }
    bench(rooms) { bench =>
      import bench._
      for (code <- Seq(0, 1, 2, 3, 7)) {
        set(0x0cc, code)
        assert(value(0x0cc) == code && control.refresh.policy.peek().litValue == code)
      }
      for (code <- 4 to 6) refused(0x0cc, code, Cause.unnamed)
      refused(0x0cc, 8, Cause.above)
    }
  }

  it("keeps parts of a refresh as long as the DRAM's, shorter only beyond JEDEC") {
    bench(config) { bench =>
      import bench._
      for ((address, preset) <- Seq((0x088, 313), (0x08c, 193))) {
        assert(value(address) == preset)
        refused(address, preset - 1, Cause.below)
      }
    }
    bench(Presets.all("test-4rank-2phase")) { bench =>
      import bench._
      // 350 ns of 1.25 ns as two and as four
      for ((address, least) <- Seq((0x088, 140), (0x08c, 70))) {
        refused(address, least - 1, Cause.below)
        set(address, least)
      }
    }
    bench(Presets.all("soc-64"))(bench => assert(bench.axil.read(0x088)._2 == slverr))
  }

  it("keeps time for accesses between refreshes in parts, where they are in force") {
    bench(config) { bench =>
      import bench._
      val t           = timing
      val rowCycle    = t.tRC + t.tRAS + t.tRCD + t.tRP + t.tFAW + t.tWR + t.tWTR_L + t.tRTP
      val granularity = 0x0d8
      // so long that the relation, not the least refresh interval, is the limit
      for ((code, parts, address, time) <- Seq((1, 2, 0x088, 1500), (2, 4, 0x08c, 800))) {
        val need = parts * (time + t.tZQCS + 2 * rowCycle)
        set(address, time)
        set(tREFI, need - 1)
        refused(granularity, code, Cause.relation)
        set(tREFI, need)
        set(granularity, code)
        refused(tREFI, need - 1, Cause.relation)
        refused(address, time + 1, Cause.relation)
        refused(tZQCS, t.tZQCS + 1, Cause.relation)
        refused(granularity, 3, Cause.above)
        set(granularity, 0)
        set(address, time + 1)
      }
    }
  }

  it("keeps time for accesses between refreshes") {
    bench(config) { bench =>
      import bench._
      // two row cycles in the worst order beside tRFC and tZQCS
      val t = timing
      // a refresh so long that the relation, not the least refresh interval, is the limit
      val tRFC = 3500
      set(0x078, tRFC)
      val need = tRFC + t.tZQCS + 2 * (t.tRC + t.tRAS + t.tRCD + t.tRP + t.tFAW + t.tWR + t.tWTR_L + t.tRTP)
      refused(tREFI, need - 1, Cause.relation)
      set(tREFI, need)
      // from here on nothing on the other side may grow
      refused(0x078, tRFC + 1, Cause.relation)
      refused(tZQCS, t.tZQCS + 1, Cause.relation)
      refused(0x04c, t.tRC + 1, Cause.relation)
      set(0x050, t.tRRD_S + 1)
      set(tREFI, need + 2)
      set(0x04c, t.tRC + 1)
    }
  }

  /** The greatest factor at which two row cycles, so many times as long, leave time for refreshes in real time. */
  private def greatestFactor(parts: Int, refresh: Int): Int = {
    val t        = timing
    val rowCycle = t.tRC + t.tRAS + t.tRCD + t.tRP + t.tFAW + t.tWR + t.tWTR_L + t.tRTP
    (t.tREFI - parts * (refresh + t.tZQCS)) / (parts * 2 * rowCycle)
  }

  it("keeps time for accesses between refreshes in real time at every time scale") {
    bench(config) { bench =>
      import bench._
      val scale       = control.timeScale.get
      val granularity = 0x0d8
      val most        = greatestFactor(1, timing.tRFC)
      assert(value(timeScale) == 1)
      refused(timeScale, 0, Cause.below)
      refused(timeScale, 65, Cause.above)
      refused(timeScale, 1 | (1 << 9), Cause.above)
      set(timeScale, most)
      assert(scale.factor.peek().litValue == most && !scale.slowMemory.peek().litToBoolean)
      refused(timeScale, most + 1, Cause.relation)
      refused(tREFI, (timing.tREFI + 3) / 4, Cause.relation)
      refused(0x078, 4095, Cause.relation)
      refused(granularity, 2, Cause.relation)
      // a slow DRAM has refreshes that are as many times as rare
      set(timeScale, 64 | (1 << 8))
      assert(scale.factor.peek().litValue == 64 && scale.slowMemory.peek().litToBoolean)
      set(granularity, 2)
      refused(timeScale, 64, Cause.relation)
      refused(timeScale, greatestFactor(4, timing.tRFC4) + 1, Cause.relation)
      set(timeScale, greatestFactor(4, timing.tRFC4))
      set(granularity, 1)
      set(timeScale, greatestFactor(2, timing.tRFC2))
      refused(timeScale, greatestFactor(2, timing.tRFC2) + 1, Cause.relation)
    }
  }

  it("has no slow memory where the DRAM is a real part") {
    val real = config.copy(policies = config.policies.copy(timeScaling = TimeScaling(16)))
    bench(real) { bench =>
      import bench._
      set(timeScale, 16)
      set(timeScale, 2 | (1 << 8))
      assert(value(timeScale) == 2)
      assert(!control.timeScale.get.slowMemory.peek().litToBoolean)
      refused(timeScale, 17, Cause.above)
      refused(tREFI, (timing.tREFI + 3) / 4 - 1, Cause.below)
      set(timeScale, 16)
      refused(tREFI, (timing.tREFI + 3) / 4, Cause.relation)
    }
    bench(Presets.all("features-events"))(bench => assert(bench.axil.read(timeScale)._2 == slverr))
  }

  it("keeps the water marks in order and within the queue") {
    bench(config) { bench =>
      import bench._
      val depth                      = config.policies.writeQueue
      def marks(low: Int, high: Int) = (low.toLong << 16) | high
      set(waterMarks, marks(0, 1))
      refused(waterMarks, marks(1, 1), Cause.relation)
      refused(waterMarks, marks(5, 4), Cause.relation)
      refused(waterMarks, marks(0, 0), Cause.below)
      refused(waterMarks, marks(0, depth + 1), Cause.above)
      refused(waterMarks, marks(0, 256), Cause.above)
      set(waterMarks, marks(depth - 1, depth))
      assert(control.draining.highWaterMark.peek().litValue == depth)
      assert(control.draining.lowWaterMark.peek().litValue == depth - 1)
    }
  }

  it("bounds the age limit and the postponed refreshes") {
    bench(config) { bench =>
      import bench._
      refused(ageLimit, 15, Cause.below)
      refused(ageLimit, 4096, Cause.above)
      set(ageLimit, 16)
      set(ageLimit, 4095)
      assert(control.ageLimit.peek().litValue == 4095)
      refused(refreshPostpone, 0, Cause.below)
      refused(refreshPostpone, 9, Cause.above)
      set(refreshPostpone, 1)
      assert(control.refresh.postpone.peek().litValue == 1)
    }
  }

  it("refuses to write what can only be read, what is not there and what is not aligned") {
    bench(config) { bench =>
      import bench._
      for (address <- Seq(0x000, 0x004, 0x008, 0x010, 0x014, 0x018, 0x01c, 0x020, 0x024, 0x028, 0x02c, 0x030, 0x034))
        refused(address, 0xffffffffL, Cause.readOnly)
      for (address <- Seq(0x400, 0x1000, 0x1004, 0x2000, 0x8074)) refused(address, 1, Cause.readOnly)
      for (
        address <- Seq(0x038, 0x094, 0x0fc, 0x108, 0x3fc, 0x414, 0xffc, 0x10f8, 0x2050, 0x20f8, 0x3200, 0x80f8, 0xfffc)
      ) {
        assert(axil.read(address) == ((0, slverr)))
        refused(address, 1, Cause.absent)
      }
      for (address <- Seq(0x041, 0x042, 0x043, 0x1002, 0xfff)) {
        assert(axil.read(address) == ((0, slverr)))
        refused(address, 200, Cause.unaligned)
      }
    }
  }

  it("keeps the first error until it is cleared") {
    bench(config) { bench =>
      import bench._
      assert(axil.write(0x044, 0) == slverr)
      val first = value(error)
      assert(axil.write(0x000, 0) == slverr)
      set(error, 0)
      assert(value(error) == first)
      assert(axil.write(0x038, 0) == slverr)
      assert(value(error) == first && first == ((0x044L << 16) | (Cause.below << 4) | 1))
      set(error, 1)
      assert(value(error) == 0)
      refused(0x038, 0, Cause.absent)
    }
  }

  it("changes the bytes whose strobe is set and judges the whole") {
    bench(config) { bench =>
      import bench._
      val old = timing.tREFI
      assert(axil.write(tREFI, 0xffffff00L | (old - 1), strobe = 1) == okay)
      assert(value(tREFI) == ((old & 0xff00) | ((old - 1) & 0xff)))
      assert(axil.write(tREFI, 0, strobe = 0) == okay)
      assert(value(tREFI) == ((old & 0xff00) | ((old - 1) & 0xff)))
      set(tREFI, old)
      // the high byte alone would bring it above the preset
      refused(tREFI, 0xff00, Cause.above, strobe = 2)
      // reserved bits count only where a strobe is set
      refused(0x040, 0x0100, Cause.above, strobe = 2)
      assert(axil.write(0x040, 0xffffff00L | (timing.tRCD + 3), strobe = 1) == okay)
      assert(force("tRCD") == timing.tRCD + 3)
      // a flag is cleared only where the strobe is set
      assert(axil.write(0x038, 0) == slverr)
      assert(axil.write(error, 0xffffffffL, strobe = 0) == okay)
      assert((value(error) & 1) == 1)
    }
  }

  it("takes address and data in any order and waits for a slow manager") {
    bench(config) { bench =>
      import bench._
      val random = new Random(1)
      for (round <- 0 until 200) {
        val data     = timing.tRCD + random.nextInt(256 - timing.tRCD)
        val response = axil.write(0x040, data, 15, random.nextInt(6), random.nextInt(6), random.nextInt(12))
        assert(response == okay, s"round $round")
        assert(axil.read(0x040, random.nextInt(8)) == ((data, okay)), s"round $round")
      }
    }
  }

  it("answers every access of a storm, and holds what was last accepted") {
    val seed = 20240611
    info(s"seed $seed")
    bench(config) { bench =>
      import bench._
      val random = new Random(seed)
      for (_ <- 0 until 2000) {
        val address = random.nextInt(0x1000)
        if (random.nextBoolean()) {
          axil.write(
            address,
            random.nextInt() & 0xffffffffL,
            random.nextInt(16),
            random.nextInt(3),
            random.nextInt(3),
            random.nextInt(4)
          )
        } else axil.read(address, random.nextInt(4))
      }
      for ((name, address, preset, bits) <- growing(config)) {
        assert(value(address) == force(name), name)
        assert(force(name) >= preset && force(name) < (1 << bits), name)
      }
      assert(force("tREFI") <= timing.tREFI)
      val t = (name: String) => force(name)
      assert(
        t("tREFI") >= t("tRFC") + t("tZQCS") + 2 * (t("tRC") + t("tRAS") + t("tRCD") + t("tRP") + t("tFAW") + t("tWR") +
          t("tWTR_L") + t("tRTP"))
      )
      assert(control.draining.lowWaterMark.peek().litValue < control.draining.highWaterMark.peek().litValue)
    }
  }

  it("reads while it writes") {
    bench(config) { bench =>
      val port = bench.dut.io.axil
      port.awvalid.poke(true)
      port.awaddr.poke(0x044)
      port.arvalid.poke(true)
      port.araddr.poke(0x000)
      bench.dut.clock.step()
      port.awvalid.poke(false)
      port.arvalid.poke(false)
      bench.dut.clock.step(3)
      // the write has no data yet; the read does not wait for it
      port.rvalid.expect(true)
      port.rdata.expect(0x57454952L)
      port.bvalid.expect(false)
    }
  }

  it("holds masks over the address bits of memory and passes them on, with the map, to be checked") {
    bench(config) { bench =>
      import bench._
      val choice            = map.choice.get
      val (addressMap, low) = (0x180, 0x188)
      // 2 ranks, 4 x 4 banks, 9 row and 7 line column bits of 32 bytes: address bits 26 to 5 are those of a line
      val (rank, group, bank) = (low + 8 * 1, low + 8 * 3, low + 8 * 5)
      assert(value(addressMap) == 0)
      assert(
        (value(bank), value(bank + 8), value(group), value(group + 8), value(rank)) == ((
          1 << 12,
          1 << 13,
          1 << 14,
          1 << 15,
          1 << 16
        ))
      )
      for (address <- Seq(low, low + 8 * 2, bank + 4, bank + 8 * 2)) refused(address, 1, Cause.absent)
      refused(rank, 1 << 4, Cause.above)
      refused(rank, 1 << 26, Cause.above)
      set(rank, 0x02000020)
      assert(choice.low(0).peek().litValue == 0x02000020 >> 5)
      assert(choice.low(1).peek().litValue == 1 << (12 - 5) && choice.low(4).peek().litValue == 1 << (15 - 5))
      refused(addressMap, 6, Cause.above)
      set(addressMap, 5)
      assert(value(addressMap) == 5)
      choice.judge.passes.poke(false)
      refused(addressMap, 4, Cause.twice)
      assert(value(addressMap) == 5)
      // only the map is checked
      set(rank, 0)
    }
  }

  it("takes a map in the cycle in which its check ends well, and not before") {
    bench(config) { bench =>
      val choice = bench.map.choice.get
      val port   = bench.dut.io.axil
      for (good <- Seq(true, false)) {
        choice.judge.checked.poke(false)
        choice.judge.passes.poke(good)
        port.awaddr.poke(0x180)
        port.wdata.poke(3)
        port.wstrb.poke(15)
        port.bready.poke(true)
        var takes = 0
        for (cycle <- 0 until 40) {
          port.awvalid.poke(cycle == 0)
          port.wvalid.poke(cycle == 0)
          choice.judge.checked.poke(cycle >= 30 && choice.judge.check.peek().litToBoolean)
          if (cycle < 30) {
            port.bvalid.expect(false)
            if (cycle > 2) choice.judge.check.expect(true)
          }
          if (choice.taken.peek().litToBoolean) {
            takes += 1
            assert(cycle == 30)
            choice.judge.candidate.expect(3)
          }
          bench.dut.clock.step()
        }
        assert(takes == (if (good) 1 else 0))
        port.bready.poke(false)
        choice.judge.checked.poke(true)
        choice.judge.passes.poke(true)
      }
    }
  }

  it("reads the masks of the map in force in two words, at the place of their number") {
    bench(config) { bench =>
      import bench._
      val inForce = map.inForce.get
      inForce.word.poke(BigInt("123456789abcdef0", 16))
      // rank 0, bank group 1, bank 1, column 0 and 9, row 8
      for (number <- Seq(1, 4, 6, 9, 18, 28)) {
        assert(value(0x200 + 8 * number) == 0x9abcdef0L)
        inForce.index.expect(number)
        assert(value(0x204 + 8 * number) == 0x12345678L)
        refused(0x200 + 8 * number, 0, Cause.readOnly)
      }
      // this config has no such bits
      for (number <- Seq(0, 2, 7, 19, 29)) {
        assert(axil.read(0x200 + 8 * number) == ((0, slverr)))
        refused(0x200 + 8 * number, 0, Cause.absent)
      }
    }
  }

  it("only tells the address map where the config fixes it, and nothing where it may not be read") {
    bench(Presets.all("features-programmable")) { bench =>
      assert(bench.value(0x180) == 0)
      bench.refused(0x180, 1, Cause.readOnly)
      bench.refused(0x188, 1, Cause.absent)
      bench.value(0x200 + 8 * 5)
    }
    bench(Presets.all("ecp5-lite")) { bench =>
      for (address <- Seq(0x180, 0x200 + 8 * 5)) assert(bench.axil.read(address) == ((0, slverr)))
    }
  }

  it("has timings as constants where the config freezes them") {
    val lite   = Presets.all("ecp5-lite")
    val frozen = lite.copy(policies = lite.policies.copy(programmablePolicies = true))
    bench(frozen) { bench =>
      import bench._
      assert(value(0x008) == ((64 << 8) | 8))
      for ((name, address, preset, _) <- growing(frozen)) {
        assert(value(address) == preset && force(name) == preset, name)
        refused(address, preset + 1, Cause.readOnly)
      }
      refused(tREFI, 1000, Cause.readOnly)
      set(waterMarks, (1 << 16) | 5)
      assert(control.draining.highWaterMark.peek().litValue == 5)
    }
  }

  it("has policies as constants where the config freezes them") {
    val frozen = Presets.all("ecp5-lite")
    bench(frozen) { bench =>
      import bench._
      assert(value(0x008) == ((64 << 8) | 0))
      val marks = (frozen.policies.lowWaterMark.toLong << 16) | frozen.policies.highWaterMark
      assert(value(waterMarks) == marks)
      refused(waterMarks, (1 << 16) | 5, Cause.readOnly)
      assert(control.draining.highWaterMark.peek().litValue == frozen.policies.highWaterMark)
      for (address <- Seq(0x0c4, 0x0c8, 0x0e0, 0x0e4, 0x0e8)) refused(address, 1, Cause.readOnly)
    }
  }

  it("has no counter registers where the config has no counters") {
    bench(Presets.all("ecp5-lite")) { bench =>
      for (address <- Seq(countersLatch, countersStatus, 0x400, 0x1000)) {
        assert(bench.axil.read(address) == ((0, slverr)))
        bench.refused(address, 1, Cause.absent)
      }
    }
  }

  it("reads the counters in two words, and tells which there are") {
    bench(config) { bench =>
      import bench._
      val snapshot = counters.snapshot.get
      snapshot.word.poke(BigInt("123456789abcdef0", 16))
      for (counter <- Seq(0x1000, 0x1010, 0x2000, 0x2060, 0x3008, 0x4000, 0x4058, 0x8000, 0x8070)) {
        assert(value(counter) == 0x9abcdef0L)
        snapshot.index.expect(counter / 8)
        assert(value(counter + 4) == 0x12345678L)
        snapshot.index.expect(counter / 8)
      }
      // of each group the numbers that there are at least; of a rank number 10 is of none
      val present = Seq(0x7 -> 3, 0x1bff -> 13, 0x3 -> 2, 0x7fff -> 15, 0x1 -> 1)
      for (((mask, numbers), group) <- present.zipWithIndex)
        assert(value(0x400 + 4 * group) % (1L << numbers) == mask)
    }
  }

  it("pulses the latch for one cycle, only when a 1 is written") {
    bench(config) { bench =>
      import bench._
      def pulses(data: Long): Int = {
        var count = 0
        dut.io.axil.awaddr.poke(countersLatch)
        dut.io.axil.wdata.poke(data)
        dut.io.axil.wstrb.poke(15)
        dut.io.axil.bready.poke(true)
        for (cycle <- 0 until 10) {
          dut.io.axil.awvalid.poke(cycle == 0)
          dut.io.axil.wvalid.poke(cycle == 0)
          if (counters.latch.get.peek().litToBoolean) count += 1
          dut.clock.step()
        }
        dut.io.axil.bready.poke(false)
        count
      }
      assert(pulses(1) == 1)
      assert(pulses(0) == 0)
      assert(value(countersLatch) == 0)
    }
  }

  it("shows that a counter wrapped and passes on that this is cleared") {
    bench(config) { bench =>
      import bench._
      assert(value(countersStatus) == 0)
      counters.wrapped.get.value.poke(true)
      assert(value(countersStatus) == 1)
      counters.wrapped.get.clear.expect(false)
      refused(countersStatus, 2, Cause.above)
    }
  }
}
