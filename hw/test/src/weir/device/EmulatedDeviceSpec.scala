// SPDX-License-Identifier: Apache-2.0
package weir.device

import org.scalatest.funspec.AnyFunSpec
import weir.Refusals
import weir.device.CommandClass.{Activate, Write}
import weir.device.Scope.Bank

/** A device that the channel could not keep is refused with a sentence that names what, the limit and the device. */
class EmulatedDeviceSpec extends AnyFunSpec with Refusals {
  private val dram = Parts("MT41J128M8JP-125").timing(1250)

  /** As NVM in its constraints, but for a change of them. */
  private class Broken(
      change: Seq[Constraint] => Seq[Constraint] = identity,
      times: Map[String, Int] => Map[String, Int] = identity,
      val timingBits: Int = NvmTiming.bits
  ) extends EmulatedDevice {
    private val nvm = NvmDevice(1, NvmMedia("pcm-rainbow").clocks(dram, Ddr3))
    val name        = "odd memory"
    val firstRank   = 1
    val timings     = times(nvm.timings)

    def constraints(dram: Timing, burst: Int): Seq[Constraint] = change(nvm.constraints(dram, burst))
  }

  private def changed(name: String)(change: Constraint => Constraint): Seq[Constraint] => Seq[Constraint] =
    _.map(constraint => if (constraint.name == name) change(constraint) else constraint)

  private def refusedOf(what: String, parts: String*)(device: => EmulatedDevice): Unit =
    refused(what, "odd memory" +: parts: _*)(device.check(Ddr3, dram, 4))

  it("takes NVM as it is")(new Broken().check(Ddr3, dram, 4))
  for (name <- EmulatedDevice.constraints)
    refusedOf(s"one without $name", name, "missing")(new Broken(_.filterNot(_.name == name)))
  refusedOf("a constraint that the channel does not keep", "activateToNothing", "known are activateToPrecharge")(
    new Broken(_ :+ Constraint("activateToNothing", Bank, "tRCD", Activate, Write))
  )
  refusedOf("a constraint twice", "writeToAny", "twice")(new Broken(all => all :+ all.find(_.name == "writeToAny").get))
  refusedOf("a timing that it does not have", "activateToRead", "made of tTypo: known are tRAS")(
    new Broken(changed("activateToRead")(_.copy(timing = Some("tTypo"))))
  )
  refusedOf("a timing beyond its bits", "0 to 63 clocks, 6 bits")(new Broken(timingBits = 6))
  refusedOf("a row cycle that nothing holds back for", "rowCycle", "nothing that the channel keeps")(
    new Broken(changed("activateToPrecharge")(_.copy(heldBack = None)))
  )
  refusedOf(
    "what is held back otherwise than the DRAM's",
    "activateToPrecharge",
    "must be at least rowCycle − prechargeToActivate"
  )(
    new Broken(changed("activateToPrecharge")(_.copy(heldBack = Some("rowCycle" -> "activateToRead"))))
  )
  refusedOf("more added to a timing than its bits hold", "writeToAny", "adds 1032 clocks", "at most 1024")(
    new Broken(changed("writeToAny")(_.copy(scaled = 1024)))
  )
  refusedOf(
    "a clock that is not multiplied in place of one that is",
    "writeToPrecharge",
    "= 23: must be at least",
    "24"
  )(
    new Broken(changed("writeToPrecharge")(its => its.copy(scaled = its.scaled - 1, fixed = 1)))
  )
  refusedOf("what is held back by something unknown", "activateToPrecharge", "held back by lost")(
    new Broken(changed("activateToPrecharge")(_.copy(heldBack = Some("rowCycle" -> "lost"))))
  )
  refusedOf("what is held back by something that comes later", "activateToPrecharge", "rowCycle", "before it")(
    new Broken(all => all.filterNot(_.name == "rowCycle") :+ all.find(_.name == "rowCycle").get)
  )
  refusedOf("a constraint between other commands than the DRAM's", "activateToRead", "to Write", "to Read")(
    new Broken(changed("activateToRead")(_.copy(to = Seq(Write))))
  )
  refusedOf(
    "a row that opens sooner than the DRAM's",
    "activateToRead of the odd memory = 10",
    "at least the DRAM's 11"
  )(
    new Broken(times = _ + ("tRCD" -> 10))
  )
  refusedOf("data that are written sooner", "writeToPrecharge of the odd memory = 23", "at least the DRAM's 24")(
    new Broken(times = _ + ("tWR" -> 11))
  )
}
