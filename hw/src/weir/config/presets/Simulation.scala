// SPDX-License-Identifier: Apache-2.0
package weir.config.presets

import weir.config._
import weir.config.presets.Shapes._
import weir.device.Geometry

/** Configs for Verilator: a bench that drives AXI with traffic, and the SoC with up to four Rocket harts. DDR3-1600 of two or
  * four ranks of eight x8 chips (1 GiB each), or of a single x16 chip (512 MiB).
  */
object Simulation {

  private def twoRanks(name: String, axi: Axi): WeirConfig = ranksOfEight(2, name, axi)

  private def oneChip(name: String, axi: Axi): WeirConfig =
    config(name, "MT41K256M16-125", 1250, ranks = 1, dqBits = 16, Phys.series7(_), axi)

  private def trafficAxi(ports: Int, dataBits: Int): Axi =
    Axi(ports, dataBits, idBits = 4, readSlots = 64, interleave = true)

  private val plain = Seq(
    twoRanks("sim-ddr3-2rank", Axi(ports = 1, dataBits = 64, idBits = 4, interleave = true)),
    oneChip("sim-ddr3-x16", Axi(ports = 1, dataBits = 64, idBits = 4, interleave = true))
  ) ++
    (for (ports <- Seq(1, 2, 4)) yield twoRanks(s"traffic-ddr3-2rank-p$ports", trafficAxi(ports, 512))) ++
    (for (ports <- Seq(1, 2, 4)) yield oneChip(s"traffic-ddr3-x16-p$ports", trafficAxi(ports, 128))) :+
    ranksOfEight(4, "traffic-ddr3-4rank-p1", trafficAxi(1, 512), Policies(beyondJedec = true)) :+
    // the chips of the paper on rank assignment whose refreshes weigh most, for the policies of refresh
    config(
      "traffic-tableii-4rank-p1",
      "TableII-32Gb",
      1250,
      ranks = 4,
      dqBits = 64,
      Phys.ultraScale(_),
      trafficAxi(1, 512).copy(addressBits = 40),
      Policies(beyondJedec = true)
    )

  // one rank of those chips, whole and in pseudo-ranks that refresh apart
  private val divided =
    for ((shape, pseudoRanks) <- Seq("1rank" -> 1, "2pseudo" -> 2, "4pseudo" -> 4))
      yield config(
        s"traffic-tableii-$shape-p1",
        "TableII-32Gb",
        1250,
        ranks = 1,
        dqBits = 64,
        Phys.ultraScale(_),
        trafficAxi(1, 512).copy(addressBits = 40),
        Policies(beyondJedec = true),
        pseudoRanks = pseudoRanks
      )

  // a rank of DDR5, refreshed as a whole and in sets of banks
  private val ddr5 =
    for ((shape, pseudoRanks) <- Seq("ddr5" -> 1, "ddr5-sets" -> 4))
      yield rankOfDdr5(s"traffic-$shape-p1", pseudoRanks, trafficAxi(1, 512))

  // four harts have some sixteen accesses under way at most, and a simulator works on every entry of a queue in every cycle
  private val socPolicies = Policies(readQueue = 16, writeQueue = 32)

  private val soc = {
    // each rank is one range of addresses, as Linux's nodes are
    def of(name: String, dataBits: Int, ranks: Int = 2, trim: Geometry => Geometry = identity) =
      ranksOfEight(ranks, name, Axi.rocket(dataBits, harts = 4), socPolicies, trim)
        .copy(placement = Placement(map = Placement.rankOnTop))
    def withNvm(name: String, dataBits: Int) =
      hybrid(of(name, dataBits)).copy(
        hotMonitoring = Some(HotMonitoring()),
        remapping = Some(Remapping(pointerSets = 256)),
        migration = Some(Migration())
      )
    Seq(
      of("soc-64", 64),
      of("soc-128", 128),
      // a line in a beat: in a memory that runs slower than the harts, their bus must not be what they wait for
      of("soc-512", 512),
      // as much memory in four ranks, of chips with half of the rows: Rocket has no addresses for more
      of("soc-512-4rank", 512, ranks = 4, trim = _.copy(rowBits = 13)),
      withNvm("soc-64-hybrid", 64),
      withNvm("soc-512-hybrid", 512)
    )
  }

  val all: Seq[WeirConfig] = (plain ++ divided ++ ddr5 ++ soc).map(scalable)
}
