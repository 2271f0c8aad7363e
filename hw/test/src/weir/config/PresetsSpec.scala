// SPDX-License-Identifier: Apache-2.0
package weir.config

import org.scalatest.funspec.AnyFunSpec
import weir.RegisterRooms
import weir.config.presets.Boards
import weir.device.Geometry

class PresetsSpec extends AnyFunSpec {
  private def preset(name: String): WeirConfig = Presets.all(name)

  it("holds every config under its own name") {
    for ((name, config) <- Presets.all) assert(config.name == name)
  }

  it("has a register map for every config") {
    for (config <- Presets.all.values) assert(RegisterRooms.map(config).registers.nonEmpty)
  }

  it("simulates two ranks of eight x8 chips at DDR3-1600 by default") {
    val config = preset("sim-ddr3-2rank")
    assert(config.geometry == Geometry(2, 1, 8, 14, 10, 64))
    assert(config.timing.tCKps == 1250)
    assert((config.timing.cl, config.timing.cwl) == ((11, 8)))
    assert(config.phy == Phy(4, 1, 0, 9, 1))
    assert(config.geometry.bytes == BigInt(2) << 30)
  }

  it("has the SoC's memory where Rocket's memory port looks for it") {
    for ((name, bits) <- Seq("soc-64" -> 64, "soc-128" -> 128, "soc-512" -> 512)) {
      val config = preset(name)
      assert(config.axi.base == 0x80000000L)
      assert((config.axi.dataBits, config.axi.idBits, config.axi.sources) == ((bits, 4, 4)))
      assert((config.axi.sourceIdHigh, config.axi.sourceIdLow) == ((3, 2)))
      assert(!config.axi.interleave)
      assert(config.geometry == preset("sim-ddr3-2rank").geometry)
      assert(config.timing == preset("sim-ddr3-2rank").timing)
    }
  }

  it("has as much memory of the SoC in four ranks") {
    val (two, four) = (preset("soc-512"), preset("soc-512-4rank"))
    assert(four.geometry == two.geometry.copy(ranks = 4, rowBits = 13))
    assert(four.geometry.bytes == two.geometry.bytes)
    assert(four == two.copy(name = four.name, geometry = four.geometry))
  }

  it("has a board's memory there too, at the same port, for one hart") {
    for (name <- Seq("ecpix5-rocket-lite", "ecpix5-rocket-full")) {
      val axi = preset(name).axi
      assert(axi == preset("soc-128").axi.copy(sourceIdHigh = 2, readSlots = 8), name)
      assert(axi.sources == 2, name)
      // Rocket is late in its clock with what it sends
      assert(preset(name).pipeline.request && !preset(name.replace("-rocket", "")).pipeline.request, name)
    }
  }

  it("has the traffic configs for one, two and four ports") {
    for (ports <- Seq(1, 2, 4); (system, bits) <- Seq("ddr3-2rank" -> 512, "ddr3-x16" -> 128)) {
      val config = preset(s"traffic-$system-p$ports")
      assert((config.axi.ports, config.axi.dataBits, config.axi.idBits) == ((ports, bits, 4)))
      assert(config.axi.interleave && config.axi.base == 0)
      assert(config.geometry == preset(s"sim-$system").geometry)
    }
  }

  it("has a traffic config of four ranks, where refresh policies tell most") {
    val config = preset("traffic-ddr3-4rank-p1")
    assert(config.geometry == preset("traffic-ddr3-2rank-p1").geometry.copy(ranks = 4))
    assert(config.timing == preset("traffic-ddr3-2rank-p1").timing)
    assert(config.axi == preset("traffic-ddr3-2rank-p1").axi)
  }

  it("has the boards' chips at the clocks of their SoCs") {
    for (
      (name, rowBits, tCKps) <- Seq(
        ("ecpix5-lite", 15, 5000),
        ("ecpix5-full", 15, 7575),
        ("ecpix5-rocket-lite", 15, 12500),
        ("ecpix5-rocket-full", 15, 12500),
        ("orangecrab-25f-lite", 13, 7812),
        ("orangecrab-85f-lite", 15, 7812),
        ("orangecrab-85f-full", 15, 9259),
        ("versa_ecp5-lite", 13, 5555),
        ("ecp5-lite", 15, 6666),
        ("ecp5-base", 15, 6666)
      )
    ) {
      val config = preset(name)
      assert(config.geometry.electrical == Geometry(1, 1, 8, rowBits, 10, 16), name)
      assert(config.timing.tCKps == tCKps, name)
      assert(config.phy == Phy(2, 0, 1, 13, 3), name)
    }
  }

  it("takes a board's controller from lite to full in steps of one feature") {
    val steps = Boards.all.filter(_.name.startsWith("features-"))
    for ((before, after) <- steps.zip(steps.tail)) assert(after.copy(name = before.name) != before, after.name)
    val lite = preset("ecpix5-lite")
    assert(steps.head.copy(name = lite.name, timing = lite.timing, phy = lite.phy) == lite)
    assert(steps.last.copy(name = "ecpix5-full") == preset("ecpix5-full"))
    for (full <- Seq("ecpix5-full", "ecpix5-rocket-full", "orangecrab-85f-full").map(preset)) {
      assert(full.geometry.pseudoRanks == 2 && full.observation.explains && full.policies.programmablePolicies)
      assert(full.nvm.nonEmpty && full.hotMonitoring.nonEmpty && full.remapping.nonEmpty && full.migration.nonEmpty)
    }
  }

  it("can make the memory slower where a DRAM model is behind it, and on no board") {
    for ((name, config) <- Presets.all) {
      val simulated = Seq("sim-", "soc-", "traffic-", "test-").exists(name.startsWith)
      val scaling   = if (simulated) TimeScaling(64, slowMemory = true) else TimeScaling()
      assert(config.policies.timeScaling == scaling, name)
    }
  }

  it("has the paper's channels, address map and water marks, for each rank") {
    for (gigabits <- Seq(8, 16, 32)) {
      val config = preset(s"paper-rank-assignment-${gigabits}gb")
      assert((config.policies.highWaterMark, config.policies.lowWaterMark, config.policies.readQueue) == ((10, 5, 32)))
      assert((config.geometry.ranks, config.geometry.bankGroups, config.geometry.banks) == ((2, 4, 16)))
      assert((config.channels, config.placement.map) == ((2, "bank_xor")))
    }
  }

  it("has the paper's memory for the lab, at normal temperature and in one channel too") {
    for (size <- Seq("8gb-normal", "16gb-normal", "32gb-normal", "32gb", "32gb-1channel", "pcm")) {
      val config = preset(s"lab-rank-assignment-$size")
      assert(config.channels * config.geometry.ranks == 4, size)
      assert((config.timing.tREFI > 4000) == size.endsWith("normal"), size)
    }
  }

  it("has sixteen banks for four cores, to part by page colours") {
    val config = preset("lab-palloc")
    assert((config.channels, config.geometry.ranks * config.geometry.banks, config.axi.sources) == ((1, 16, 4)))
    assert(config.placement.map == "row_rank_bank_column")
  }

  it("divides the banks of a single rank into pseudo-ranks, on DDR4 in whole bank groups") {
    val ddr3 = preset("test-2pseudo")
    assert((ddr3.geometry.ranks, ddr3.geometry.pseudoRanks, ddr3.geometry.banks) == ((2, 2, 4)))
    assert((ddr3.geometry.electrical.ranks, ddr3.geometry.electrical.banks) == ((1, 8)))
    assert((ddr3.refreshedApart, ddr3.refreshedTogether, ddr3.refreshGroups) == ((1, true, false)))
    val ddr4 = preset("test-4pseudo")
    assert((ddr4.geometry.ranks, ddr4.geometry.bankGroups, ddr4.geometry.banks) == ((4, 1, 4)))
    assert((ddr4.geometry.electrical.bankGroups, ddr4.geometry.electrical.banks) == ((4, 16)))
    assert((ddr4.refreshedApart, ddr4.refreshedTogether, ddr4.refreshGroups) == ((4, false, true)))
    for (config <- Presets.all.values if config.geometry.pseudoRanks > 1)
      assert(config.geometry.bytes == config.geometry.electrical.bytes, config.name)
    for (config <- Presets.all.values if config.geometry.pseudoRanks == 1)
      assert((config.geometry.electrical, config.refreshedApart) == ((config.geometry, config.geometry.ranks)))
  }

  it("has half of memory as NVM in the hybrid configs, in superpages") {
    val configs = Seq(
      "soc-64-hybrid"   -> "soc-64",
      "soc-512-hybrid"  -> "soc-512",
      "test-hybrid"     -> "",
      "test-hybrid-x16" -> ""
    )
    for ((name, dram) <- configs) {
      val config = preset(name)
      assert(config.geometry.ranks == 2 && config.nvm.map(_.firstRank).contains(1), name)
      assert((config.placement.map, config.placement.programmable) == (("rank_row_bank_column", false)))
      assert(config.memoryBytes / 2 >= 4 * NvmRegion.superpageBytes, name)
      if (dram.nonEmpty) {
        val plain =
          config.copy(
            name = dram,
            placement = Placement(map = Placement.rankOnTop),
            nvm = None,
            hotMonitoring = None,
            remapping = None,
            migration = None
          )
        assert(plain == preset(dram))
      }
    }
    assert(preset("test-hybrid").geometry.lineBytes == 64)
    assert(preset("test-hybrid-x16").geometry.lineBytes == 16 && preset("test-hybrid-x16").geometry.pseudoRanks == 2)
  }

  it("covers the corners of the geometry in its test configs") {
    val tests = Presets.all.values.filter(_.name.startsWith("test-")).toSeq
    assert(tests.map(_.channels).toSet == Set(1, 2))
    assert(tests.map(_.geometry.ranks).toSet == Set(1, 2, 4))
    assert(tests.map(_.phy.phases).toSet == Set(1, 2, 4))
    assert(tests.map(_.geometry.banks).toSet == Set(4, 8, 16))
    assert(tests.map(_.geometry.bankGroups).toSet == Set(1, 2, 4))
    assert(tests.map(_.geometry.dqBits).toSet == Set(8, 16, 32, 64))
    assert(Set(32, 512).subsetOf(tests.map(_.axi.dataBits).toSet))
  }
}
