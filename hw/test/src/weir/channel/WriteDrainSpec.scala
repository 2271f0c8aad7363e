// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec

class WriteDrainSpec extends AnyFunSpec with ChiselSim {
  private val config = ChannelConfigs.ddr3 // write queue 8, read queue 4
  private val high   = 4
  private val low    = 1

  private def start(drain: WriteDrain, reads: Int): Unit = {
    drain.io.highWaterMark.poke(high)
    drain.io.lowWaterMark.poke(low)
    drain.io.reads.poke(reads)
    drain.io.writes.foreach(_.poke(0))
    drain.io.cause.foreach(_.poke(false))
    for (
      input <- Seq(
        drain.io.writesFull,
        drain.io.readUrgent,
        drain.io.writeIssued,
        drain.io.readIssued
      )
    )
      input.poke(false)
  }

  private def expectWrites(drain: WriteDrain, ranks: Boolean*): Unit =
    drain.io.write.zip(ranks).foreach { case (port, value) => port.expect(value) }

  it("drains a rank from its high mark to its low mark, and leaves the other alone") {
    simulate(new WriteDrain(config)) { drain =>
      start(drain, reads = 2)
      for (writes <- 0 until high) {
        drain.io.writes(1).poke(writes)
        drain.clock.step()
        expectWrites(drain, false, false)
      }
      drain.io.writes(1).poke(high)
      drain.io.starts(1).expect(true)
      drain.clock.step()
      for (writes <- high until low by -1) {
        drain.io.writes(1).poke(writes)
        drain.clock.step()
        expectWrites(drain, false, true)
      }
      drain.io.writes(1).poke(low)
      drain.clock.step()
      expectWrites(drain, false, false)
    }
  }

  it("drains below the low mark as long as a read waits for a queued write") {
    simulate(new WriteDrain(config)) { drain =>
      start(drain, reads = 2)
      drain.io.writes(0).poke(1)
      drain.io.cause(0).poke(true)
      drain.clock.step()
      for (_ <- 0 until 5) {
        expectWrites(drain, true, false)
        drain.clock.step()
      }
      drain.io.cause(0).poke(false)
      drain.clock.step()
      expectWrites(drain, false, false)
    }
  }

  it("drains every rank that holds writes when the queue is full, whatever the marks") {
    simulate(new WriteDrain(config)) { drain =>
      start(drain, reads = 2)
      drain.io.highWaterMark.poke(8)
      drain.io.writes.foreach(_.poke(3))
      drain.io.writesFull.poke(true)
      drain.clock.step()
      expectWrites(drain, true, true)
    }
  }

  it("starts no drain while the oldest read is urgent") {
    simulate(new WriteDrain(config)) { drain =>
      start(drain, reads = 2)
      drain.io.readUrgent.poke(true)
      drain.io.writes(0).poke(8)
      for (_ <- 0 until 10) {
        drain.clock.step()
        expectWrites(drain, false, false)
      }
      drain.io.readUrgent.poke(false)
      drain.clock.step()
      expectWrites(drain, true, false)
    }
  }

  it("ends a drain that never reaches the low mark after a queueful, and gives reads a queueful first") {
    simulate(new WriteDrain(config)) { drain =>
      start(drain, reads = 3)
      drain.io.writes(0).poke(6) // refilled as fast as drained
      drain.clock.step()
      expectWrites(drain, true, false)
      drain.io.writeIssued.poke(true)
      var issued = 0
      while (drain.io.write(0).peek().litToBoolean) {
        drain.clock.step()
        issued += 1
        assert(issued < 20, "the drain does not end")
      }
      assert(issued >= 8 && issued <= 10)
      drain.io.writeIssued.poke(false)
      for (_ <- 0 until config.policies.readQueue) {
        for (_ <- 0 until 7) {
          expectWrites(drain, false, false)
          drain.clock.step()
        }
        drain.io.readIssued.poke(true)
        drain.clock.step()
        drain.io.readIssued.poke(false)
      }
      drain.clock.step(2)
      expectWrites(drain, true, false)
    }
  }

  it("drains the rank of an urgent write below the marks") {
    simulate(new WriteDrain(config)) { drain =>
      start(drain, reads = 1)
      drain.io.writes(1).poke(1)
      drain.io.cause(1).poke(true)
      drain.clock.step()
      expectWrites(drain, false, true)
    }
  }

  it("lets all ranks write after a while without reads, and stops in the cycle after a read came") {
    simulate(new WriteDrain(config)) { drain =>
      start(drain, reads = 0)
      drain.io.writes(0).poke(1)
      drain.clock.step(31)
      expectWrites(drain, false, false)
      drain.clock.step(2)
      expectWrites(drain, true, true)
      drain.io.reads.poke(1)
      drain.clock.step()
      expectWrites(drain, false, false)
    }
  }
}
