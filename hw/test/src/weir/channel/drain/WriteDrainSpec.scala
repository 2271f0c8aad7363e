// SPDX-License-Identifier: Apache-2.0
package weir.channel.drain

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.channel.ChannelConfigs

class WriteDrainSpec extends AnyFunSpec with ChiselSim {
  private val config = ChannelConfigs.ddr3 // write queue 8, read queue 4
  private val high   = 4
  private val low    = 1

  private def start(drain: WriteDrain, reads: Int): Unit = {
    drain.io.view.control.highWaterMark.poke(high)
    drain.io.view.control.lowWaterMark.poke(low)
    drain.io.view.reads.poke(reads)
    drain.io.view.writes.foreach(_.poke(0))
    drain.io.view.cause.foreach(_.poke(false))
    val view = drain.io.view
    for (
      input <- Seq(
        view.control.sharedMarks,
        view.control.together,
        view.control.equalPriority,
        view.control.atHighMark,
        view.control.readsAhead,
        view.writesFull,
        view.readUrgent,
        view.writeUrgent,
        view.readArrives,
        view.writeArrives,
        view.writeIssued,
        view.readIssued
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
        drain.io.view.writes(1).poke(writes)
        drain.clock.step()
        expectWrites(drain, false, false)
      }
      drain.io.view.writes(1).poke(high)
      drain.io.starts(1).expect(true)
      drain.clock.step()
      for (writes <- high until low by -1) {
        drain.io.view.writes(1).poke(writes)
        drain.clock.step()
        expectWrites(drain, false, true)
      }
      drain.io.view.writes(1).poke(low)
      drain.clock.step()
      expectWrites(drain, false, false)
    }
  }

  it("ends a drain of one rank alone when the ranks are to drain together, whatever the others hold") {
    simulate(new WriteDrain(config)) { drain =>
      start(drain, reads = 2)
      drain.io.view.writes(0).poke(high)
      drain.clock.step()
      expectWrites(drain, true, false)
      // above the low mark, but not at the high one: it does not join while it may not start
      drain.io.view.writes(1).poke(low + 1)
      drain.io.view.readUrgent.poke(true)
      drain.io.view.control.together.poke(true)
      drain.clock.step()
      expectWrites(drain, true, false)
      drain.io.view.writes(0).poke(0)
      drain.clock.step()
      expectWrites(drain, false, false)
    }
  }

  it("drains below the low mark as long as a read waits for a queued write") {
    simulate(new WriteDrain(config)) { drain =>
      start(drain, reads = 2)
      drain.io.view.writes(0).poke(1)
      drain.io.view.cause(0).poke(true)
      drain.clock.step()
      for (_ <- 0 until 5) {
        expectWrites(drain, true, false)
        drain.clock.step()
      }
      drain.io.view.cause(0).poke(false)
      drain.clock.step()
      expectWrites(drain, false, false)
    }
  }

  it("drains every rank that holds writes when the queue is full, whatever the marks") {
    simulate(new WriteDrain(config)) { drain =>
      start(drain, reads = 2)
      drain.io.view.control.highWaterMark.poke(8)
      drain.io.view.writes.foreach(_.poke(3))
      drain.io.view.writesFull.poke(true)
      drain.clock.step()
      expectWrites(drain, true, true)
    }
  }

  it("starts no drain while the oldest read is urgent") {
    simulate(new WriteDrain(config)) { drain =>
      start(drain, reads = 2)
      drain.io.view.readUrgent.poke(true)
      drain.io.view.writes(0).poke(8)
      for (_ <- 0 until 10) {
        drain.clock.step()
        expectWrites(drain, false, false)
      }
      drain.io.view.readUrgent.poke(false)
      drain.clock.step()
      expectWrites(drain, true, false)
    }
  }

  it("ends a drain that never reaches the low mark after a queueful, and gives reads a queueful first") {
    simulate(new WriteDrain(config)) { drain =>
      start(drain, reads = 3)
      drain.io.view.writes(0).poke(6) // refilled as fast as drained
      drain.clock.step()
      expectWrites(drain, true, false)
      drain.io.view.writeIssued.poke(true)
      var issued = 0
      while (drain.io.write(0).peek().litToBoolean) {
        drain.clock.step()
        issued += 1
        assert(issued < 20, "the drain does not end")
      }
      assert(issued >= 8 && issued <= 10)
      drain.io.view.writeIssued.poke(false)
      for (_ <- 0 until config.policies.readQueue) {
        for (_ <- 0 until 7) {
          expectWrites(drain, false, false)
          drain.clock.step()
        }
        drain.io.view.readIssued.poke(true)
        drain.clock.step()
        drain.io.view.readIssued.poke(false)
      }
      drain.clock.step(2)
      expectWrites(drain, true, false)
    }
  }

  it("drains the rank of an urgent write below the marks") {
    simulate(new WriteDrain(config)) { drain =>
      start(drain, reads = 1)
      drain.io.view.writes(1).poke(1)
      drain.io.view.cause(1).poke(true)
      drain.clock.step()
      expectWrites(drain, false, true)
    }
  }

  it("lets ranks with writes write after a while without reads, and stops in the cycle after a read came") {
    simulate(new WriteDrain(config)) { drain =>
      start(drain, reads = 0)
      drain.io.view.writes(0).poke(1)
      drain.clock.step(31)
      expectWrites(drain, false, false)
      drain.clock.step(2)
      expectWrites(drain, true, false)
      drain.io.view.writes(1).poke(1)
      drain.clock.step()
      expectWrites(drain, true, true)
      drain.io.view.reads.poke(1)
      drain.clock.step()
      expectWrites(drain, false, false)
    }
  }
}
