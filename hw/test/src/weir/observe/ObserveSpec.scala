// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import chisel3.util.Valid
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funspec.AnyFunSpec
import weir.channel.ChannelEvents
import weir.config.{Observation, Presets, WeirConfig}
import weir.front.BegunRead

import scala.util.Random

/** The counters against a count in software of the same random events. */
class ObserveSpec extends AnyFunSpec with ChiselSim {

  /** Two ranks, three ports, and small queues, so that sources come and go in them. */
  private val config = {
    val narrow = Presets.all("test-narrow-bus")
    narrow.copy(policies = narrow.policies.copy(readQueue = 6, writeQueue = 5, highWaterMark = 4, lowWaterMark = 2))
  }

  private val twoChannels = config.copy(channels = 2)

  /** Ways in which the design is broken on purpose: a refresh of rank 1 that comes together with an activate is not seen;
    * the snapshot is taken a cycle late; reads leave other slots than they were in; the second channel counts what the
    * first does.
    */
  private object Fault extends ChiselEnum {
    val none, losesAnEvent, latchesLate, losesSlots, mixesChannels = Value
  }

  /** What the tests need of a module that counts, which `fault` breaks. All that is observed comes
    * in as one number, as every poke takes its time.
    */
  private class Bench(config: WeirConfig) extends Module {
    private val observed = Wire(new Bundle {
      val events = Vec(config.channels, new ChannelEvents(config))
      val began  = Vec(config.axi.ports, Valid(new BegunRead(config)))
    })
    private val fields =
      observed.events.flatMap(ChannelCycle.fields) ++
        observed.began.flatMap(port => Seq(port.valid, port.bits.source, port.bits.cycles))
    private val widths = fields.map(_.getWidth)

    val io = IO(new Bundle {
      val observed = Input(UInt(widths.sum.W))
      val fault    = Input(UInt(3.W))
      val counters = Flipped(new CounterPort(config))
    })
    for (((field, width), at) <- fields.zip(widths).zip(widths.scanLeft(0)(_ + _)))
      field := (if (width == 0) 0.U else io.observed(at + width - 1, at)).asTypeOf(field)

    private val events  = observed.events
    private val observe = Module(new Observe(config))
    observe.io.events := events
    observe.io.began.foreach(_ := observed.began)
    observe.io.counters <> io.counters
    private def broken(fault: Fault.Type): Bool = io.fault === fault.asUInt
    when(broken(Fault.losesAnEvent)) {
      observe.io.events(0).refresh(1) := events(0).refresh(1) && !events(0).activate(1)
    }
    when(broken(Fault.latchesLate))(observe.io.counters.latch.get         := RegNext(io.counters.latch.get, false.B))
    when(broken(Fault.losesSlots))(observe.io.events(0).column.bits.slot  := events(0).column.bits.slot ^ 1.U)
    when(broken(Fault.mixesChannels))(observe.io.events.last.merged.valid := events.head.merged.valid)

    /** The number for values of all fields. */
    def pack(values: Seq[BigInt]): BigInt = {
      assert(values.size == widths.size)
      widths.zip(values).foldRight(BigInt(0)) { case ((width, value), above) => above << width | value }
    }
  }

  /** Resets the design, runs cycles of random events with a snapshot after each of the `latches`, and compares every counter
    * of the last snapshot while events go on.
    */
  private def check(
      dut: Bench,
      config: WeirConfig,
      seed: Int,
      busy: Double,
      fault: Fault.Type,
      latches: Int*
  ): CounterModel = {
    val model    = new CounterModel(config)
    val random   = new Random(seed)
    val channels = Seq.fill(config.channels)(new RandomChannel(config, random, busy))
    val modulus  = BigInt(1) << config.observation.counterBits
    val ofPort   = 1 << (config.axi.sourceIdHigh - config.axi.sourceIdLow + 1)
    dut.io.counters.latch.get.poke(false)
    dut.io.counters.wrapped.get.clear.poke(false)
    dut.io.counters.snapshot.get.index.poke(0)
    dut.io.fault.poke(fault.litValue)
    dut.reset.poke(true)
    dut.clock.step()
    dut.reset.poke(false)

    def step(): Unit = {
      val cycles = channels.map(_.next())
      val began  = Seq.tabulate(config.axi.ports) { port =>
        // all magnitudes alike
        Option.when(random.nextDouble() < busy)(
          (port * ofPort + random.nextInt(ofPort), random.nextInt(1 << (1 + random.nextInt(20))))
        )
      }
      val answers = began.flatMap {
        case Some((source, age)) => Seq[BigInt](1, source, age)
        case None                => Seq[BigInt](0, 0, 0)
      }
      dut.io.observed.poke(dut.pack(cycles.flatMap(_.values(config)) ++ answers))
      model.count(cycles, began)
      dut.clock.step()
    }

    var expected = model.names.map(_ => BigInt(0))
    var cycle    = 0
    for (latch <- latches) {
      while (cycle < latch) {
        step()
        cycle += 1
      }
      // the snapshot holds what happened before its cycle
      expected = model.snapshot
      dut.io.counters.latch.get.poke(true)
      step()
      dut.io.counters.latch.get.poke(false)
      cycle += 1
    }
    for (_ <- 0 until 2) step()
    for (round <- 0 until 2; ((place, offset), expected) <- model.offsets.zip(expected)) {
      dut.io.counters.snapshot.get.index.poke(offset / 8)
      step()
      step()
      val value = dut.io.counters.snapshot.get.word.peek().litValue
      assert(value == expected % modulus, f"$place at 0x$offset%x, round $round, seed $seed")
    }
    model
  }

  // a design takes long to build, so that there is one for all of its tests
  it("counts every event of every source and rank, and keeps snapshots, and the check notices if it does not") {
    simulate(new Bench(config)) { dut =>
      def run(seed: Int, busy: Double, latches: Int*): CounterModel =
        check(dut, config, seed, busy, Fault.none, latches: _*)

      val model  = run(seed = 1, busy = 0.4, latches = 3000)
      val counts = model.names.zip(model.snapshot).toMap
      for ((CounterName(name, at), count) <- counts if name != "latency" || at.head < 6)
        assert(count > 0, s"$name $at")
      for (((source, rank), cycles) <- model.stalledCycles; at = Seq(source, rank)) {
        val byCause = Seq("refresh", "write_drain", "queue_full", "bank", "turnaround", "bus").map(CounterName(_, at))
        assert(byCause.map(counts).sum == cycles, "each stalled cycle has one cause")
      }
      withClue("everything in every cycle: ")(run(seed = 2, busy = 1, latches = 1000))
      withClue("events go on, the next snapshot: ")(run(seed = 3, busy = 0.6, latches = 700, 701, 950))
      for (latch <- Seq(0, 1, 7, 60))
        withClue("right after reset: ")(run(seed = 4 + latch, busy = 0.7, latches = latch))
      withClue("no snapshot yet: ")(run(seed = 5, busy = 0.7))

      for (fault <- Seq(Fault.losesAnEvent, Fault.latchesLate, Fault.losesSlots))
        withClue(s"$fault: ")(
          assertThrows[TestFailedException](check(dut, config, seed = 1, busy = 0.4, fault, latches = 1000))
        )
    }
  }

  it("counts the events of two channels apart, and those of a source together") {
    simulate(new Bench(twoChannels)) { dut =>
      check(dut, twoChannels, seed = 6, busy = 0.4, Fault.none, latches = 1500)
      check(dut, twoChannels, seed = 7, busy = 1, Fault.none, latches = 700)
      assertThrows[TestFailedException](
        check(dut, twoChannels, seed = 6, busy = 0.4, Fault.mixesChannels, latches = 1000)
      )
    }
  }

  it("sees no turn of the bus from one pseudo-rank to another") {
    val divided = config.copy(geometry = config.geometry.copy(ranks = 1).inPseudoRanks(2))
    simulate(new Bench(divided)) { dut =>
      val counts = check(dut, divided, seed = 9, busy = 0.4, Fault.none, latches = 3000)
      assert(counts.names.zip(counts.snapshot).exists { case (name, count) => name.name == "turnaround" && count > 0 })
      // a model that takes them for ranks counts otherwise
      assertThrows[TestFailedException](check(dut, config, seed = 9, busy = 0.4, Fault.none, latches = 1000))
    }
  }

  it("counts the events alone where a config asks for no more") {
    val events = config.copy(observation = Observation("events", counterBits = 40))
    simulate(new Bench(events))(check(_, events, seed = 8, busy = 0.5, Fault.none, latches = 1000))
  }

  describe("counters that wrap") {
    it("say so where many may grow at once") {
      simulate(new TallyStore(Seq(1, 1 << 24), 32)) { store =>
        store.io.latch.poke(false)
        store.io.index.poke(1)
        store.growth(0).poke(1)
        store.growth(1).poke(1 << 24)
        var wraps = 0
        for (_ <- 0 until 300) {
          if (store.io.wraps.peek().litToBoolean) wraps += 1
          store.clock.step()
        }
        assert(wraps == 1)
        store.io.latch.poke(true)
        store.clock.step()
        store.io.latch.poke(false)
        store.clock.step(2)
        store.io.value.expect((BigInt(300) << 24) % (BigInt(1) << 32))
      }
    }
    it("say so where one may grow") {
      simulate(new EventStore(3, 8)) { store =>
        store.io.latch.poke(false)
        store.io.index.poke(2)
        store.grows.poke(4)
        var wraps = 0
        for (_ <- 0 until 300) {
          if (store.io.wraps.peek().litToBoolean) wraps += 1
          store.clock.step()
        }
        assert(wraps == 1)
        store.io.latch.poke(true)
        store.clock.step()
        store.io.latch.poke(false)
        store.clock.step(3)
        store.io.value.expect(300 % 256)
      }
    }
  }
}
