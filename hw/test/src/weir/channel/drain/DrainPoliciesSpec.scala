// SPDX-License-Identifier: Apache-2.0
package weir.channel.drain

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.channel.ChannelConfigs
import weir.config.Draining

import scala.collection.mutable
import scala.util.Random

/** The drain policies on traffic by chance: those between water marks against [[DrainModel]], turns in order of arrival
  * against a list of what came.
  */
class DrainPoliciesSpec extends AnyFunSpec with ChiselSim {
  private val config     = ChannelConfigs.ddr3 // two ranks, write queue 8, read queue 4
  private val writeQueue = config.policies.writeQueue
  private val readQueue  = config.policies.readQueue
  private val ranks      = config.geometry.ranks

  private val marked =
    for (
      shared                   <- Seq(false, true); together <- Seq(false, true);
      (atHighMark, readsAhead) <- Seq((false, false), (true, false), (false, true))
    ) yield Draining(shared, together, equalPriority = false, atHighMark, readsAhead)
  private val inTurns = Draining(equalPriority = true)

  private def control(drain: WriteDrain, draining: Draining): Unit = {
    drain.io.view.control.sharedMarks.poke(draining.sharedMarks)
    drain.io.view.control.together.poke(draining.together)
    drain.io.view.control.equalPriority.poke(draining.equalPriority)
    drain.io.view.control.atHighMark.poke(draining.atHighMark)
    drain.io.view.control.readsAhead.poke(draining.readsAhead)
  }

  private def model(draining: Draining, high: Int, low: Int): DrainModel =
    new DrainModel(
      draining.sharedMarks,
      draining.together,
      draining.atHighMark,
      draining.readsAhead,
      high,
      low,
      writeQueue,
      readQueue
    )

  private def show(drain: WriteDrain, seen: Seen): Unit = {
    val view = drain.io.view
    view.writes.zip(seen.writes).foreach { case (port, value) => port.poke(value) }
    view.cause.zip(seen.cause).foreach { case (port, value) => port.poke(value) }
    view.writesFull.poke(seen.full)
    view.reads.poke(seen.reads)
    view.readUrgent.poke(seen.readUrgent)
    view.readArrives.poke(seen.readArrives)
    view.readIssued.poke(seen.readIssued)
    view.writeIssued.poke(seen.writeIssued)
    view.writeUrgent.poke(seen.cause.contains(true))
  }

  /** First cycle in which the design and the model differ, with traffic of a seed. */
  private def difference(drain: WriteDrain, model: DrainModel, high: Int, low: Int, seed: Int): Option[Int] = {
    val random = new Random(seed)
    drain.io.view.control.highWaterMark.poke(high)
    drain.io.view.control.lowWaterMark.poke(low)
    drain.io.view.writeArrives.poke(false)
    val writes = Array.fill(ranks)(0)
    var reads  = 0
    var phase  = 0.5 // share of writes among what comes, for a while
    drain.reset.poke(true)
    drain.clock.step()
    drain.reset.poke(false)
    (0 until 600).find { cycle =>
      if (cycle % 50 == 0) phase = random.nextDouble()
      if (cycle % 200 == 100) reads = 0
      val writing     = (0 until ranks).map(rank => model.writing(rank, writes(rank)))
      val writer      = writing.indices.find(rank => writing(rank) && writes(rank) > 0)
      val issuesWrite = writer.isDefined && random.nextDouble() < 0.7
      val issuesRead  = !issuesWrite && reads > 0 && writing.contains(false) && random.nextDouble() < 0.5
      val comes       = random.nextDouble() < 0.6
      val isWrite     = random.nextDouble() < phase
      val readArrives = comes && !isWrite && reads < readQueue && cycle % 200 < 100
      val seen        = Seen(
        writes.toSeq,
        writes.sum == writeQueue,
        reads,
        reads > 0 && random.nextDouble() < 0.1,
        readArrives,
        writes.toSeq.map(_ > 0 && random.nextDouble() < 0.03),
        issuesRead,
        issuesWrite
      )
      show(drain, seen)
      val starts = model.step(seen)
      val agree  = (0 until ranks).forall(rank => drain.io.starts(rank).peek().litToBoolean == starts(rank))
      drain.clock.step()
      if (issuesWrite) writes(writer.get) -= 1
      if (issuesRead) reads -= 1
      if (comes && isWrite && writes.sum < writeQueue) writes(random.nextInt(ranks)) += 1
      if (readArrives) reads += 1
      !agree || (0 until ranks).exists(rank =>
        drain.io.write(rank).peek().litToBoolean != model.writing(rank, seen.writes(rank))
      )
    }
  }

  it("drains between water marks as told, each way of twelve; and a check for one way finds every other") {
    simulate(new WriteDrain(config)) { drain =>
      for (draining <- marked; checked <- marked) {
        control(drain, draining)
        val found = (1 to 6).view.flatMap { seed =>
          val (high, low) = Seq((5, 1), (8, 0), (4, 3))(seed % 3)
          difference(drain, model(checked, high, low), high, low, seed).map(cycle => s"seed $seed, cycle $cycle")
        }.headOption
        if (draining == checked) assert(found.isEmpty, s"$draining: differs from the model, ${found.mkString}")
        else assert(found.nonEmpty, s"$draining passed for $checked")
      }
    }
  }

  it("has but the policy of the config where policies are frozen") {
    for (
      draining <- Seq(
        Draining(sharedMarks = true),
        Draining(together = true),
        Draining(atHighMark = true),
        Draining(readsAhead = true)
      )
    ) {
      val frozen = config.copy(policies = config.policies.copy(programmablePolicies = false, draining = draining))
      simulate(new WriteDrain(frozen)) { drain =>
        control(
          drain,
          Draining(
            !draining.sharedMarks,
            !draining.together,
            equalPriority = true,
            !draining.atHighMark,
            !draining.readsAhead
          )
        )
        assert(difference(drain, model(draining, 5, 1), 5, 1, seed = 1).isEmpty)
      }
    }
  }

  /** Accesses of both classes by chance; each cycle one of the class in turn goes, if `pause` cycles have gone by since the
    * last. Gives the order in which classes came and went, and the most accesses of one class that went while one of the
    * other waited.
    */
  private def turns(drain: WriteDrain, pause: Int, seed: Int): (Seq[Char], Seq[Char], Int) = {
    val random          = new Random(seed)
    val waiting         = mutable.Map('R' -> 0, 'W' -> 0)
    val (came, went)    = (mutable.Buffer[Char](), mutable.Buffer[Char]())
    var (since, passed) = (0, 0)
    var most            = 0
    var share           = 0.5
    val view            = drain.io.view
    drain.reset.poke(true)
    drain.clock.step()
    drain.reset.poke(false)
    var issued: Option[Char] = None // in the command register
    for (cycle <- 0 until 1500) {
      if (cycle % 40 == 0) share = random.nextDouble()
      val ends = cycle >= 1200 // lets what waits go
      // both may come in one cycle
      val comes =
        if (ends) Seq()
        else
          Seq('R', 'W').filter { kind =>
            val depth = if (kind == 'R') readQueue else writeQueue
            waiting(kind) < depth && random.nextDouble() < 0.4 * (if (kind == 'W') share else 1 - share)
          }
      show(
        drain,
        Seen(
          Seq(waiting('W') - issued.count(_ == 'W'), 0),
          full = false,
          waiting('R'),
          readUrgent = false,
          readArrives = comes.contains('R'),
          Seq(false, false),
          issued.contains('R'),
          issued.contains('W')
        )
      )
      view.writeArrives.poke(comes.contains('W'))
      val inTurn = if (drain.io.write(0).peek().litToBoolean) 'W' else 'R'
      val left   = waiting(inTurn) - issued.count(_ == inTurn)
      val goes   = Option.when(left > 0 && since >= pause)(inTurn)
      drain.clock.step()
      issued.foreach(kind => waiting(kind) -= 1)
      issued = goes
      comes.foreach { kind =>
        waiting(kind) += 1
        came += kind
      }
      since += 1
      goes.foreach { kind =>
        val other = if (kind == 'R') 'W' else 'R'
        passed = if (waiting(other) > 0 && went.lastOption.contains(kind)) passed + 1 else 0
        most = most.max(passed)
        went += kind
        since = 0
      }
    }
    (came.toSeq, went.toSeq, most)
  }

  it("takes turns in order of arrival") {
    simulate(new WriteDrain(config)) { drain =>
      for (seed <- 1 to 3) {
        control(drain, inTurns)
        val (came, went, most) = turns(drain, pause = 4, seed)
        assert(came.count(_ == 'R') > 20 && came.count(_ == 'W') > 20)
        assert(went == came, s"seed $seed: came ${came.mkString}, went ${went.mkString}")
        assert(most <= writeQueue)
      }
    }
  }

  it("at full pace lets everything go, and no class wait for more than the other's queue and what is under way") {
    simulate(new WriteDrain(config)) { drain =>
      for (seed <- 1 to 3) {
        control(drain, inTurns)
        val (came, went, most) = turns(drain, pause = 0, seed)
        for (kind <- "RW") assert(went.count(_ == kind) == came.count(_ == kind), s"seed $seed: $kind")
        assert(most <= writeQueue + 4, s"seed $seed: $most of one class went while the other waited")
      }
    }
  }

  it("takes no turns in order of arrival where reads come first") {
    simulate(new WriteDrain(config)) { drain =>
      drain.io.view.control.highWaterMark.poke(5)
      drain.io.view.control.lowWaterMark.poke(1)
      control(drain, Draining())
      val (came, went, _) = turns(drain, pause = 4, seed = 1)
      assert(went.take(came.size) != came.take(went.size))
    }
  }

  it("gives the turn to the class of an urgent access, unless both have one") {
    simulate(new WriteDrain(config)) { drain =>
      control(drain, inTurns)
      val idle =
        Seen(Seq(3, 0), full = false, 3, readUrgent = false, readArrives = false, Seq(false, false), false, false)
      show(drain, idle)
      for (kind <- Seq(drain.io.view.readArrives, drain.io.view.writeArrives)) {
        // three reads, then three writes
        drain.io.view.readArrives.poke(false)
        drain.io.view.writeArrives.poke(false)
        kind.poke(true)
        drain.clock.step(3)
      }
      drain.io.view.writeArrives.poke(false)
      drain.clock.step(3)
      drain.io.write(0).expect(false)
      show(drain, idle.copy(cause = Seq(true, false)))
      drain.clock.step(2)
      drain.io.write(0).expect(true)
      show(drain, idle.copy(cause = Seq(true, false), readUrgent = true))
      drain.clock.step(2)
      drain.io.write(0).expect(false)
    }
  }

  it("forgets who came before whom when turns end, and serves what still waits when they begin") {
    simulate(new WriteDrain(config)) { drain =>
      control(drain, inTurns)
      val view = drain.io.view
      view.control.highWaterMark.poke(8)
      view.control.lowWaterMark.poke(0)
      val waiting =
        Seen(Seq(2, 0), full = false, 0, readUrgent = false, readArrives = false, Seq(false, false), false, false)
      show(drain, waiting)
      view.readArrives.poke(false)
      view.writeArrives.poke(true)
      drain.clock.step(2)
      view.writeArrives.poke(false)
      drain.clock.step(3)
      drain.io.write(0).expect(true)
      control(drain, Draining(atHighMark = true))
      drain.clock.step(2)
      drain.io.write(0).expect(false)
      control(drain, inTurns)
      drain.clock.step(3)
      drain.io.write(0).expect(true) // only writes wait
      show(drain, waiting.copy(reads = 1))
      drain.clock.step(3)
      drain.io.write(0).expect(false) // nobody knows who came first
    }
  }
}
