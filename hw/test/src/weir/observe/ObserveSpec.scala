// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funspec.AnyFunSpec
import weir.channel.{ChannelEvents, RowOutcome}
import weir.config.{Observation, Presets, WeirConfig}

import scala.collection.mutable
import scala.util.Random

/** The counters against a count in software of the same random events. */
class ObserveSpec extends AnyFunSpec with ChiselSim {
  private val config = Presets.all("test-4rank-2phase")

  /** Two channels of two ranks, three ports. */
  private val twoChannels = Presets.all("test-narrow-bus").copy(channels = 2)

  /** What the tests need of a module that counts; the design itself and the broken ones below. */
  private class Bench(design: WeirConfig => Observe, config: WeirConfig) extends Module {
    val io = IO(new Bundle {
      val events   = Input(Vec(config.channels, new ChannelEvents(config)))
      val counters = Flipped(new CounterPort(config))
    })
    protected val observe: Observe = Module(design(config))
    observe.io.events := io.events
    observe.io.counters <> io.counters
  }

  /** Broken: a refresh of rank 1 that comes together with an activate of that rank is not seen. */
  private class LosesAnEvent(config: WeirConfig) extends Bench(new Observe(_), config) {
    observe.io.events(0).refresh(1) := io.events(0).refresh(1) && !io.events(0).activate(1)
  }

  /** Broken: what happens in the second channel is not seen while a write of the first is merged. */
  private class LosesAChannel(config: WeirConfig) extends Bench(new Observe(_), config) {
    observe.io.events(1).merged.valid := io.events(1).merged.valid && !io.events(0).merged.valid
  }

  /** Broken: the snapshot is taken a cycle late. */
  private class LatchesLate(config: WeirConfig) extends Bench(new Observe(_), config) {
    observe.io.counters.latch := RegNext(io.counters.latch, false.B)
  }

  /** Counters by name and place, as the list of counters is meant to be numbered: group by group, place by place. */
  private class Software(config: WeirConfig) {
    private val ranks   = config.channels * config.geometry.ranks
    private val sources = config.axi.sources
    private val places  = Seq.newBuilder[(String, Int, Int)]
    for (channel <- 0 until config.channels; name <- Seq("cycles", "read level", "write level"))
      places += ((name, 0, channel))
    for (rank <- 0 until ranks; name <- Seq("activate", "precharge", "refresh", "forced", "drain"))
      places += ((name, 0, rank))
    for (source <- 0 until sources; name <- Seq("forwarded", "merged")) places += ((name, source, 0))
    for (
      source  <- 0 until sources; rank <- 0 until ranks; command <- Seq("read", "write");
      outcome <- Seq("hit", "miss", "conflict")
    ) places += ((s"$command $outcome", source, rank))

    val numbers: Seq[(String, Int, Int)] = places.result()
    private val counts                   = mutable.Map[(String, Int, Int), BigInt]().withDefaultValue(0)

    def add(name: String, source: Int, rank: Int, amount: BigInt = 1): Unit = counts((name, source, rank)) += amount
    def snapshot: Seq[BigInt]                                               = numbers.map(counts)
  }

  /** Pokes random events of all channels for a cycle and counts them in software. */
  private def poke(
      events: Vec[ChannelEvents],
      software: Software,
      random: Random,
      config: WeirConfig,
      busy: Double
  ): Unit =
    for (channel <- 0 until config.channels) poke(events(channel), channel, software, random, config, busy)

  private def poke(
      events: ChannelEvents,
      channel: Int,
      software: Software,
      random: Random,
      config: WeirConfig,
      busy: Double
  ): Unit = {
    val ranks                                       = config.geometry.ranks
    def happens                                     = random.nextDouble() < busy
    def ranked(name: String, port: Vec[Bool]): Unit =
      for (rank <- 0 until ranks) {
        val now = happens
        port(rank).poke(now)
        if (now) software.add(name, 0, channel * ranks + rank)
      }
    software.add("cycles", 0, channel)
    ranked("activate", events.activate)
    ranked("precharge", events.precharge)
    ranked("refresh", events.refresh)
    ranked("forced", events.refreshForced)
    ranked("drain", events.drain)
    for ((name, port) <- Seq("forwarded" -> events.forwarded, "merged" -> events.merged)) {
      val source = random.nextInt(config.axi.sources)
      val now    = happens
      port.valid.poke(now)
      port.bits.poke(source)
      if (now) software.add(name, source, 0)
    }
    val (source, rank)  = (random.nextInt(config.axi.sources), random.nextInt(ranks))
    val (write, column) = (random.nextBoolean(), happens)
    val (outcome, name) =
      Seq(RowOutcome.hit -> "hit", RowOutcome.miss -> "miss", RowOutcome.conflict -> "conflict")(random.nextInt(3))
    events.column.valid.poke(column)
    events.column.bits.write.poke(write)
    events.column.bits.source.poke(source)
    events.column.bits.rank.poke(rank)
    events.column.bits.outcome.poke(outcome)
    if (column) software.add(s"${if (write) "write" else "read"} $name", source, channel * ranks + rank)
    for (
      (name, port, depth) <- Seq(
        ("read level", events.readQueueLevel, config.policies.readQueue),
        ("write level", events.writeQueueLevel, config.policies.writeQueue)
      )
    ) {
      val level = if (busy == 1) depth else random.nextInt(depth + 1)
      port.poke(level)
      software.add(name, 0, channel, level)
    }
  }

  /** Runs `cycles` cycles of events with a snapshot after each of the `latches`, and compares every counter of the last
    * snapshot while events go on.
    */
  private def check(design: => Bench, config: WeirConfig, seed: Int, busy: Double, latches: Int*): Unit =
    simulate(design) { dut =>
      val software = new Software(config)
      val random   = new Random(seed)
      val modulus  = BigInt(1) << config.observation.counterBits
      dut.io.counters.latch.poke(false)
      dut.io.counters.clearWrapped.poke(false)
      dut.io.counters.index.poke(0)
      var expected = software.snapshot
      var cycle    = 0
      for (latch <- latches) {
        while (cycle < latch) {
          poke(dut.io.events, software, random, config, busy)
          dut.clock.step()
          cycle += 1
        }
        // the snapshot holds what happened before its cycle
        expected = software.snapshot
        dut.io.counters.latch.poke(true)
        poke(dut.io.events, software, random, config, busy)
        dut.clock.step()
        dut.io.counters.latch.poke(false)
        cycle += 1
      }
      for (round <- 0 until 2; (place, number) <- software.numbers.zipWithIndex) {
        poke(dut.io.events, software, random, config, busy)
        dut.io.counters.index.poke(number)
        val value = dut.io.counters.value.peek().litValue
        assert(value == expected(number) % modulus, s"$place, number $number, round $round, seed $seed")
        dut.clock.step()
      }
    }

  it("counts every event of every source and rank, however many come together") {
    check(new Bench(new Observe(_), config), config, seed = 1, busy = 0.4, latches = 5000)
  }

  it("counts when everything happens in every cycle") {
    check(new Bench(new Observe(_), config), config, seed = 2, busy = 1, latches = 3000)
  }

  it("counts the events of two channels apart, and those of a source together") {
    check(new Bench(new Observe(_), twoChannels), twoChannels, seed = 6, busy = 0.4, latches = 3000)
    check(new Bench(new Observe(_), twoChannels), twoChannels, seed = 7, busy = 1, latches = 2000)
  }

  it("keeps a snapshot while events go on, and replaces it by the next") {
    check(new Bench(new Observe(_), config), config, seed = 3, busy = 0.6, latches = 700, 701, 950)
  }

  it("snapshots right after reset") {
    for (latch <- Seq(0, 1, 7, 60))
      check(new Bench(new Observe(_), config), config, seed = 4 + latch, busy = 0.7, latches = latch)
  }

  it("reads zero before the first snapshot") {
    check(new Bench(new Observe(_), config), config, seed = 5, busy = 0.7)
  }

  describe("the check against software notices") {
    it("an event that is lost") {
      assertThrows[TestFailedException](check(new LosesAnEvent(config), config, seed = 1, busy = 0.4, latches = 5000))
    }
    it("an event of the second channel that is lost") {
      assertThrows[TestFailedException](
        check(new LosesAChannel(twoChannels), twoChannels, seed = 6, busy = 0.4, latches = 3000)
      )
    }
    it("a snapshot a cycle late") {
      assertThrows[TestFailedException](check(new LatchesLate(config), config, seed = 1, busy = 0.4, latches = 5000))
    }
  }

  it("wraps and says so") {
    // 128 writes wait in every cycle: the sum of levels passes 2^32 after 2^25 cycles
    val long = config.copy(
      policies = config.policies.copy(writeQueue = 128),
      observation = Observation(counterBits = 32)
    )
    simulate(new Observe(long)) { dut =>
      dut.io.counters.latch.poke(false)
      dut.io.counters.clearWrapped.poke(false)
      val events = dut.io.events.head
      for (port <- events.activate ++ events.precharge ++ events.refresh ++ events.refreshForced ++ events.drain)
        port.poke(false)
      events.column.valid.poke(false)
      events.forwarded.valid.poke(false)
      events.merged.valid.poke(false)
      events.readQueueLevel.poke(0)
      events.writeQueueLevel.poke(128)
      dut.clock.step((1 << 25) - 1000)
      dut.io.counters.wrapped.expect(false)
      dut.clock.step(2000)
      dut.io.counters.wrapped.expect(true)
      dut.io.counters.clearWrapped.poke(true)
      dut.clock.step()
      dut.io.counters.clearWrapped.poke(false)
      dut.io.counters.wrapped.expect(false)
      dut.io.counters.latch.poke(true)
      dut.clock.step()
      dut.io.counters.latch.poke(false)
      // number 2 is the sum of the write queue's levels: 128 in each of the 2^25 + 1001 cycles before the snapshot
      dut.io.counters.index.poke(2)
      dut.io.counters.value.expect(128 * 1001)
    }
  }
}
