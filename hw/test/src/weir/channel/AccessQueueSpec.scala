// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec

class AccessQueueSpec extends AnyFunSpec with ChiselSim {
  private val config = ChannelConfigs.ddr3
  private val depth  = 4
  private val banks  = config.geometry.ranks * config.geometry.banks

  private type Queue = AccessQueue[UInt]
  private def queue = new AccessQueue(config, depth, UInt(4.W), searches = 1)

  private def start(q: Queue): Unit = {
    q.io.enqueue.valid.poke(false)
    q.io.enqueueHit.poke(false)
    q.io.activated.valid.poke(false)
    q.io.closed.poke(0)
    q.io.ageLimit.poke(16)
    q.io.served.poke(3)
    for (port <- Seq(q.io.column, q.io.activate, q.io.precharge)) port.ready.poke(false)
    permit(q, open = false, column = false, activate = false, precharge = false)
  }

  private def permit(q: Queue, open: Boolean, column: Boolean, activate: Boolean, precharge: Boolean): Unit = {
    def all(value: Boolean) = if (value) (1 << banks) - 1 else 0
    q.io.permits.open.poke(all(open))
    q.io.permits.column.poke(all(column))
    q.io.permits.activate.poke(all(activate))
    q.io.permits.precharge.poke(all(precharge))
  }

  private def push(q: Queue, rank: Int, bank: Int, row: Int, name: Int, hit: Boolean = false): Unit = {
    q.io.enqueue.valid.poke(true)
    q.io.enqueue.ready.expect(true)
    val location = q.io.enqueue.bits.location
    location.rank.poke(rank)
    location.bank.poke(bank)
    location.row.poke(row)
    location.column.poke(0)
    q.io.enqueue.bits.payload.poke(name)
    q.io.enqueueHit.poke(hit)
    q.clock.step()
    q.io.enqueue.valid.poke(false)
  }

  private def take(q: Queue): BigInt = {
    q.io.column.valid.expect(true)
    val name = q.io.column.bits.payload.peek().litValue
    q.io.column.ready.poke(true)
    q.clock.step()
    q.io.column.ready.poke(false)
    name
  }

  it("serves row hits oldest first, before older accesses whose row is not open") {
    simulate(queue) { q =>
      start(q)
      push(q, rank = 0, bank = 0, row = 1, name = 1)
      push(q, rank = 0, bank = 1, row = 2, name = 2, hit = true)
      push(q, rank = 1, bank = 2, row = 3, name = 3, hit = true)
      permit(q, open = true, column = true, activate = false, precharge = false)
      assert(take(q) == 2)
      assert(take(q) == 3)
      q.io.column.valid.expect(false)
      q.io.level.expect(1)
    }
  }

  it("takes up a row that was activated, and drops it when the bank is closed") {
    simulate(queue) { q =>
      start(q)
      push(q, rank = 1, bank = 3, row = 9, name = 5)
      permit(q, open = true, column = true, activate = false, precharge = false)
      q.io.column.valid.expect(false)
      q.io.activated.valid.poke(true)
      q.io.activated.bits.rank.poke(1)
      q.io.activated.bits.bank.poke(3)
      q.io.activated.bits.row.poke(8)
      q.clock.step()
      q.io.column.valid.expect(false)
      q.io.activated.bits.row.poke(9)
      q.clock.step()
      q.io.activated.valid.poke(false)
      q.io.column.valid.expect(true)
      q.io.closed.poke(1 << (4 + 3))
      q.clock.step()
      q.io.closed.poke(0)
      q.io.column.valid.expect(false)
    }
  }

  it("tells hit, miss and conflict apart") {
    simulate(queue) { q =>
      start(q)
      def outcomeOf(precharged: Boolean, activated: Boolean): RowOutcome.Type = {
        push(q, rank = 0, bank = 0, row = 1, name = 1, hit = !activated)
        if (precharged) {
          permit(q, open = true, column = false, activate = false, precharge = true)
          q.io.precharge.valid.expect(true)
          q.io.precharge.ready.poke(true)
          q.clock.step()
          q.io.precharge.ready.poke(false)
        }
        if (activated) {
          permit(q, open = false, column = false, activate = true, precharge = false)
          q.io.activate.valid.expect(true)
          q.io.activate.ready.poke(true)
          q.clock.step()
          q.io.activate.ready.poke(false)
          q.io.activated.valid.poke(true)
          q.io.activated.bits.rank.poke(0)
          q.io.activated.bits.bank.poke(0)
          q.io.activated.bits.row.poke(1)
          q.clock.step()
          q.io.activated.valid.poke(false)
        }
        permit(q, open = true, column = true, activate = false, precharge = false)
        val outcome = q.io.column.bits.outcome.peek()
        take(q)
        outcome
      }
      assert(outcomeOf(precharged = false, activated = false).litValue == RowOutcome.hit.litValue)
      assert(outcomeOf(precharged = false, activated = true).litValue == RowOutcome.miss.litValue)
      assert(outcomeOf(precharged = true, activated = true).litValue == RowOutcome.conflict.litValue)
    }
  }

  it("spares a row that others still hit, until the oldest access is urgent") {
    simulate(queue) { q =>
      start(q)
      push(q, rank = 0, bank = 0, row = 1, name = 1)
      push(q, rank = 0, bank = 0, row = 2, name = 2, hit = true)
      q.clock.step()
      permit(q, open = true, column = false, activate = false, precharge = true)
      q.io.precharge.valid.expect(false)
      var waited = 0
      while (!q.io.urgent.peek().litToBoolean) {
        q.clock.step()
        waited += 1
        assert(waited < 30)
      }
      assert(waited >= 10)
      q.io.precharge.valid.expect(true)
      q.io.precharge.bits.payload.expect(1)
      // younger hits of that bank wait now
      permit(q, open = true, column = true, activate = false, precharge = false)
      q.io.column.valid.expect(false)
    }
  }

  it("lets nobody pass an urgent access whose row is open") {
    simulate(queue) { q =>
      start(q)
      push(q, rank = 0, bank = 0, row = 1, name = 1, hit = true)
      push(q, rank = 1, bank = 1, row = 1, name = 2, hit = true)
      // bank 0 of rank 0 may not be read, the other may: without urgency the younger would pass
      permit(q, open = true, column = true, activate = false, precharge = false)
      q.io.permits.column.poke((1 << banks) - 2)
      q.io.column.valid.expect(true)
      q.io.column.bits.payload.expect(2)
      q.clock.step(20)
      q.io.urgent.expect(true)
      q.io.column.valid.expect(false)
      permit(q, open = true, column = true, activate = false, precharge = false)
      assert(take(q) == 1)
      q.io.urgent.expect(false)
      assert(take(q) == 2)
    }
  }

  it("holds nobody back for an urgent access whose rank is not served") {
    simulate(queue) { q =>
      start(q)
      push(q, rank = 0, bank = 0, row = 1, name = 1, hit = true)
      push(q, rank = 1, bank = 1, row = 1, name = 2, hit = true)
      q.io.served.poke(2)
      permit(q, open = true, column = true, activate = false, precharge = false)
      q.io.permits.column.poke(0xf0)
      q.clock.step(20)
      q.io.urgent.expect(true)
      q.io.column.valid.expect(true)
      q.io.column.bits.payload.expect(2)
      q.io.served.poke(3)
      q.io.column.valid.expect(false)
    }
  }

  it("keeps ages over random traffic, one in and one out per cycle") {
    val seed = System.nanoTime()
    info(s"seed $seed")
    val random = new scala.util.Random(seed)
    simulate(queue) { q =>
      start(q)
      permit(q, open = true, column = true, activate = false, precharge = false)
      val model = scala.collection.mutable.ArrayBuffer[Int]()
      var next  = 0
      for (_ <- 0 until 400) {
        val push = random.nextBoolean()
        q.io.enqueue.valid.poke(push)
        q.io.enqueue.ready.expect(model.size < depth)
        q.io.enqueue.bits.location.bank.poke(random.nextInt(4))
        q.io.enqueue.bits.location.rank.poke(random.nextInt(2))
        q.io.enqueue.bits.payload.poke(next % 16)
        q.io.enqueueHit.poke(true)
        val pop = random.nextBoolean()
        q.io.column.ready.poke(pop)
        q.io.column.valid.expect(model.nonEmpty)
        if (model.nonEmpty) q.io.column.bits.payload.expect(model.head)
        val accepted = push && model.size < depth
        if (pop && model.nonEmpty) model.remove(0)
        if (accepted) {
          model += next % 16
          next += 1
        }
        q.clock.step()
        q.io.level.expect(model.size)
      }
    }
  }

  it("finds a queued access by its location") {
    simulate(queue) { q =>
      start(q)
      push(q, rank = 0, bank = 2, row = 7, name = 3)
      push(q, rank = 1, bank = 2, row = 7, name = 4)
      val search = q.io.search(0)
      search.bank.poke(2)
      search.row.poke(7)
      search.column.poke(0)
      search.rank.poke(1)
      q.io.found(0).valid.expect(true)
      q.io.found(0).bits.expect(4)
      search.column.poke(1)
      q.io.found(0).valid.expect(false)
      search.column.poke(0)
      search.rank.poke(0)
      q.io.found(0).bits.expect(3)
    }
  }
}
