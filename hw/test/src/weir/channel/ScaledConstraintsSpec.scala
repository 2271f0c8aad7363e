// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.config.{TimeScaling, WeirConfig}
import weir.device.Timing

/** Scaled constraints against a search by hand: the least number of cycles that puts two commands so many clocks apart, where
  * all of these are multiplied but for those by which a read's burst comes later after its command than a write's.
  */
class ScaledConstraintsSpec extends AnyFunSpec with ChiselSim {

  /** The constraints with a fault: the one of that number, counted from 1, is as with factor 1. */
  private class Bench(config: WeirConfig) extends Module {
    val io = IO(new Bundle {
      val timing      = Input(new TimingControl(config))
      val scale       = Input(new TimeScaleControl(config))
      val fault       = Input(UInt(6.W))
      val constraints = Output(ConstraintTable.bundle(config))
    })
    private val Seq(scaled, single) = Seq.fill(2)(Module(new ScaledConstraints(config)))
    for (each <- Seq(scaled, single)) {
      each.io.timing := io.timing
      each.io.scale  := io.scale
    }
    single.io.scale.factor := 1.U
    for ((name, number) <- ScaledConstraintsSpec.names.zipWithIndex)
      io.constraints(name) := Mux(io.fault === (number + 1).U, single.io.constraints(name), scaled.io.constraints(name))
    for (name <- Seq("refreshInterval", "refreshesToCalibrate")) io.constraints(name) := scaled.io.constraints(name)
  }

  private def scalable(config: WeirConfig): WeirConfig =
    config.copy(policies = config.policies.copy(timeScaling = TimeScaling(64, slowMemory = true)))

  /** What the constraints must be. */
  private def expected(config: WeirConfig, t: Timing, factor: Int, slow: Boolean): Map[String, Int] = {
    val n            = config.phy.phases
    val p            = CommandPhases(config)
    val (r, w, a, c) = (p.read, p.write, p.activate, p.precharge)
    val (cl, cwl)    = (config.timing.cl, config.timing.cwl)
    val burst        = 4 * factor

    def least(from: Int, to: Int, clocks: Int): Int =
      Iterator.from(1).find(cycles => cycles * n + to - from >= clocks).get
    def refresh(clocks: Int): Int = least(c, a.min(c), if (slow) factor * clocks else clocks)
    val precharged                = least(c, a, factor * t.tRP)
    Map(
      "activateToRead"           -> least(a, r, factor * t.tRCD),
      "activateToWrite"          -> least(a, w, factor * t.tRCD),
      "activateToPrecharge"      -> least(a, c, factor * t.tRAS).max(least(a, a, factor * t.tRC) - precharged),
      "prechargeToActivate"      -> precharged,
      "readToPrecharge"          -> least(r, c, factor * t.tRTP),
      "writeToPrecharge"         -> least(w, c, factor * (cwl + 4 + t.tWR)),
      "activateSame"             -> least(a, a, factor * t.tRRD_L),
      "activateOther"            -> least(a, a, factor * t.tRRD_S),
      "fourActivates"            -> least(a, a, factor * t.tFAW),
      "readToReadSame"           -> least(r, r, factor * t.tCCD_L),
      "readToReadOther"          -> least(r, r, factor * t.tCCD_S),
      "readToReadRank"           -> least(r, r, burst + factor * t.tRTRS),
      "readToWrite"              -> least(r, w, factor * (cl + 4 + 2 - cwl)),
      "readToWriteRank"          -> least(r, w, factor * (cl + 4 + t.tRTRS - cwl)),
      "writeToReadSame"          -> least(w, r, factor * (cwl + 4 + t.tWTR_L)),
      "writeToReadOther"         -> least(w, r, factor * (cwl + 4 + t.tWTR_S)),
      "writeToReadRank"          -> least(w, r, cwl + burst + factor * t.tRTRS - cl),
      "writeToWriteSame"         -> least(w, w, factor * t.tCCD_L),
      "writeToWriteOther"        -> least(w, w, factor * t.tCCD_S),
      "writeToWriteRank"         -> least(w, w, burst + factor * t.tRTRS),
      "prechargeToRefresh"       -> least(c, c, factor * t.tRP),
      "refreshToActivate"        -> refresh(t.tRFC),
      "halfRefreshToActivate"    -> refresh(t.tRFC2),
      "quarterRefreshToActivate" -> refresh(t.tRFC4),
      "calibrateToActivate"      -> refresh(t.tZQCS)
    )
  }

  private def set(dut: Bench, timing: Timing, factor: Int, slow: Boolean): Unit = {
    val values = timing.productElementNames.zip(timing.productIterator).toMap
    for ((name, port) <- dut.io.timing.elements) port.asInstanceOf[UInt].poke(values(name).asInstanceOf[Int])
    dut.io.scale.factor.poke(factor)
    dut.io.scale.slowMemory.poke(slow)
  }
  private def value(dut: Bench, name: String): Int = dut.io.constraints(name).peek().litValue.toInt

  /** Names of the constraints that are not as they must be. */
  private def wrong(dut: Bench, config: WeirConfig, timing: Timing, factor: Int, slow: Boolean): Set[String] =
    expected(config, timing, factor, slow).collect { case (name, cycles) if value(dut, name) != cycles => name }.toSet

  private def slower(t: Timing): Timing = t.copy(
    tRCD = 17,
    tRP = 13,
    tRAS = 45,
    tRC = 120,
    tRRD_S = 7,
    tRRD_L = 9,
    tFAW = 41,
    tCCD_S = 6,
    tCCD_L = 8,
    tWTR_S = 9,
    tWTR_L = 13,
    tRTP = 11,
    tWR = 100,
    tRTRS = 3,
    tRFC = 1023,
    tREFI = 5000
  )

  private def slowest(t: Timing): Timing = t.copy(
    tRCD = 255,
    tRP = 255,
    tRAS = 255,
    tRC = 255,
    tRRD_S = 255,
    tRRD_L = 255,
    tFAW = 255,
    tCCD_S = 255,
    tCCD_L = 255,
    tWTR_S = 255,
    tWTR_L = 255,
    tRTP = 255,
    tWR = 255,
    tRTRS = 255,
    tRFC = 4095,
    tZQCS = 4095,
    tRFC2 = 4095,
    tRFC4 = 4095
  )

  for (unscaled <- Seq(ChannelConfigs.ddr3, ChannelConfigs.ddr4, ChannelConfigs.onePhase)) {
    val config  = scalable(unscaled)
    val preset  = config.timing
    val latency = ScaledConstraints.latency(config)

    it(s"gives the least constraints of ${config.name} at any factor, in force after $latency cycles") {
      simulate(new Bench(config)) { dut =>
        dut.io.fault.poke(0)
        set(dut, preset, 1, slow = false)
        dut.clock.step()
        assert(wrong(dut, config, preset, 1, slow = false).isEmpty, "after reset")
        for {
          (timing, number) <- Seq(preset, slower(preset), slowest(preset)).zipWithIndex
          factor           <- Seq(1, 2, 3, 16, 64)
          slow             <- Seq(false, true)
        } {
          // from another place of the round each time
          dut.clock.step(5 * number + factor)
          set(dut, timing, factor, slow)
          dut.clock.step(latency)
          val found = wrong(dut, config, timing, factor, slow)
          assert(found.isEmpty, s"timings $number, factor $factor, slow $slow")
          assert(value(dut, "refreshInterval") == timing.tREFI / config.phy.phases)
        }
      }
    }

    it(s"keeps the rules of the part in every cycle of a change, ${config.name}") {
      simulate(new Bench(config)) { dut =>
        dut.io.fault.poke(0)
        val least   = expected(config, preset, 1, slow = false)
        val changes =
          Seq(1 -> preset, 16 -> preset, 1 -> preset, 3 -> slower(preset), 64 -> slower(preset), 1 -> preset)
        for ((factor, timing) <- changes; wait <- Seq(0, 2, 4)) {
          set(dut, timing, factor, slow = false)
          for (cycle <- 0 until latency + wait) {
            for ((name, cycles) <- least if name != "activateToPrecharge") assert(value(dut, name) >= cycles, name)
            val open = value(dut, "activateToPrecharge")
            assert(open >= least("activateToPrecharge"), s"cycle $cycle of the change to $factor")
            dut.clock.step()
          }
        }
      }
    }
  }

  it("finds every constraint that is not scaled") {
    val config = scalable(ChannelConfigs.ddr4)
    simulate(new Bench(config)) { dut =>
      set(dut, config.timing, 16, slow = true)
      dut.clock.step(ScaledConstraints.latency(config))
      for ((name, number) <- ScaledConstraintsSpec.names.zipWithIndex) {
        dut.io.fault.poke(number + 1)
        assert(wrong(dut, config, config.timing, 16, slow = true) == Set(name))
      }
    }
  }
}

object ScaledConstraintsSpec {
  private val names = Seq(
    "activateToRead",
    "activateToWrite",
    "activateToPrecharge",
    "prechargeToActivate",
    "readToPrecharge",
    "writeToPrecharge",
    "activateSame",
    "activateOther",
    "fourActivates",
    "readToReadSame",
    "readToReadOther",
    "readToReadRank",
    "readToWrite",
    "readToWriteRank",
    "writeToReadSame",
    "writeToReadOther",
    "writeToReadRank",
    "writeToWriteSame",
    "writeToWriteOther",
    "writeToWriteRank",
    "prechargeToRefresh",
    "refreshToActivate",
    "halfRefreshToActivate",
    "quarterRefreshToActivate",
    "calibrateToActivate"
  )
}
