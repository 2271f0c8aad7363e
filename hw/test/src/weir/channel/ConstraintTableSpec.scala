// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.funspec.AnyFunSpec
import weir.config.WeirConfig
import weir.device.Timing

/** Constraints against a search by hand: the least number of cycles that puts two commands far enough apart in clocks. */
class ConstraintTableSpec extends AnyFunSpec with ChiselSim {

  private def poke(port: TimingControl, timing: Timing): Unit = {
    port.tRCD.poke(timing.tRCD); port.tRP.poke(timing.tRP); port.tRAS.poke(timing.tRAS); port.tRC.poke(timing.tRC)
    port.tRRD_S.poke(timing.tRRD_S); port.tRRD_L.poke(timing.tRRD_L); port.tFAW.poke(timing.tFAW)
    port.tCCD_S.poke(timing.tCCD_S); port.tCCD_L.poke(timing.tCCD_L)
    port.tWTR_S.poke(timing.tWTR_S); port.tWTR_L.poke(timing.tWTR_L); port.tRTP.poke(timing.tRTP)
    port.tWR.poke(timing.tWR); port.tRTRS.poke(timing.tRTRS); port.tRFC.poke(timing.tRFC)
    port.tREFI.poke(timing.tREFI); port.tZQCS.poke(timing.tZQCS); port.zqInterval.poke(timing.zqInterval)
    port.tRFC2.poke(timing.tRFC2); port.tRFC4.poke(timing.tRFC4)
  }

  private def check(config: WeirConfig, timing: Timing): Unit = {
    val n = config.phy.phases
    simulate(new ConstraintTable(config)) { table =>
      poke(table.io.timing, timing)
      table.clock.step(4)
      val d = table.io.constraints
      val p = CommandPhases(config)

      def least(from: Int, to: Int, clocks: Int): Int =
        Iterator.from(1).find(cycles => cycles * n + to - from >= clocks).get

      def expect(name: String, port: UInt, cycles: Int): Unit =
        assert(port.peek().litValue == cycles, s"${config.name}: $name")

      val (r, w, a, c) = (p.read, p.write, p.activate, p.precharge)
      val (cl, cwl)    = (config.timing.cl, config.timing.cwl)
      expect("tRCD read", d.activateToRead, least(a, r, timing.tRCD))
      expect("tRCD write", d.activateToWrite, least(a, w, timing.tRCD))
      expect("tRP", d.prechargeToActivate, least(c, a, timing.tRP))
      expect("tRTP", d.readToPrecharge, least(r, c, timing.tRTP))
      expect("tWR", d.writeToPrecharge, least(w, c, cwl + 4 + timing.tWR))
      expect("tRRD_L", d.activateSame, least(a, a, timing.tRRD_L))
      expect("tRRD_S", d.activateOther, least(a, a, timing.tRRD_S))
      expect("tFAW", d.fourActivates, least(a, a, timing.tFAW))
      expect("tCCD_L read", d.readToReadSame, least(r, r, timing.tCCD_L))
      expect("tCCD_S read", d.readToReadOther, least(r, r, timing.tCCD_S))
      expect("tRTRS read read", d.readToReadRank, least(r, r, 4 + timing.tRTRS))
      expect("read to write", d.readToWrite, least(r, w, cl + 4 + 2 - cwl))
      expect("tRTRS read write", d.readToWriteRank, least(r, w, cl + 4 + timing.tRTRS - cwl))
      expect("tWTR_L", d.writeToReadSame, least(w, r, cwl + 4 + timing.tWTR_L))
      expect("tWTR_S", d.writeToReadOther, least(w, r, cwl + 4 + timing.tWTR_S))
      expect("tRTRS write read", d.writeToReadRank, least(w, r, cwl + 4 + timing.tRTRS - cl))
      expect("tCCD_L write", d.writeToWriteSame, least(w, w, timing.tCCD_L))
      expect("tRTRS write write", d.writeToWriteRank, least(w, w, 4 + timing.tRTRS))
      assert(d.refreshToActivate.peek().litValue >= least(c, a, timing.tRFC))
      assert(d.refreshToActivate.peek().litValue <= least(c, a, timing.tRFC) + 1)
      for ((port, clocks) <- Seq(d.halfRefreshToActivate -> timing.tRFC2, d.quarterRefreshToActivate -> timing.tRFC4)) {
        assert(port.peek().litValue >= least(c, a.min(c), clocks))
        assert(port.peek().litValue <= least(c, a, clocks) + 1)
      }
      assert(d.refreshInterval.peek().litValue * n <= timing.tREFI)
      // tRAS, and tRC by way of the precharge
      val hold = d.activateToPrecharge.peek().litValue.toInt
      assert(hold >= least(a, c, timing.tRAS))
      assert((hold + least(c, a, timing.tRP)) * n >= timing.tRC)
      assert(
        hold == least(a, c, timing.tRAS) || (hold - 1 + least(c, a, timing.tRP)) * n < timing.tRC,
        "precharge is held back longer than tRAS and tRC ask"
      )
    }
  }

  for (config <- Seq(ChannelConfigs.ddr3, ChannelConfigs.ddr4, ChannelConfigs.onePhase)) {
    it(s"gives the least constraints of ${config.name} at its own timings") {
      check(config, config.timing)
    }
    it(s"follows a change of every timing of ${config.name}") {
      val t = config.timing
      check(
        config,
        t.copy(
          tRCD = 17,
          tRP = 19,
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
      )
    }
    it(s"holds the largest values of every field of ${config.name}") {
      check(
        config,
        config.timing.copy(
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
          tREFI = 65535
        )
      )
    }
  }
}
