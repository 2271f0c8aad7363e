// SPDX-License-Identifier: Apache-2.0
package weir.channel.row

import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.channel.ChannelConfigs
import weir.config.RowClosing

import scala.util.Random

/** The row policies on banks that are used by chance, against a model of each in plain Scala. */
class RowPoliciesSpec extends AnyFunSpec with ChiselSim {
  private val config   = ChannelConfigs.ddr3 // two ranks of four banks
  private val banks    = config.geometry.banks
  private val allBanks = config.geometry.ranks * banks
  private val timeout  = 9

  /** A bank as the queues and the DRAM have it. */
  private class Bank {
    var row: Option[Int]      = None
    var last: Option[Int]     = None  // row that was open last
    var waiting: Boolean      = false // for the open row
    var usedAt: Int           = -1000 // cycle of the choice of the last column command
    var fresh: Boolean        = false // activated and not used yet
    var askedFor: Option[Int] =
      None // the decision that was taken when no access waited: the row, and below what came of it
    var closedIt: Boolean     = false // by policy
    var good                  = 2     // how well keeping rows open went, 0 to 3

    def learn(kept: Boolean): Unit = good = if (kept) (good + 1).min(3) else (good - 1).max(0)

    /** The next access of the bank after nobody wanted its row is to `next`. */
    def outcome(next: Int): Unit = {
      askedFor.foreach(row => learn(row == next))
      askedFor = None
    }
  }

  /** Whether a policy wants the row of a bank closed, in a cycle. */
  private val models: Map[String, (Bank, Int) => Boolean] = Map(
    "open"     -> ((_, _) => false),
    "closed"   -> ((_, _) => true),
    "timeout"  -> ((bank, cycle) => cycle - bank.usedAt >= timeout),
    "adaptive" -> ((bank, _) => bank.good < 2)
  )

  /** First cycle in which the design asks for other banks than the model of a policy. */
  private def difference(dut: RowChoice, policy: String, seed: Int): Option[Int] = {
    val random = new Random(seed)
    val state  = Seq.fill(allBanks)(new Bank)
    val seen   = dut.io.banks
    val reuse  = Seq.fill(allBanks)(random.nextDouble()) // how likely each bank is to see the same row again
    dut.reset.poke(true)
    dut.clock.step()
    dut.reset.poke(false)

    def mask(condition: Bank => Boolean): BigInt =
      state.zipWithIndex.collect { case (bank, index) if condition(bank) => BigInt(1) << index }.sum

    (0 until 1200).find { cycle =>
      val now                         = random.nextInt(allBanks)
      val bank                        = state(now)
      val bit                         = BigInt(1) << now
      val chance                      = random.nextDouble()
      val other                       = (bank.last.getOrElse(0) + 1 + random.nextInt(2)) % 4
      var (column, activate, again)   = (BigInt(0), BigInt(0), false)
      var (access, byPolicy, refresh) = (BigInt(0), BigInt(0), BigInt(0))
      val wanted                      = dut.io.closes.peek().litValue
      val differs                     = wanted != mask(models(policy)(_, cycle))
      // what is seen of this cycle's commands was chosen in the last one
      bank.row match {
        case None if chance < 0.6 =>
          val next = if (random.nextDouble() < reuse(now)) bank.last.getOrElse(0) else other
          activate = bit
          again = bank.last.contains(next)
          if (bank.closedIt) bank.outcome(next)
          bank.askedFor = None
          bank.closedIt = false
          bank.row = Some(next)
          bank.last = Some(next)
          bank.fresh = true
        case Some(row) if bank.fresh || bank.waiting || (chance < 0.7 && random.nextDouble() < reuse(now)) =>
          column = bit
          if (!bank.fresh) bank.outcome(row)
          bank.usedAt = cycle - 1
          bank.fresh = false
          bank.waiting = random.nextDouble() < 0.3
        case Some(_) if chance < 0.5 =>
          access = bit
          bank.outcome(other)
          bank.row = None
          bank.closedIt = false
        case Some(row) if !bank.waiting && (wanted & bit) != 0 =>
          byPolicy = bit
          bank.row = None
          bank.closedIt = true
          bank.askedFor = Some(row)
        case Some(_) if chance > 0.97 =>
          val ofRank = state.grouped(banks).toSeq(now / banks)
          refresh = ((BigInt(1) << banks) - 1) << (now / banks * banks)
          ofRank.foreach { each =>
            each.row = None
            each.askedFor = None
            each.closedIt = false
          }
        case _ =>
      }
      val waits = mask(each => each.row.isDefined && (each.fresh || each.waiting))
      seen.waiting.poke(waits)
      seen.column.poke(column)
      seen.activate.poke(activate)
      seen.again.poke(again)
      seen.closedForAccess.poke(access)
      seen.closedByPolicy.poke(byPolicy)
      seen.closedForRefresh.poke(refresh)
      // a column command is not followed by the decision in its own cycle
      for (each <- state if each.row.isDefined && !each.fresh && !each.waiting && !(each == bank && column != 0))
        each.askedFor = each.row
      dut.clock.step()
      differs
    }
  }

  private def choose(dut: RowChoice, policy: String): Unit = {
    dut.io.control.policy.poke(RowPolicies.number(policy))
    dut.io.control.timeout.poke(timeout)
  }

  it("closes rows as each policy says; and a check for one policy finds every other") {
    simulate(new RowChoice(config)) { dut =>
      for (policy <- models.keys; checked <- models.keys) {
        choose(dut, policy)
        val found = (1 to 3).view
          .flatMap(seed => difference(dut, checked, seed).map(cycle => s"seed $seed, cycle $cycle"))
          .headOption
        if (policy == checked) assert(found.isEmpty, s"$policy: ${found.mkString}")
        else assert(found.nonEmpty, s"$policy passed for $checked")
      }
    }
  }

  it("has but the policy of the config where policies are frozen") {
    for (policy <- Seq("timeout", "adaptive")) {
      val frozen = config.copy(policies =
        config.policies.copy(programmablePolicies = false, rowClosing = RowClosing(policy, timeout))
      )
      simulate(new RowChoice(frozen)) { dut =>
        choose(dut, "open")
        assert(difference(dut, policy, seed = 1).isEmpty, policy)
      }
    }
  }

  it("keeps the number of every policy") {
    assert(RowPolicies.all.map(_.name) == Seq("open", "closed", "timeout", "adaptive"))
  }

  it("refuses a policy that it does not know") {
    val error = intercept[IllegalArgumentException](RowPolicies.number("shut"))
    assert(error.getMessage.contains("RowClosing.policy = shut: known are open, closed, timeout, adaptive"))
  }
}
