// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.channel.{ChannelConfigs, RankOperation}
import weir.config.WeirConfig
import weir.{LongRun, Seed}

import scala.collection.mutable.ArrayBuffer
import scala.util.Random

/** Each policy by what its rank sees, and all of them, changed at any time, by what JEDEC asks ([[RefreshJudge]]). */
class RefresherSpec extends AnyFunSpec with ChiselSim {

  /** tREFI in cycles. */
  private val interval = 400

  private def config(ranks: Int): WeirConfig = {
    val ddr4 = ChannelConfigs.ddr4
    ddr4.copy(
      geometry = ddr4.geometry.copy(ranks = ranks),
      timing = ddr4.timing.copy(tREFI = interval * ddr4.phy.phases, tRFC = 60, tRFC2 = 40, tRFC4 = 20),
      policies = ddr4.policies.copy(beyondJedec = true)
    )
  }

  private case class Done(cycle: Int, rank: Int, quarters: Int)

  /** A refresher with its banks ready at once, and what comes of it. */
  private class Bench(val dut: Refresher, ranks: Int) {
    var cycle      = 0
    val done       = ArrayBuffer[Done]()
    val first      = ArrayBuffer[(Int, BigInt)]()
    var watchFirst = false
    val judges     = Seq.fill(ranks)(new RefreshJudge(interval))
    val wrong      = ArrayBuffer[String]()
    private var g  = 0

    private val control = dut.io.control
    control.refresh.postpone.poke(8)
    control.refresh.pullIn.poke(8)
    control.refresh.idle.poke(4)
    control.refresh.drainAhead.poke(0)
    dut.io.constraints.refreshInterval.poke(interval)
    dut.io.constraints.refreshToActivate.poke(30)
    dut.io.constraints.halfRefreshToActivate.poke(20)
    dut.io.constraints.quarterRefreshToActivate.poke(10)
    dut.io.constraints.calibrateToActivate.poke(20)
    dut.io.constraints.refreshesToCalibrate.poke(0)
    dut.io.constraints.prechargeToRefresh.poke(6)
    dut.io.command.ready.poke(true)
    granularity(1)
    for (rank <- 0 until ranks) {
      set(rank, idle = false)
      dut.io.activity(rank).prechargeable.poke(true)
    }

    def policy(policy: RefreshPolicy): Unit = control.refresh.policy.poke(policy.code)
    def postpone(count: Int): Unit          = control.refresh.postpone.poke(count)
    def pullIn(count: Int): Unit            = control.refresh.pullIn.poke(count)
    def idleStep(cycles: Int): Unit         = control.refresh.idle.poke(cycles)
    def drainAhead(cycles: Int): Unit       = control.refresh.drainAhead.poke(cycles)
    def tREFI(cycles: Int): Unit            = dut.io.constraints.refreshInterval.poke(cycles)
    def granularity(parts: Int): Unit       = {
      g = parts
      control.refresh.granularity.poke(Map(1 -> 0, 2 -> 1, 4 -> 2)(parts))
    }
    def set(rank: Int, idle: Boolean, busy: Boolean = false): Unit = {
      dut.io.activity(rank).idle.poke(idle)
      dut.io.activity(rank).busy.poke(busy)
    }
    def setAll(idle: Boolean, busy: Boolean = false): Unit = for (rank <- 0 until ranks) set(rank, idle, busy)
    def ready(value: Boolean): Unit                        = dut.io.command.ready.poke(value)
    def prechargeable(rank: Int, value: Boolean): Unit     = dut.io.activity(rank).prechargeable.poke(value)

    /** @param parts a refresh in parts is known by this granularity, that of the DRAM's mode register */
    def elapse(cycles: Int, parts: Int = g): Unit = for (_ <- 0 until cycles) {
      val fires = dut.io.command.valid.peek().litToBoolean && dut.io.command.ready.peek().litToBoolean
      val isOne = fires && dut.io.command.bits.operation.peek().litValue == RankOperation.refresh.litValue
      if (isOne) {
        val rank     = if (ranks == 1) 0 else dut.io.command.bits.rank.peek().litValue.toInt
        val quarters = if (dut.io.command.bits.part.peek().litToBoolean) 4 / parts else 4
        done += Done(cycle, rank, quarters)
        wrong ++= judges(rank).refresh(cycle, quarters)
      }
      if (watchFirst) first += cycle -> dut.io.first.peek().litValue
      wrong ++= judges.flatMap(_.absent(cycle))
      dut.clock.step()
      cycle += 1
    }

    def of(rank: Int, since: Int = 0): Seq[Done]  = done.filter(each => each.rank == rank && each.cycle >= since).toSeq
    def gaps(rank: Int, since: Int = 0): Seq[Int] =
      of(rank, since).map(_.cycle).sliding(2).collect { case Seq(a, b) => b - a }.toSeq
    def legal(): Unit = assert(wrong.isEmpty, wrong.take(3).mkString("; "))
  }

  /** Each of the bodies on a refresher that comes out of reset. */
  private def bench(ranks: Int)(bodies: (Bench => Any)*): Unit =
    simulate(new Refresher(config(ranks))) { dut =>
      for (body <- bodies) {
        dut.reset.poke(true)
        dut.clock.step()
        dut.reset.poke(false)
        body(new Bench(dut, ranks))
      }
    }

  /** What is wrong when a busy rank that owes eight refreshes gets idle, and may pull in eight.
    *
    * @param made for a part of which tREFI is so much
    */
  private def burst(made: Int): Seq[String] = {
    val ours  = config(1)
    val other = ours.copy(timing = ours.timing.copy(tREFI = made * ours.phy.phases))
    var found = Seq[String]()
    simulate(new Refresher(other)) { dut =>
      val bench = new Bench(dut, 1)
      bench.policy(Elastic)
      bench.idleStep(1)
      bench.elapse(8 * interval)
      bench.setAll(idle = true)
      bench.elapse(3 * interval)
      found = bench.wrong.toSeq
    }
    found
  }

  for (ranks <- Seq(1, 2, 4))
    it(
      s"staggers $ranks ranks by equal shares of tREFI, whether they are idle or not",
      LongRun.unless(ranks == 4): _*
    ) {
      bench(ranks) { bench =>
        import bench._
        policy(Staggered)
        for (idle <- Seq(true, false)) {
          setAll(idle)
          elapse(4 * interval)
        }
        legal()
        for (rank <- 0 until ranks) assert(gaps(rank).forall(_ == interval), s"rank $rank: ${gaps(rank)}")
        for (Seq(early, late) <- done.toSeq.sliding(2)) {
          assert(late.rank == (early.rank + 1) % ranks)
          assert(late.cycle - early.cycle == interval / ranks)
        }
      }
    }

  it("refreshes all ranks at once") {
    bench(4) { bench =>
      import bench._
      policy(Simultaneous)
      elapse(8 * interval)
      legal()
      val groups = done.toSeq.grouped(4).filter(_.size == 4).toSeq
      assert(groups.size >= 7)
      for (group <- groups) {
        assert(group.map(_.rank).toSet.size == 4)
        assert(group.last.cycle - group.head.cycle < 8)
      }
    }
  }

  it("defers until empty: a refresh in each interval of an idle rank, and only what is forced of a busy one") {
    bench(2)(Seq(1, 3, 8).map(limit => { bench: Bench =>
      import bench._
      policy(DeferUntilEmpty)
      postpone(limit)
      set(0, idle = true)
      elapse(12 * interval)
      legal()
      assert(gaps(0).forall(_ == interval))
      assert(of(1).head.cycle >= (limit - 1) * interval && of(1).head.cycle < limit * interval)
      assert(gaps(1).forall(_ == interval))
      // all that is owed is paid when the rank gets idle
      set(1, idle = true)
      elapse(interval)
      legal()
      assert((of(1).size - of(0).size).abs <= 1)
    }): _*)
  }

  it("elastic: waits longer the less is owed, pulls in what it may, and forces what it must") {
    bench(1)(Seq(0, 2, 8).map(limit => { bench: Bench =>
      import bench._
      policy(Elastic)
      pullIn(limit)
      setAll(idle = true)
      elapse(3 * interval)
      legal()
      val ahead = of(0).size - 3
      assert(ahead == limit || ahead == limit - 1, s"$ahead pulled in")
      // those that come before the first falls due: each a step later than the one before
      val early = of(0).map(_.cycle).takeWhile(_ < interval - 100)
      if (limit == 8) {
        assert(early.size >= 3)
        val waits = early.sliding(2).collect { case Seq(a, b) => b - a }.toSeq
        assert(waits.forall(_ >= 30))
        assert(early.head >= 8 * 4 - 4)
      }
      // a busy rank postpones, for as long as the next refresh may be away, and for longer what was pulled in
      setAll(idle = false)
      val since = cycle
      elapse((8 + limit + 4) * interval)
      legal()
      assert(of(0, since).head.cycle - since > 6 * interval)
      val busy = gaps(0, since)
      assert((busy.last - interval).abs <= 2)
      assert(busy.count(_ > interval + 2) == Map(0 -> 0, 2 -> 1, 8 -> 2)(limit), busy)
    }): _*)
  }

  it("is found out when two refreshes of a rank that was ahead are more than nine tREFI apart") {
    val judge = new RefreshJudge(interval)
    for (cycle <- 0 until 8) assert(judge.refresh(cycle, 4).isEmpty)
    assert(judge.absent(7 + 9 * interval).isEmpty)
    assert(judge.absent(8 + 9 * interval).exists(_.contains(s"more than ${9 * interval}")))
    // of quarters 33, each of which is due as long after the last
    val quarters = new RefreshJudge(interval)
    for (cycle <- 0 until 8; part <- 0 until 4) assert(quarters.refresh(4 * cycle + part, 1).isEmpty)
    assert(quarters.absent(31 + 33 * interval / 4).isEmpty)
    assert(quarters.absent(32 + 33 * interval / 4).exists(_.contains(s"more than ${33 * interval / 4}")))
  }

  it("elastic: an idle time that is interrupted counts anew") {
    bench(1) { bench =>
      import bench._
      policy(Elastic)
      idleStep(20)
      // never idle for the eight steps that a rank which owes nothing waits
      for (_ <- 0 until 6) {
        setAll(idle = true)
        elapse(60)
        setAll(idle = false)
        elapse(2)
      }
      assert(done.isEmpty)
      setAll(idle = true)
      elapse(8 * 20 + 20)
      assert(done.nonEmpty)
    }
  }

  for (ranks <- Seq(1, 2, 4))
    it(
      s"fine granularity: two and four times as many refreshes, of $ranks ranks in turn",
      LongRun.unless(ranks == 4): _*
    ) {
      bench(ranks)(Seq(2, 4).map(parts => { bench: Bench =>
        import bench._
        granularity(parts)
        policy(FineGranularity)
        elapse(6 * interval)
        legal()
        assert(done.forall(_.quarters == 4 / parts))
        for (rank <- 0 until ranks)
          assert(gaps(rank).drop(4).forall(gap => (gap - interval / parts).abs <= 4), gaps(rank))
        val settled = done.toSeq.filter(_.cycle > 2 * interval)
        if (ranks > 1) for (Seq(early, late) <- settled.sliding(2)) assert(late.cycle - early.cycle > 10)
      }): _*)
    }

  it("adaptive: whole refreshes of a busy rank, parts of the others") {
    bench(2) { bench =>
      import bench._
      granularity(4)
      policy(Adaptive)
      set(0, idle = false, busy = true)
      elapse(6 * interval)
      legal()
      assert(of(0).forall(_.quarters == 4) && of(1).forall(_.quarters == 1))
      set(0, idle = false)
      set(1, idle = false, busy = true)
      val since = cycle
      elapse(4 * interval)
      legal()
      // at most one refresh in parts is ended
      assert(of(0, since + interval).forall(_.quarters == 1))
      assert(of(1, since + interval).forall(_.quarters == 4))
    }
  }

  it("pauses between parts while accesses wait, and ends the refresh when they are gone") {
    bench(1) { bench =>
      import bench._
      granularity(4)
      policy(Pausing)
      setAll(idle = true)
      while (done.isEmpty) elapse(1)
      setAll(idle = false)
      elapse(100)
      assert(done.size == 1)
      setAll(idle = true)
      elapse(60)
      assert(done.size == 4 && done.forall(_.quarters == 1))
      // unpaused parts follow one another at once
      assert(gaps(0).drop(1).forall(_ == 10))
      // a busy rank is not refreshed before it must
      setAll(idle = false)
      elapse(10 * interval)
      legal()
      assert(done(4).cycle - done(3).cycle > 6 * interval)
    }
  }

  it("none: never refreshes, and owes nothing for it") {
    bench(2) { bench =>
      import bench._
      policy(NoRefresh)
      setAll(idle = true)
      elapse(12 * interval)
      assert(done.isEmpty)
      policy(Staggered)
      elapse(interval + 20)
      assert(done.size == 2)
    }
  }

  it("says ahead of time which rank's accesses should go first") {
    bench(2) { bench =>
      import bench._
      policy(Staggered)
      watchFirst = true
      drainAhead(40)
      elapse(4 * interval)
      for (Done(at, rank, _) <- done.filter(_.cycle > interval)) {
        val before = first.filter { case (cycle, ranks) => cycle > at - 100 && cycle <= at && ranks.testBit(rank) }
        assert(before.size >= 38 && before.size <= 60, s"rank $rank at $at: ${before.size} cycles")
      }
      assert(first.count(_._2 != 0) < 12 * 60)
      drainAhead(0)
      val since = cycle
      elapse(2 * interval)
      assert(first.filter(_._1 > since + 4).count(_._2 != 0) <= 4 * 16)
    }
  }

  it("never refreshes more than 16 times in two tREFI; made for a shorter tREFI it does, and is found") {
    assert(burst(interval).isEmpty)
    assert(burst(interval / 4).exists(_.contains("in two tREFI")))
  }

  it("is found when it postpones more than eight, and when its parts are not the DRAM's") {
    bench(1)(
      { bench =>
        bench.policy(DeferUntilEmpty)
        bench.postpone(10)
        bench.elapse(9 * interval + 60)
        assert(bench.wrong.exists(_.contains("are owed")))
      },
      { bench =>
        bench.granularity(2)
        bench.policy(FineGranularity)
        bench.elapse(3 * interval, parts = 4)
        bench.policy(Staggered)
        bench.elapse(3 * interval, parts = 4)
        assert(bench.wrong.exists(_.contains("end a refresh in parts")))
      }
    )
  }

  /** Changes of everything, at any time; before these, refreshes in parts and whole ones, which chance may leave out. */
  private def storm(bench: Bench, ranks: Int, parts: Int, random: Random): Unit = {
    import bench._
    val policies = RefreshPolicy.all.filter(_.refreshes)
    granularity(parts)
    for (first <- Seq(FineGranularity, Staggered)) {
      policy(first)
      elapse(2 * interval, parts)
    }
    for (_ <- 0 until 120) {
      random.nextInt(8) match {
        case 0 => postpone(1 + random.nextInt(8))
        case 1 => pullIn(random.nextInt(9))
        case 2 => idleStep(1 + random.nextInt(60))
        case 3 => tREFI(interval / 4 + random.nextInt(interval * 3 / 4 + 1))
        case 4 => drainAhead(random.nextInt(200))
        case 5 => granularity(if (random.nextBoolean()) 1 else parts)
        case _ => policy(policies(random.nextInt(policies.size)))
      }
      if (random.nextInt(4) == 0) tREFI(interval)
      for (rank <- 0 until ranks) set(rank, random.nextInt(3) == 0, random.nextBoolean())
      val length = if (random.nextInt(10) == 0) random.nextInt(5 * interval) else random.nextInt(interval / 2)
      ready(random.nextInt(8) != 0)
      elapse(length.min(20), parts)
      ready(true)
      elapse(length, parts)
    }
  }

  /** Lets ranks run ahead; then keeps rank 0 busy for ten tREFI under other policies, in which the others may be idle.
    *
    * @param closing cycles that it takes to close a rank: most of a tREFI, less a refresh and what the refresher takes
    */
  private def holdOut(bench: Bench, parts: Int, random: Random)(policies: => RefreshPolicy): Unit = {
    import bench._
    val closing = interval - 100
    granularity(parts)
    policy(Elastic)
    setAll(idle = true)
    elapse(5 * interval / 2, parts)
    // only whole refreshes leave so much time between two
    granularity(1)
    val until = cycle + 10 * interval
    setAll(idle = random.nextBoolean())
    set(0, idle = false, busy = random.nextBoolean())
    var blocked = 0
    policy(policies)
    while (cycle < until) {
      if (random.nextInt(2000) == 0) policy(policies)
      // row cycles without end, and a rank that is to be refreshed is closed as late as it may be
      val wanted = dut.io.blocks.peek().litValue.testBit(0)
      blocked = if (wanted) blocked + 1 else 0
      prechargeable(0, blocked > closing)
      elapse(1, parts)
    }
    prechargeable(0, value = true)
    elapse(60, parts)
  }

  it("is never later than JEDEC lets it, from a policy that is ahead to any other, whole or in parts") {
    val seed = Seed.value
    info(s"seed $seed")
    val policies = RefreshPolicy.all.filter(_.refreshes)
    bench(2)(Seq(1, 2, 4).map(parts => { bench: Bench =>
      val random = new Random(seed)
      bench.idleStep(1)
      for (other <- policies) holdOut(bench, parts, random)(other)
      holdOut(bench, parts, random)(policies(random.nextInt(policies.size)))
      withClue(s"seed $seed, parts of ${parts}x: ")(bench.legal())
    }): _*)
  }

  for (ranks <- Seq(1, 2, 4))
    it(
      s"keeps what JEDEC asks through changes of all registers, $ranks ranks, parts of 2x and of 4x",
      LongRun.unless(ranks == 4): _*
    ) {
      val seed = Seed.value
      info(s"seed $seed")
      bench(ranks)(Seq(2, 4).map(parts => { bench: Bench =>
        storm(bench, ranks, parts, new Random(seed))
        withClue(s"seed $seed: ")(bench.legal())
        assert(bench.done.exists(_.quarters < 4) && bench.done.exists(_.quarters == 4))
      }): _*)
    }
}
