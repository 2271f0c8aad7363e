// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.PackedBench
import weir.config.{Pipeline, WeirConfig}

import scala.collection.mutable

/** The cycles that the Scaladoc of `Front` states. A cycle's number is that of the clock period in which a handshake or a
  * valid signal is seen.
  */
class FrontTimingSpec extends AnyFunSpec with ChiselSim {

  /** A `Front` whose port 0 sends what it is told as fast as it may, on a channel that answers each read after `latency`
    * cycles unless its line is held, and accepts each write one cycle after it took it.
    */
  private class Run(config: WeirConfig, dut: PackedFront, latency: Int) {
    private val bench     = new PackedBench(dut)
    private val lineBytes = config.geometry.lineBytes
    private val busSize   = Integer.numberOfTrailingZeros(config.axi.dataBytes)
    val memory            = new TestMemory

    private val reads, writes = mutable.Queue.empty[Request]
    private var writeBeats    = 0
    private val pending       = mutable.ArrayBuffer.empty[(Int, BigInt, BigInt)] // due cycle, slot, line
    private val acceptAt      = mutable.Queue.empty[Int]

    /** Lines whose return is held back. */
    val held = mutable.Set.empty[BigInt]

    /** What was seen, each with its cycle. */
    val arTaken, readOut, returned, writeOut, accepted, awTaken, wTaken, bOut = mutable.ArrayBuffer.empty[Int]
    val rOut   = mutable.ArrayBuffer.empty[(Int, Int, Boolean)] // cycle, id, last
    var rReady = true

    def read(id: Int, address: BigInt, len: Int): Unit =
      reads += Request(id, config.axi.base + address, len, busSize, 1)
    def write(id: Int, address: BigInt, len: Int): Unit = {
      writes += Request(id, config.axi.base + address, len, busSize, 1)
      writeBeats += len + 1
    }

    private def present(channel: String, queue: mutable.Queue[Request]): Unit = {
      bench.set(s"axi.0.${channel}valid", if (queue.nonEmpty) 1 else 0)
      for (request <- queue.headOption) {
        bench.set(s"axi.0.${channel}id", request.id)
        bench.set(s"axi.0.${channel}addr", request.address)
        bench.set(s"axi.0.${channel}len", request.len)
        bench.set(s"axi.0.${channel}size", request.size)
        bench.set(s"axi.0.${channel}burst", request.kind)
      }
    }

    def cycles(count: Int): this.type = {
      for (_ <- 0 until count) {
        val now = bench.cycle
        present("ar", reads)
        present("aw", writes)
        bench.set("axi.0.wvalid", if (writeBeats > 0) 1 else 0)
        bench.set("axi.0.wstrb", (BigInt(1) << config.axi.dataBytes) - 1)
        bench.set("axi.0.rready", if (rReady) 1 else 0)
        bench.set("axi.0.bready", 1)
        bench.set("reads.ready", 1)
        bench.set("writes.ready", 1)
        bench.set("returns.valid", 0)
        for ((due, slot, line) <- pending.find { case (due, _, line) => due <= now && !held(line) }) {
          pending -= ((due, slot, line))
          returned += now
          bench.set("returns.valid", 1)
          bench.set("returns.bits.tag.slot", slot)
          bench.set("returns.bits.data", memory.bytes(line * lineBytes, lineBytes))
        }
        bench.set("writeAccepted.valid", 0)
        if (acceptAt.headOption.exists(_ <= now)) {
          acceptAt.dequeue()
          accepted += now
          bench.set("writeAccepted.valid", 1)
        }
        bench.settle()
        if (reads.nonEmpty && bench.high("axi.0.arready")) { reads.dequeue(); arTaken += now }
        if (writes.nonEmpty && bench.high("axi.0.awready")) { writes.dequeue(); awTaken += now }
        if (writeBeats > 0 && bench.high("axi.0.wready")) { writeBeats -= 1; wTaken += now }
        if (bench.high("reads.valid")) {
          readOut += now
          pending += ((now + latency, bench.get("reads.bits.tag.slot"), bench.get("reads.bits.line")))
        }
        if (bench.high("writes.valid")) {
          writeOut += now
          acceptAt += now + 1
        }
        if (rReady && bench.high("axi.0.rvalid"))
          rOut += ((now, bench.get("axi.0.rid").toInt, bench.high("axi.0.rlast")))
        if (bench.high("axi.0.bvalid")) bOut += now
        bench.step()
      }
      this
    }

    /** Lets what is under way end, and forgets it. */
    def settle(): Unit = {
      cycles(60)
      Seq(arTaken, readOut, returned, writeOut, accepted, awTaken, wTaken, bOut).foreach(_.clear())
      rOut.clear()
    }
  }

  private def consecutive(cycles: collection.Seq[Int], count: Int): Unit = {
    assert(cycles.size == count)
    assert(cycles.last - cycles.head == count - 1, s"$count things took ${cycles.last - cycles.head + 1} cycles")
  }

  private def check(config: WeirConfig, latency: Int)(body: Run => Unit): Unit =
    simulate(new PackedFront(config))(dut => body(new Run(config, dut, latency)))

  private val whole = FrontConfigs.whole.copy(axi = FrontConfigs.whole.axi.copy(readSlots = 32))
  private val mixed = whole.copy(name = "bus as wide as a line, interleaved", axi = whole.axi.copy(interleave = true))

  private val sliced =
    mixed.copy(name = "bus as wide as a line, interleaved, sliced", pipeline = mixed.pipeline.copy(request = true))

  for (config <- Seq(whole, mixed, sliced)) describe(config.name) {
    val behind = if (config.pipeline.request) 1 else 0 // cycles that what is taken needs to be seen

    it("has the stated latency and throughput, and lets no late line of one id hold back another id") {
      check(config, latency = 7) { run =>
        // One read: AR to read, return to R.
        run.settle()
        run.read(1, 0x40, 0)
        run.cycles(20)
        assert(run.readOut.head == run.arTaken.head + behind)
        assert(run.rOut.head._1 - run.returned.head == 1)

        // One read of four blocks: it starts with the first, as no other burst is there.
        run.settle()
        run.read(1, 0x40, 3)
        run.cycles(30)
        assert(run.rOut.map(_._1) == run.returned.map(_ + 1))

        // The same behind another burst: it starts when its first block is there, or when all are.
        run.settle()
        run.held += 8
        run.read(1, 0x80, 0)
        run.read(2, 0x40, 3)
        run.cycles(30)
        val start = if (config.axi.interleave) run.returned.head + 1 else run.returned(3) + 3
        assert(run.rOut.map(_._1) == (start until start + 4))
        assert(run.rOut.forall(_._2 == 2))
        run.held.clear()

        // One write: AW and W in the same cycle to write, acceptance to B.
        run.settle()
        run.write(1, 0x40, 0)
        run.cycles(20)
        assert(run.awTaken.head == run.wTaken.head)
        assert(run.writeOut.head - run.wTaken.head == 1 + behind)
        assert(run.bOut.head - run.accepted.head == 1)

        // Bursts of one line, of one id: one address, one read, one beat in each cycle.
        run.settle()
        for (i <- 0 until 100) run.read(1, 16 * i, 0)
        run.cycles(130)
        consecutive(run.arTaken, 100)
        consecutive(run.readOut, 100)
        consecutive(run.rOut.map(_._1), 100)

        // The same of different ids.
        run.settle()
        for (i <- 0 until 100) run.read(i % 3, 16 * i, 0)
        run.cycles(130)
        consecutive(run.arTaken, 100)
        consecutive(run.rOut.map(_._1), 100)

        // Once R has been held up it catches up without a gap, and returns have not waited.
        run.settle()
        for (i <- 0 until 100) run.read(i / 2 % 3, 16 * i, 0)
        run.cycles(20)
        run.rReady = false
        run.cycles(5)
        run.rReady = true
        run.rOut.clear()
        run.cycles(120)
        consecutive(run.rOut.map(_._1), run.rOut.size)
        run.settle()

        // A burst of 100 lines, more than the buffer holds.
        run.read(2, 0, 99)
        run.cycles(150)
        consecutive(run.readOut, 100)
        consecutive(run.rOut.map(_._1), 100)

        // Write bursts of one line, and one of 100.
        run.settle()
        for (i <- 0 until 100) run.write(i % 2, 16 * i, 0)
        run.cycles(120)
        consecutive(run.awTaken, 100)
        consecutive(run.writeOut, 100)
        consecutive(run.bOut, 100)
        run.settle()
        run.write(0, 0, 99)
        run.cycles(120)
        consecutive(run.writeOut, 100)

        run.settle()
        run.held += 2 // the third line of the burst of id 0
        run.read(1, 0x100, 3)
        run.read(0, 0, 3)
        for (i <- 1 until 20) run.read(1, 0x100 + 64 * i, 3)
        run.cycles(150)
        assert(run.rOut.count(_._2 == 1) == 80, "beats of the other id")
        assert(run.rOut.count(_._2 == 0) == (if (config.axi.interleave) 2 else 0))
        run.held.clear()
        run.cycles(20)
        assert(run.rOut.count(_._2 == 0) == 4)

        // A burst that began when no other was there has R to its end.
        run.settle()
        run.held += 2
        run.read(0, 0, 3)
        for (i <- 0 until 3) run.read(1, 0x100 + 64 * i, 3)
        run.cycles(50)
        assert(run.rOut.count(_._2 == 0) == 2)
        assert(run.rOut.count(_._2 == 1) == (if (config.axi.interleave) 12 else 0))
        run.held.clear()
        run.cycles(30)
        assert(run.rOut.map(_._2).count(_ == 0) == 4 && run.rOut.size == 16)
      }
    }
  }

  private val registered =
    whole.copy(name = "bus as wide as a line, whole bursts, registered", pipeline = Pipeline.deep)

  describe(registered.name) {
    it("gives a line two cycles after it came, and a lone burst's from the first one on") {
      check(registered, latency = 7) { run =>
        for (len <- Seq(0, 3)) {
          run.settle()
          run.read(1, 0x40, len)
          run.cycles(30)
          assert(run.readOut.head == run.arTaken.head + 1)
          assert(run.rOut.map(_._1) == run.returned.map(_ + registered.pipeline.dataToAnswer))
        }

        // Behind another burst, of which no line comes, three cycles after the last line of four.
        run.settle()
        run.held += 8
        run.read(1, 0x80, 0)
        run.read(2, 0x40, 3)
        run.cycles(30)
        assert(run.rOut.map(_._1) == (run.returned(3) + 3 until run.returned(3) + 7))
        run.held.clear()
      }
    }
  }

  describe(FrontConfigs.narrow.name) {
    it("gives a beat in each cycle, within lines and from line to line") {
      check(FrontConfigs.narrow, latency = 7) { run =>
        run.settle()
        run.read(4, 0x80, 7)
        run.cycles(30)
        assert(run.readOut.head == run.arTaken.head)
        assert(run.rOut.head._1 - run.returned.head == 1)
        consecutive(run.rOut.map(_._1), 8)

        run.settle()
        for (i <- 0 until 20) run.read(i % 4, 64 * i, 7)
        run.cycles(200)
        consecutive(run.rOut.map(_._1), 160)

        run.settle()
        for (i <- 0 until 20) run.write(i % 4, 64 * i, 7)
        run.cycles(200)
        consecutive(run.wTaken, 160)
        assert(run.bOut.size == 20)
      }
    }
  }

  describe(FrontConfigs.wide.name) {
    it("asks for a line in each cycle and gives a beat as soon as its last line is there") {
      check(FrontConfigs.wide, latency = 12) { run =>
        run.settle()
        run.read(4, 0x80, 3)
        run.cycles(60)
        assert(run.readOut.head == run.arTaken.head)
        consecutive(run.readOut, 4 * 8)
        assert(run.rOut.map(_._1) == Seq(7, 15, 23, 31).map(run.returned(_) + 1))
      }
    }
  }
}
