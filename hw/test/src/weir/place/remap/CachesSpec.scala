// SPDX-License-Identifier: Apache-2.0
package weir.place.remap

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funspec.AnyFunSpec
import weir.config.{Presets, WeirConfig}
import weir.{LongRun, Packed, PackedBench}

import scala.collection.mutable
import scala.util.Random

/** The caches of remapping, each against a model of what a cache of its shape holds, and of the table in memory. */
class CachesSpec extends AnyFunSpec with ChiselSim {
  private val seed = sys.env.getOrElse("WEIR_SEED", "1").toInt

  /** Sets whose ways are filled in turn. */
  private class InTurn(sets: Int, ways: Int) {
    private val keys             = Array.fill(sets, ways)(-1)
    private val next             = Array.fill(sets)(0)
    def holds(key: Int): Boolean = keys(key % sets).contains(key)
    def bring(key: Int): Unit    = if (!holds(key)) {
      val set = key % sets
      keys(set)(next(set)) = key
      next(set) = (next(set) + 1) % ways
    }
    def drop(key: Int): Unit = if (holds(key)) keys(key % sets)(keys(key % sets).indexOf(key)) = -1
  }

  /** What becomes of lines on their way: one of so many is lost, or none, and the cache is told of it. */
  private case class Losses(oneOf: Int = 0, told: Boolean = true)

  /** Memory that answers reads after a while, in any order, and accepts writes. */
  private class Memory(bench: PackedBench, random: Random, lineBytes: Int, losses: Losses) {
    val bytes            = mutable.Map.empty[BigInt, Int].withDefaultValue(0)
    var reads            = 0
    var lost             = 0 // lines that the cache was told are lost
    private val away     = mutable.ArrayBuffer.empty[(BigInt, BigInt, Int)]
    private var accepted = 0

    def drive(): Unit = {
      bench.set("memory.reads.ready", random.nextInt(2))
      bench.set("memory.writes.ready", random.nextInt(2))
      bench.set("memory.accepted", if (accepted > 0 && random.nextInt(3) == 0) 1 else 0)
      val due  = away.indices.filter(away(_)._3 <= bench.cycle)
      val back = Option.when(due.nonEmpty)(away.remove(due(random.nextInt(due.size))))
      bench.set("memory.returns.valid", back.size)
      for ((line, tag, _) <- back) {
        val loses = losses.oneOf != 0 && random.nextInt(losses.oneOf) == 0
        if (loses && losses.told) lost += 1
        bench.set("memory.returns.bits.tag", tag)
        bench.set("memory.returns.bits.lost", if (loses && losses.told) 1 else 0)
        bench.set(
          "memory.returns.bits.data",
          if (loses) BigInt(8 * lineBytes, random)
          else (0 until lineBytes).map(at => BigInt(bytes(line * lineBytes + at)) << (8 * at)).sum
        )
      }
    }
    def watch(): Unit = {
      if (bench.driving("memory.accepted") == 1) accepted -= 1
      if (bench.high("memory.reads.valid") && bench.driving("memory.reads.ready") == 1) {
        reads += 1
        away += ((
          bench.get("memory.reads.bits.line"),
          bench.get("memory.reads.bits.tag"),
          bench.cycle + 2 + random.nextInt(9)
        ))
      }
      if (bench.high("memory.writes.valid") && bench.driving("memory.writes.ready") == 1) {
        accepted += 1
        val line = bench.get("memory.writes.bits.line")
        for (at <- 0 until lineBytes if bench.get("memory.writes.bits.strobe").testBit(at))
          bytes(line * lineBytes + at) = ((bench.get("memory.writes.bits.data") >> (8 * at)) & 255).toInt
      }
    }
  }

  private abstract class Run(config: WeirConfig, dut: Packed[_], tamper: PackedBench => Unit, losses: Losses) {
    protected val random    = new Random(seed)
    protected val bench     = new PackedBench(dut, tamper)
    protected val lineBytes = config.geometry.lineBytes
    protected val pageCount = (config.memoryBytes / 4096).toInt
    protected val first     = pageCount * config.nvm.get.firstRank / config.geometry.ranks
    protected val pages     = Seq.fill(24)(first + random.nextInt(pageCount - first))
    bench.reset()
    protected val memory = new Memory(bench, random, lineBytes, losses)

    protected def cycle(): Unit = {
      memory.drive()
      bench.settle()
      memory.watch()
      bench.step()
    }
    protected def until(signal: String): Unit = {
      var cycles = 0
      var done   = false
      while (!done) {
        memory.drive()
        bench.settle()
        memory.watch()
        done = bench.high(signal)
        if (!done) {
          bench.step()
          cycles += 1
          assert(cycles < 500, s"$signal never comes")
        }
      }
    }
    protected def clear(): Unit = {
      bench.set("clear", 1)
      cycle()
      bench.set("clear", 0)
      while ({ cycle(); bench.high("busy") }) {}
    }

    /** Looks a page up; whether it hit, with the outputs of the answer still to be read. */
    protected def lookup(page: Int): Boolean = {
      bench.set("lookup.page", page)
      until("lookup.free")
      bench.set("lookup.valid", 1)
      bench.settle()
      memory.watch()
      bench.step()
      bench.set("lookup.valid", 0)
      memory.drive()
      bench.settle()
      memory.watch()
      bench.high("lookup.hit")
    }

    /** Asks for a page on a way; leaves the outputs of the answer to be read. */
    protected def miss(page: Int, way: Int): Unit = {
      bench.set(s"misses.$way.request.bits", page)
      bench.set(s"misses.$way.request.valid", 1)
      until(s"misses.$way.request.ready")
      bench.step()
      bench.set(s"misses.$way.request.valid", 0)
      until(s"misses.$way.answer.valid")
    }
    protected def update(page: Int, frame: Option[Int]): Unit = {
      bench.set("updates.bits.page", page)
      bench.set("updates.bits.redirected", frame.size)
      bench.set("updates.bits.frame", BigInt(frame.getOrElse(0)))
      bench.set("updates.valid", 1)
      until("updates.ready")
      bench.step()
      bench.set("updates.valid", 0)
      until("updated")
      bench.step()
    }
  }

  private class Bitmaps(
      config: WeirConfig,
      dut: Packed[_],
      tamper: PackedBench => Unit = _ => (),
      losses: Losses = Losses()
  ) extends Run(config, dut, tamper, losses) {
    private val cache = new InTurn(config.remapping.get.bitmapSets, config.remapping.get.bitmapWays)
    private val bits  = mutable.Map.empty[Int, Boolean].withDefaultValue(false)
    private val base  = 9
    private def at(page: Int): (BigInt, Int) = {
      val index = page - first
      (BigInt(base * 4096 + index / 512 * 64 + index % 512 / 8), index % 8)
    }
    for (page <- pages if random.nextBoolean()) {
      bits(page) = true
      val (byte, bit) = at(page)
      memory.bytes(byte) = memory.bytes(byte) | 1 << bit
    }
    bench.set("base", base)
    clear()
    for (_ <- 0 until 300) {
      val page = pages(random.nextInt(pages.size))
      val hit  = lookup(page)
      assert(hit == cache.holds(page / 512), s"page $page (superpage ${page / 512}): hit is $hit")
      if (hit) assert(bench.high("lookup.found") == bits(page), s"page $page: the bit is not ${bits(page)}")
      bench.step()
      if (random.nextInt(4) == 0) {
        bits(page) = random.nextBoolean()
        update(page, Option.when(bits(page))(0))
        val (byte, bit) = at(page)
        assert((memory.bytes(byte) >> bit & 1) == bits(page).compare(false), s"page $page: the table was not written")
        cache.bring(page / 512)
      } else if (!hit || random.nextInt(4) == 0) {
        val (before, lostBefore) = (memory.reads, memory.lost)
        val way                  = random.nextInt(2)
        miss(page, way)
        assert(
          bench.high(s"misses.$way.answer.bits.found") == bits(page),
          s"page $page: the answer is not ${bits(page)}"
        )
        assert(bench.high(s"misses.$way.answer.bits.fetched") == !hit)
        // a bitmap of which a line was lost is read again, all of it
        val (read, lines) = (memory.reads - before, if (hit) 0 else 64 / lineBytes)
        val rounds        = if (hit) 0 else read / lines
        assert(read == rounds * lines, s"page $page: lines read")
        assert(hit || (rounds == 1) == (memory.lost == lostBefore), s"page $page: $rounds rounds of reads")
        bench.step()
        cache.bring(page / 512)
      }
    }
  }

  private class Pointers(
      config: WeirConfig,
      dut: Packed[_],
      table: Boolean,
      tamper: PackedBench => Unit = _ => (),
      losses: Losses = Losses()
  ) extends Run(config, dut, tamper, losses) {
    private val cache                  = new InTurn(config.remapping.get.pointerSets, config.remapping.get.pointerWays)
    private val frames                 = mutable.Map.empty[Int, Int]
    private val (base, least, count)   = (first + 700, 30, 20)
    private def store(page: Int): Unit = {
      val byte  = if (table) BigInt(base) * 4096 + (page - first) * 8 else BigInt(page) * 4096
      val value = (BigInt(1) << 63) + frames(page)
      for (at <- 0 until 8) memory.bytes(byte + at) = ((value >> (8 * at)) & 255).toInt
    }
    // some of them lead to no frame
    for (page <- pages) {
      frames(page) = least - 1 + random.nextInt(count + 2)
      store(page)
    }
    bench.set("control.table", if (table) 1 else 0)
    bench.set("control.pointerBase", base)
    bench.set("control.frameBase", least)
    bench.set("control.frameCount", count)
    clear()
    for (_ <- 0 until 300) {
      val page = pages(random.nextInt(pages.size))
      val bad  = frames(page) < least || frames(page) >= least + count
      val hit  = lookup(page)
      assert(hit == cache.holds(page), s"page $page: hit is $hit")
      if (hit) assert(bench.get("lookup.found") == frames(page), s"page $page: the pointer is not ${frames(page)}")
      bench.step()
      if (random.nextInt(4) == 0) {
        val moves = Option.when(random.nextBoolean())(least + random.nextInt(count))
        for (frame <- moves) {
          frames(page) = frame
          store(page)
        }
        update(page, moves)
        if (moves.nonEmpty) cache.bring(page) else cache.drop(page)
        assert(lookup(page) == moves.nonEmpty, s"page $page after an update to $moves")
        bench.step()
      } else if (!hit) {
        val (before, lostBefore) = (memory.reads, memory.lost)
        val way                  = random.nextInt(2)
        miss(page, way)
        assert(bench.high(s"misses.$way.answer.bits.found.bad") == bad, s"page $page: frame ${frames(page)}")
        if (!bad) {
          assert(bench.get(s"misses.$way.answer.bits.found.frame") == frames(page))
          cache.bring(page)
        }
        assert(memory.reads == before + 1 + memory.lost - lostBefore)
        bench.step()
      }
    }
  }

  for (name <- Seq("test-remapping", "test-remapping-x16")) {
    val config = Presets.all(name)
    val tags   = LongRun.unless(name == "test-remapping")
    describe(name) {
      it("keeps bitmaps as their table has them", tags: _*) {
        simulate(new PackedBitmaps(config))(dut => new Bitmaps(config, dut))
      }
      it("keeps pointers as memory has them", tags: _*) {
        simulate(new PackedPointers(config)) { dut =>
          for (table <- Seq(false, true)) new Pointers(config, dut, table)
        }
      }
      it("reads bitmaps again of which a line was lost on its way", tags: _*) {
        simulate(new PackedBitmaps(config))(dut => new Bitmaps(config, dut, losses = Losses(oneOf = 3)))
      }
      it("reads pointers again that were lost on their way", tags: _*) {
        simulate(new PackedPointers(config)) { dut =>
          for (table <- Seq(false, true)) new Pointers(config, dut, table, losses = Losses(oneOf = 3))
        }
      }
    }
  }

  private class PackedBitmaps(config: WeirConfig)
      extends Packed(new BitmapCache(config), (cache: BitmapCache) => cache.io)
  private class PackedPointers(config: WeirConfig)
      extends Packed(new PointerCache(config), (cache: PointerCache) => cache.io)

  describe("mutations") {
    val config                                       = Presets.all("test-remapping")
    def complains(text: String)(test: => Unit): Unit = {
      val error = intercept[TestFailedException](test)
      assert(error.getMessage.contains(text), error.getMessage)
    }

    it("finds a bitmap cache that never hits, and one that says the opposite") {
      simulate(new PackedBitmaps(config)) { dut =>
        complains("hit is false")(new Bitmaps(config, dut, _.replace("lookup.hit", 0)))
        complains("the bit is not")(
          new Bitmaps(config, dut, bench => bench.replace("lookup.found", 1 - bench.get("lookup.found")))
        )
        complains("the table was not written")(new Bitmaps(config, dut, _.replace("memory.writes.bits.strobe", 0)))
        complains("the answer is not")(new Bitmaps(config, dut, _.replace("memory.reads.bits.line", 0)))
      }
    }
    it("finds a cache that takes a lost line") {
      val untold = Losses(oneOf = 3, told = false)
      simulate(new PackedBitmaps(config))(dut =>
        complains("the answer is not")(new Bitmaps(config, dut, losses = untold))
      )
      simulate(new PackedPointers(config))(dut => complains("frame ")(new Pointers(config, dut, true, losses = untold)))
    }
    it("finds a stale pointer") {
      simulate(new PackedPointers(config)) { dut =>
        complains("the pointer is not")(
          new Pointers(config, dut, true, bench => if (bench.cycle > 1500) bench.replace("lookup.found", 31))
        )
        complains("frame ")(new Pointers(config, dut, true, _.replace("memory.reads.bits.line", 0)))
      }
    }
  }
}
