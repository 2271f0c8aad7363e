// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.Seed
import weir.config.WeirConfig

import scala.collection.mutable

class AccessQueueSpec extends AnyFunSpec with ChiselSim {
  private val fast  = ChannelConfigs.ddr3
  private val slow  = fast.registered
  private val depth = 4
  private val banks = fast.geometry.banks

  private type Queue = AccessQueue[UInt]
  private def queue(config: WeirConfig = fast) = new AccessQueue(config, depth, UInt(4.W))

  private def bankBit(rank: Int, bank: Int): BigInt = BigInt(1) << (rank * banks + bank)

  private def number(rank: Int, bank: Int): Int = rank * banks + bank

  private def start(q: Queue): Unit = {
    q.io.enqueue.valid.poke(false)
    q.io.enqueueHit.poke(false)
    q.io.occupied.poke(0)
    q.io.opens.valid.poke(false)
    q.io.closes.valid.poke(false)
    q.io.closesAll.poke(false)
    q.io.age.poke(false)
    q.io.served.poke(3)
    q.io.column.valid.poke(false)
    q.io.activate.valid.poke(false)
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

  /** Peeks at an output of the second step in the cycle of its input, or in the next. */
  private def step(q: Queue, output: => BigInt, atOnce: Boolean): BigInt = {
    val now = output
    q.clock.step()
    if (atOnce) now else output
  }

  /** Gives a bank a column command, and says which entry left with it. */
  private def take(q: Queue, rank: Int, bank: Int, atOnce: Boolean = true): BigInt = {
    q.io.column.valid.poke(true)
    q.io.column.bits.poke(number(rank, bank))
    val name = step(q, q.io.columnEntry.payload.peek().litValue, atOnce)
    q.io.column.valid.poke(false)
    name
  }

  /** Gives a bank an activate, and says for which row. */
  private def open(q: Queue, rank: Int, bank: Int, atOnce: Boolean = true): BigInt = {
    q.io.activate.valid.poke(true)
    q.io.activate.bits.poke(number(rank, bank))
    val row = step(q, q.io.activateRow.peek().litValue, atOnce)
    q.io.activate.valid.poke(false)
    row
  }

  /** Closes a bank, or all banks of its rank. */
  private def close(q: Queue, rank: Int, bank: Int, all: Boolean = false): Unit = {
    q.io.closes.valid.poke(true)
    q.io.closes.bits.poke(number(rank, bank))
    q.io.closesAll.poke(all)
    q.clock.step()
    q.io.closes.valid.poke(false)
  }

  private def age(q: Queue): Unit = {
    q.io.age.poke(true)
    q.clock.step()
    q.io.age.poke(false)
  }

  private def expect(q: Queue, hits: BigInt, misses: BigInt): Unit = {
    q.io.hits.expect(hits)
    q.io.misses.expect(misses)
  }

  it("tells banks with open and with other rows, and gives the oldest entry of a bank") {
    simulate(queue()) { q =>
      start(q)
      push(q, rank = 0, bank = 0, row = 1, name = 1)
      push(q, rank = 0, bank = 1, row = 2, name = 2, hit = true)
      push(q, rank = 1, bank = 2, row = 3, name = 3, hit = true)
      push(q, rank = 0, bank = 1, row = 2, name = 4, hit = true)
      expect(q, hits = bankBit(0, 1) | bankBit(1, 2), misses = bankBit(0, 0))
      q.io.level.expect(4)
      assert(take(q, 0, 1) == 2)
      push(q, rank = 0, bank = 1, row = 2, name = 5, hit = true)
      assert(take(q, 0, 1) == 4)
      assert(take(q, 0, 1) == 5)
      expect(q, hits = bankBit(1, 2), misses = bankBit(0, 0))
      q.io.rankLevel(0).expect(1)
      q.io.rankLevel(1).expect(1)
    }
  }

  it("counts what comes in the same cycle without a register, and in the next with one") {
    for (config <- Seq(fast, slow)) simulate(queue(config)) { q =>
      start(q)
      q.io.enqueue.valid.poke(true)
      q.io.enqueue.bits.location.bank.poke(3)
      q.io.enqueue.bits.location.rank.poke(1)
      val now = if (config == fast) bankBit(1, 3) else BigInt(0)
      q.io.enqueueHit.poke(true)
      expect(q, hits = now, misses = 0)
      q.io.enqueueHit.poke(false)
      expect(q, hits = 0, misses = now)
      q.clock.step()
      q.io.enqueue.valid.poke(false)
      expect(q, hits = 0, misses = bankBit(1, 3))
    }
  }

  it("opens the row of the oldest, takes up others of that row, and drops them when the bank is closed") {
    simulate(queue()) { q =>
      start(q)
      push(q, rank = 1, bank = 3, row = 9, name = 5)
      push(q, rank = 1, bank = 3, row = 8, name = 6)
      push(q, rank = 1, bank = 3, row = 9, name = 7)
      q.io.opens.valid.poke(true)
      q.io.opens.bits.poke(number(1, 3))
      q.io.openedRow.poke(9)
      assert(open(q, 1, 3) == 9)
      q.io.opens.valid.poke(false)
      expect(q, hits = bankBit(1, 3), misses = bankBit(1, 3))
      assert(take(q, 1, 3) == 5)
      assert(take(q, 1, 3) == 7)
      expect(q, hits = 0, misses = bankBit(1, 3))
      assert(open(q, 1, 3) == 8)
      close(q, 1, 3)
      expect(q, hits = 0, misses = bankBit(1, 3))
    }
  }

  it("drops the entries of a whole rank when all its banks are closed") {
    simulate(queue()) { q =>
      start(q)
      for ((rank, bank) <- Seq((0, 1), (1, 2), (1, 3))) push(q, rank, bank, row = 1, name = 0, hit = true)
      expect(q, hits = bankBit(0, 1) | bankBit(1, 2) | bankBit(1, 3), misses = 0)
      close(q, rank = 1, bank = 0, all = true)
      expect(q, hits = bankBit(0, 1), misses = bankBit(1, 2) | bankBit(1, 3))
    }
  }

  it("gives the row of the oldest with another row also where one lookup serves both commands") {
    simulate(queue(slow.copy(phy = ChannelConfigs.onePhase.phy))) { q =>
      start(q)
      push(q, rank = 0, bank = 1, row = 5, name = 1)
      push(q, rank = 0, bank = 1, row = 6, name = 2, hit = true)
      push(q, rank = 0, bank = 1, row = 7, name = 3)
      assert(take(q, 0, 1, atOnce = false) == 2)
      assert(open(q, 0, 1, atOnce = false) == 5)
      assert(take(q, 0, 1, atOnce = false) == 1)
      assert(open(q, 0, 1, atOnce = false) == 7)
    }
  }

  it("keeps a row open that others hit, until an older access of the bank has seen two ages") {
    simulate(queue()) { q =>
      start(q)
      push(q, rank = 0, bank = 0, row = 1, name = 1)
      age(q)
      push(q, rank = 0, bank = 0, row = 2, name = 2, hit = true)
      push(q, rank = 0, bank = 1, row = 2, name = 3, hit = true)
      expect(q, hits = bankBit(0, 0) | bankBit(0, 1), misses = bankBit(0, 0))
      q.io.urgent.expect(0)
      age(q)
      q.io.urgent.expect(1)
      q.clock.step()
      // bank 0 may be precharged now and younger hits of it wait, those of other banks do not
      expect(q, hits = bankBit(0, 1), misses = bankBit(0, 0))
      q.io.columns.expect(bankBit(0, 1))
      close(q, 0, 0)
      // once its row is open nobody passes it
      assert(open(q, 0, 0) == 1)
      q.clock.step()
      q.io.columns.expect(bankBit(0, 0))
      assert(take(q, 0, 0) == 1)
      q.io.urgent.expect(0)
      q.clock.step(2)
      q.io.columns.expect(bankBit(0, 1))
    }
  }

  it("holds nobody back for an urgent access whose rank is not served") {
    simulate(queue()) { q =>
      start(q)
      push(q, rank = 0, bank = 0, row = 1, name = 1, hit = true)
      push(q, rank = 1, bank = 1, row = 1, name = 2, hit = true)
      age(q)
      push(q, rank = 1, bank = 2, row = 1, name = 3, hit = true)
      q.io.served.poke(2)
      take(q, 1, 1)
      age(q)
      q.clock.step(2)
      q.io.urgent.expect(1)
      q.io.columns.expect(bankBit(0, 0) | bankBit(1, 2))
      q.io.served.poke(3)
      q.clock.step()
      q.io.columns.expect(bankBit(0, 0))
    }
  }

  for (config <- Seq(fast, slow))
    it(s"keeps the order within banks over random traffic, ${config.pipeline}") {
      val seed = Seed.value
      info(s"seed $seed")
      val random = new scala.util.Random(seed)
      simulate(queue(config)) { q =>
        start(q)
        val waiting = mutable.ArrayBuffer[(Int, Int)]() // bank over both ranks, name
        var next    = 0
        for (_ <- 0 until 500) {
          val bank = random.nextInt(2 * banks)
          val push = random.nextBoolean()
          q.io.enqueue.valid.poke(push)
          q.io.enqueue.ready.expect(waiting.size < depth)
          q.io.enqueue.bits.location.bank.poke(bank % banks)
          q.io.enqueue.bits.location.rank.poke(bank / banks)
          q.io.enqueue.bits.payload.poke(next % 16)
          q.io.enqueueHit.poke(true)
          val accepted = push && waiting.size < depth

          val leaving = Option.when(waiting.nonEmpty && random.nextBoolean())(
            waiting(random.nextInt(waiting.size))._1
          )
          q.io.column.valid.poke(leaving.nonEmpty)
          val gone = leaving.map { from =>
            q.io.column.bits.poke(from)
            val name = waiting.remove(waiting.indexWhere(_._1 == from))._2
            if (!config.pipeline.command) q.io.columnEntry.payload.expect(name)
            name
          }
          if (accepted) {
            waiting += bank -> next % 16
            next += 1
          }
          // what is left, and what comes where it counts at once
          val present = if (!config.pipeline.entry || !accepted) waiting else waiting.init
          q.io.hits.expect(present.map(entry => BigInt(1) << entry._1).foldLeft(BigInt(0))(_ | _))
          q.io.misses.expect(0)
          q.clock.step()
          if (config.pipeline.command) gone.foreach(name => q.io.columnEntry.payload.expect(name))
          q.io.level.expect(waiting.size)
        }
      }
    }

  it("finds a queued access by its location, and leaves occupied slots alone") {
    simulate(queue()) { q =>
      start(q)
      q.io.occupied.poke(1)
      q.io.next.expect(2)
      push(q, rank = 0, bank = 2, row = 7, name = 3)
      push(q, rank = 1, bank = 2, row = 7, name = 4)
      q.io.held.expect(6)
      val search = q.io.search
      search.bank.poke(2)
      search.row.poke(7)
      search.column.poke(0)
      search.rank.poke(1)
      q.io.found.expect(4)
      search.column.poke(1)
      q.io.found.expect(0)
      search.column.poke(0)
      search.rank.poke(0)
      q.io.found.expect(2)
    }
  }
}
