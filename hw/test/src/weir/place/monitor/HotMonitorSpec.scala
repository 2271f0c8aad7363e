// SPDX-License-Identifier: Apache-2.0
package weir.place.monitor

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.exceptions.TestFailedException
import org.scalatest.funspec.AnyFunSpec
import weir.Seed
import weir.config.{HotMonitoring, Presets, WeirConfig}

import scala.collection.mutable
import scala.util.Random

/** Accesses by chance against counts that are kept here; the numbers of memory are written down here. */
class HotMonitorSpec extends AnyFunSpec with ChiselSim {
  // 16 superpages of 512 pages, of which the upper eight are the region
  private val base           = Presets.all("test-hot-monitor")
  private val firstSuperpage = 8
  private val superpages     = 8
  private val slots          = 3
  private val records        = 16

  private def sharing(hashed: Boolean): WeirConfig =
    base.copy(hotMonitoring =
      Some(HotMonitoring(slots, superpageCounters = Some(4), hashed = hashed, hotList = records))
    )

  private class Bench(val config: WeirConfig) extends Module {
    protected val monitor: HotMonitor = Module(new HotMonitor(config))

    val io = IO(chiselTypeOf(monitor.io))
    io <> monitor.io
  }

  /** Broken: of a read and a write in the same cycle only the read is seen. */
  private class LosesOneOfTwo(config: WeirConfig) extends Bench(config) {
    monitor.io.accesses(1).valid := io.accesses(1).valid && !io.accesses(0).valid
  }

  /** Broken: writes of superpages count as reads do. */
  private class IgnoresWeight(config: WeirConfig) extends Bench(config) {
    monitor.io.port.superpageWriteWeight := 1.U
  }

  /** Broken: pages are taken for hot one access early. */
  private class HotTooEarly(config: WeirConfig) extends Bench(config) {
    monitor.io.port.threshold := io.port.threshold - 1.U
  }

  /** Broken: an interval ends a cycle late. */
  private class EndsLate(config: WeirConfig) extends Bench(config) {
    monitor.io.port.interval := io.port.interval + 1.U
  }

  private case class Settings(
      interval: Int,
      superpageWeight: Int = 1,
      pageWeight: Int = 1,
      threshold: Int = 40,
      redirected: Boolean = false,
      chosen: Seq[Int] = Seq(9, 15, 9)
  )

  /** @param both   how often a read and a write come at once, of ten cycles; unless always, none comes in the next
    * @param single how often one of them comes
    */
  private case class Load(both: Int, single: Int)

  private class Run(bench: Bench, settings: Settings, random: Random) {
    private val io   = bench.io
    private val port = bench.io.port

    val ofSuperpage     = mutable.Map.empty[Int, Long].withDefaultValue(0)
    val ofPage          = mutable.Map.empty[Int, Long].withDefaultValue(0)
    val hot             = mutable.Buffer.empty[(Int, Long)]
    var accesses        = 0
    var uncounted       = 0
    private var counted = 0
    private var endings = 0

    private def high(bit: Bool)  = bit.peek().litToBoolean
    private def number(of: UInt) = of.peek().litValue.toInt

    port.superpages.poke(true)
    port.pages.poke(true)
    port.periodic.poke(false)
    port.redirected.poke(settings.redirected)
    port.interval.poke(settings.interval)
    port.superpageWriteWeight.poke(settings.superpageWeight)
    port.pageWriteWeight.poke(settings.pageWeight)
    port.threshold.poke(settings.threshold)
    port.listLevel.poke(1)
    port.data.read.poke(false)
    port.stop.poke(false)
    port.start.poke(false)
    port.listOverflowed.clear.poke(false)
    for (access <- io.accesses) access.valid.poke(false)
    for ((superpage, slot) <- settings.chosen.zipWithIndex) {
      port.chosen.poke(true)
      bench.clock.step()
      // the registers hold what was written a cycle later
      port.chosen.poke(false)
      port.slot.value.poke(slot)
      port.superpage.poke(superpage)
      port.holds.poke(true)
      bench.clock.step()
    }

    private def count(page: Int, write: Boolean): Unit = {
      accesses += 1
      ofSuperpage(page / 512) += (if (write) settings.superpageWeight else 1)
      if (settings.chosen.contains(page / 512)) {
        val before = ofPage(page)
        ofPage(page) += (if (write) settings.pageWeight else 1)
        if (before < settings.threshold && ofPage(page) >= settings.threshold) hot += ((page, ofPage(page)))
      }
    }

    /** Runs an interval under load, from before its start until a while after its end. */
    def interval(load: Load): Unit = {
      // the first of them most often
      val few = settings.chosen.map(512 * _ + random.nextInt(512)) ++
        Seq.fill(30)(512 * firstSuperpage + random.nextInt(512 * superpages))
      var cycle   = 0
      var restful = 0
      var pair    = false
      while (restful < 40) {
        val state = port.state.peek().litValue.toInt
        // the interval begins a cycle later, with what was written
        port.start.poke(cycle == 4)
        val which = if (pair && load.both < 10) 10 else random.nextInt(10)
        pair = which < load.both
        val single = random.nextInt(2)
        for (way <- 0 until 2) {
          val comes = pair || which < load.both + load.single && way == single
          io.accesses(way).valid.poke(comes)
          if (comes) {
            val page       = few(random.nextInt(random.nextInt(few.size) + 1))
            val write      = way == 1
            val redirected = random.nextInt(4) == 0
            io.accesses(way).bits.page.poke(page)
            io.accesses(way).bits.write.poke(write)
            io.accesses(way).bits.redirected.poke(redirected)
            if (!redirected || settings.redirected) {
              if (state == 2) count(page, write)
              else if (cycle > 5) uncounted += 1
            }
          }
        }
        if (state == 2) counted += 1
        if (cycle > 5 && state == 0) restful += 1
        if (high(port.ended)) endings += 1
        bench.clock.step()
        cycle += 1
      }
      for (access <- io.accesses) access.valid.poke(false)
      assert(counted == settings.interval && endings == 1, s"$counted cycles were counted and $endings intervals ended")
    }

    def dropped: Int = number(port.dropped)

    def word(store: Int, word: Int): Long = {
      port.data.read.poke(true)
      port.store.poke(store)
      port.word.value.poke(word)
      bench.clock.step()
      port.data.read.poke(false)
      assert(high(port.data.answer.valid) && high(port.data.answer.bits.there), s"word $word of store $store")
      port.data.answer.bits.word.peek().litValue.toLong
    }

    /** The counters of superpages and of pages. */
    def counters(store: Int, words: Int): Seq[Long] =
      (0 until words).flatMap { number =>
        val both = word(store, number)
        Seq(both & 0xffff, both >> 16)
      }

    def list(from: Int): Seq[(Int, Long)] =
      Iterator
        .iterate(from)(record => (record + 1) % records)
        .takeWhile(_ != number(port.listTail))
        .map(record => (word(2, 2 * record).toInt, word(2, 2 * record + 1)))
        .toSeq

    def tail: Int = number(port.listTail)

    def expectUncounted(): Unit = assert(number(port.uncounted) == uncounted, "uncounted accesses")

    def expectCounters(index: Int => Int, superpageCounters: Int): Unit = {
      assert(dropped == 0)
      expectUncounted()
      val expected = Array.fill(superpageCounters)(0L)
      for ((superpage, count) <- ofSuperpage) expected(index(superpage - firstSuperpage)) += count
      val read = counters(0, superpageCounters / 2)
      for (number <- expected.indices) assert(read(number) == expected(number).min(65535), s"superpage counter $number")
      val pages = counters(1, 256 * slots)
      for (slot <- 0 until slots; page <- 0 until 512) {
        val superpage = settings.chosen(slot)
        val expected  = if (settings.chosen.indexOf(superpage) < slot) 0L else ofPage(512 * superpage + page)
        assert(pages(512 * slot + page) == expected, s"page $page in slot $slot")
      }
    }
  }

  private def low(number: Int)    = number % 4
  private def folded(number: Int) = number % 4 ^ number / 4

  /** Several intervals, each compared as a whole. */
  private def check(index: Int => Int, superpageCounters: Int)(bench: Bench): Unit = {
    val seed = Seed.value
    info(s"seed $seed")
    val random = new Random(seed)
    var head   = 0
    bench.io.port.listHead.poke(0)
    // one access in a cycle at most: hot pages come in the order in which they become it
    for (redirected <- Seq(false, true)) {
      val settings =
        Settings(interval = 1500, superpageWeight = 1 + random.nextInt(31), pageWeight = 7, redirected = redirected)
      val run = new Run(bench, settings, random)
      run.interval(Load(both = 0, single = 9))
      run.expectCounters(index, superpageCounters)
      assert(run.hot.size > 2)
      assert(run.list(head) == run.hot.toSeq.take(records - 1), "hot pages")
      head = run.tail
      bench.io.port.listHead.poke(head)
    }
    // two in a cycle now and then, whose order does not count
    val run = new Run(bench, Settings(interval = 2000, chosen = Seq(15, 8, 12)), random)
    run.interval(Load(both = 3, single = 3))
    run.expectCounters(index, superpageCounters)
    val listed = run.list(head)
    assert(listed.toSet.subsetOf(run.hot.toSet) && listed.size == run.hot.size.min(records - 1), "hot pages")
    bench.io.port.listHead.poke(run.tail)
    // and always two, of which not all can be counted
    val full = new Run(bench, Settings(interval = 1000, chosen = Seq(8, 9, 10)), random)
    full.interval(Load(both = 10, single = 0))
    full.expectUncounted()
    assert(full.dropped > 400 && full.counters(0, superpageCounters / 2).sum + full.dropped == full.accesses)
  }

  private def individual(number: Int) = number

  it("counts superpages, pages of chosen ones, and lists the hot") {
    simulate(new Bench(base))(check(individual, superpages))
  }

  it("counts superpages in few counters by the low bits of their numbers") {
    simulate(new Bench(sharing(hashed = false)))(check(low, 4))
  }

  it("counts superpages in few counters by a hash of their numbers") {
    simulate(new Bench(sharing(hashed = true)))(check(folded, 4))
  }

  /** The complaint about a broken design. */
  private def complaint(broken: => Bench, index: Int => Int, superpageCounters: Int): String =
    intercept[TestFailedException](simulate(broken)(check(index, superpageCounters))).getMessage

  it("is found to be broken where superpages share counters in another way") {
    assert(complaint(new Bench(sharing(hashed = true)), low, 4).contains("superpage counter"))
  }

  it("is found to be broken where one of two accesses in a cycle is lost") {
    assert(complaint(new LosesOneOfTwo(base), individual, superpages).contains("uncounted accesses"))
  }

  it("is found to be broken where writes of superpages have no weight") {
    assert(complaint(new IgnoresWeight(base), individual, superpages).contains("superpage counter"))
  }

  it("is found to be broken where pages are listed an access early") {
    assert(complaint(new HotTooEarly(base), individual, superpages).contains("hot pages"))
  }

  it("is found to be broken where an interval ends a cycle late") {
    assert(complaint(new EndsLate(base), individual, superpages).contains("1501 cycles were counted"))
  }
}
