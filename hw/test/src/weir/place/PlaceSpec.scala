// SPDX-License-Identifier: Apache-2.0
package weir.place

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funspec.AnyFunSpec
import weir.config.{Pipeline, Presets, WeirConfig}
import weir.device.Geometry
import weir.place.map.{AddressMap, AddressMaps, MapModel, Spot}

import scala.collection.mutable
import scala.util.Random

/** Lines on their way through place: each arrives once, at its place, in order, as soon as place says; and what the channels
  * answer comes to front, nothing lost and writes in order.
  */
class PlaceSpec extends AnyFunSpec with ChiselSim {
  private val base = Presets.all("test-narrow-bus") // three ports
  private val two  = base.copy(
    channels = 2,
    geometry = Geometry(2, 1, 4, 8, 5, 8),
    axi = base.axi.copy(readSlots = 4),
    placement = base.placement.copy(map = "channel_interleaved")
  )
  private val one = two.copy(
    channels = 1,
    pipeline = Pipeline(),
    placement = two.placement.copy(map = "bank_xor", programmable = false)
  )

  private class Bench(val config: WeirConfig) extends Module {
    protected val place: Place = Module(new Place(config))

    val io = IO(chiselTypeOf(place.io))
    io <> place.io
  }

  /** Broken: the channels' accepted writes are mixed up. */
  private class MixesUpAccepted(config: WeirConfig) extends Bench(config) {
    place.io.channels(0).accepted := io.channels(1).accepted
    place.io.channels(1).accepted := io.channels(0).accepted
  }

  /** Broken: a map is in force a cycle late. */
  private class SwitchesLate(config: WeirConfig) extends Bench(config) {
    place.io.map.choice.get.taken := RegNext(io.map.choice.get.taken, false.B)
  }

  /** A write on its way: who sent it, and its number. */
  private case class Sent(port: Int, line: BigInt, number: Int)

  /** Random traffic, in which software chooses another map now and then. */
  private class Run(bench: Bench, seed: Int) {
    private val config   = bench.config
    private val random   = new Random(seed)
    private val model    = new MapModel(config)
    private val io       = bench.io
    private val channels = io.channels.toSeq
    private val slots    = config.axi.ports * config.axi.readSlots

    private var map      = model.maps(config.placement.map)
    private val reads    = Seq.fill(config.channels)(mutable.Queue.empty[(Spot, Int, Int)]) // place, tag, cycle
    private val writes   = Seq.fill(config.channels)(mutable.Queue.empty[(Spot, Sent, Int)])
    private val unread   = Seq.fill(config.channels)(mutable.Queue.empty[Int])
    private val held     = Seq.fill(config.channels)(mutable.Queue.empty[Sent])             // taken, not accepted
    private val accepted = mutable.Set.empty[Int]
    private val order    = mutable.Queue.empty[Sent]
    private val free     = mutable.Queue.from(0 until slots)
    private val away = mutable.Map.empty[Int, Int] // cycle of the return by slot

    private var reading: Option[(BigInt, Int)] = None
    private var writing: Option[Sent]          = None
    private val choosable                      = AddressMaps.choosable(config.placement)
    private var choosing: Option[AddressMap]   = None
    private var rests                          = false // a check has just ended
    private var number                         = 0
    private var cycle                          = 0

    private def flip(chance: Double) = random.nextDouble() < chance
    private def hit(bit: Bool)       = bit.peek().litToBoolean

    private def location(spot: Spot, at: Location): Unit = {
      assert(at.bank.peek().litValue == spot.bank && at.row.peek().litValue == spot.row, spot)
      assert(at.rank.peek().litValue == spot.rank && at.column.peek().litValue == spot.column, spot)
    }

    /** Goes on for so many cycles.
      *
      * @param sends how often front offers a read, and a write, where it offers none
      * @param takes how often each channel takes what it is offered
      */
    def cycles(count: Int, sends: Double, takes: Double): Unit = {
      for (_ <- 0 until count) {
        // front offers, and keeps its offer until it is taken
        if (reading.isEmpty && free.nonEmpty && flip(sends))
          reading = Some((BigInt(config.lineAddressBits, random), free.dequeue()))
        if (writing.isEmpty && flip(sends)) {
          writing = Some(Sent(random.nextInt(config.axi.ports), BigInt(config.lineAddressBits, random), number))
          number += 1
        }
        io.reads.valid.poke(reading.nonEmpty)
        for ((line, slot) <- reading) {
          io.reads.bits.line.poke(line)
          io.reads.bits.tag.port.poke(slot / config.axi.readSlots)
          io.reads.bits.tag.slot.poke(slot % config.axi.readSlots)
        }
        io.writes.valid.poke(writing.nonEmpty)
        for (sent <- writing) {
          io.writes.bits.line.poke(sent.line)
          io.writes.bits.port.poke(sent.port)
          io.writes.bits.data.poke(sent.number)
        }
        // software chooses another map now and then
        for (choice <- io.map.choice) {
          if (choosing.isEmpty && !rests && flip(0.03)) {
            choosing = Some(choosable(random.nextInt(choosable.size)))
            choice.judge.candidate.poke(AddressMaps.number(choosing.get.name))
          }
          rests = false
          choice.judge.check.poke(choosing.nonEmpty)
          choice.taken.poke(choosing.nonEmpty && hit(choice.judge.checked))
        }
        // channels take, return in any order, and accept in the order in which they took
        for ((channel, index) <- channels.zipWithIndex) {
          channel.reads.ready.poke(flip(takes))
          channel.writes.ready.poke(flip(takes))
          val line = Option
            .when(unread(index).nonEmpty && flip(0.7))(random.nextInt(unread(index).size))
            .map(unread(index).remove(_))
          channel.returns.valid.poke(line.nonEmpty)
          for (slot <- line) {
            channel.returns.bits.tag.port.poke(slot / config.axi.readSlots)
            channel.returns.bits.tag.slot.poke(slot % config.axi.readSlots)
            channel.returns.bits.data.poke(slot)
            away(slot) = cycle
          }
        }

        // what goes to the channels
        val readTaken  = reading.filter(_ => hit(io.reads.ready))
        val writeTaken = writing.filter(_ => hit(io.writes.ready))
        if (takes == 1) assert(readTaken == reading, "a read was not taken although channels take all")
        for ((line, slot) <- readTaken) {
          val spot = map(line)
          reads(spot.channel) += ((spot, slot, cycle))
          reading = None
        }
        for (sent <- writeTaken) {
          val spot = map(sent.line)
          writes(spot.channel) += ((spot, sent, cycle))
          order += sent
          writing = None
        }
        for ((channel, index) <- channels.zipWithIndex) {
          val fast = !config.pipeline.place
          if (hit(channel.reads.valid) && (hit(channel.reads.ready) || !fast)) {
            assert(reads(index).nonEmpty, s"a read came to channel $index that is not on its way there")
            val (spot, slot, since) = reads(index).head
            location(spot, channel.reads.bits.location)
            assert(if (fast) cycle == since else cycle > since)
            if (hit(channel.reads.ready)) {
              reads(index).dequeue()
              unread(index) += slot
            }
          } else assert(!reads(index).exists(_._3 < cycle), "a read went not on in the cycle after it came")
          if (hit(channel.writes.valid)) {
            assert(writes(index).nonEmpty, s"a write came to channel $index that is not on its way there")
            val (spot, sent, since) = writes(index).head
            location(spot, channel.writes.bits.location)
            assert(channel.writes.bits.data.peek().litValue == sent.number && cycle > since)
            if (hit(channel.writes.ready)) {
              writes(index).dequeue()
              held(index) += sent
            }
          }
          // a channel accepts in the cycle in which it takes, or later
          val accepts = held(index).nonEmpty && flip(0.6)
          channel.accepted.valid.poke(accepts)
          if (accepts) {
            val sent = held(index).dequeue()
            channel.accepted.bits.poke(sent.port)
            accepted += sent.number
          }
        }
        // what comes to front
        if (hit(io.accepted.valid)) {
          assert(order.nonEmpty, "a write was reported that was not sent")
          val sent = order.dequeue()
          assert(accepted(sent.number), s"write ${sent.number} was reported before it was accepted")
          io.accepted.bits.expect(sent.port)
        }
        if (hit(io.returns.valid)) {
          val slot  = io.returns.bits.data.peek().litValue.toInt
          val since = away.remove(slot)
          assert(since.nonEmpty, s"slot $slot came without being sent")
          assert(cycle - since.get <= slots, s"slot $slot waited ${cycle - since.get} cycles")
          io.returns.bits.tag.port.expect(slot / config.axi.readSlots)
          io.returns.bits.tag.slot.expect(slot % config.axi.readSlots)
          free += slot
        }
        for (choice <- io.map.choice if hit(choice.taken)) {
          map = model.maps(choosing.get.name)
          choosing = None
          rests = true
        }
        bench.clock.step()
        cycle += 1
      }
    }

    /** Sends nothing more; everything that was sent comes back. */
    def end(): Unit = {
      cycles(400, sends = 0, takes = 1)
      assert(free.size == slots && away.isEmpty, s"${slots - free.size} reads did not come back")
      val left = order.size
      assert(left == 0, s"$left writes were not reported")
    }
  }

  private def check(bench: Bench): Unit = {
    for (port <- bench.io.map.inForce) port.index.poke(0)
    for (choice <- bench.io.map.choice; half <- choice.low +: choice.high.toSeq; mask <- half) mask.poke(0)
    for ((sends, takes, seed) <- Seq((1.0, 0.6, 1), (0.5, 1.0, 2), (1.0, 1.0, 3))) {
      bench.reset.poke(true)
      bench.clock.step()
      bench.reset.poke(false)
      val run = new Run(bench, seed)
      run.cycles(500, sends, takes)
      run.end()
    }
  }

  it("brings every line to its place while maps change, and every answer back: two channels") {
    simulate(new Bench(two))(check)
  }

  it("brings every line to its place, reads in the same cycle, and every answer back: one channel") {
    simulate(new Bench(one))(check)
  }

  it("is found to be broken where a write is reported that the other channel accepted") {
    assertThrows[TestFailedException](simulate(new MixesUpAccepted(two))(check))
  }

  it("is found to be broken where a map is in force a cycle late") {
    assertThrows[TestFailedException](simulate(new SwitchesLate(two))(check))
  }
}
