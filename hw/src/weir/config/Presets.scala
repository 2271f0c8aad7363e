// SPDX-License-Identifier: Apache-2.0
package weir.config

import scala.collection.immutable.VectorMap

/** The named configs, as `hw.run --list` shows them. */
object Presets {

  /** A config of a part at its clock; `trim` shrinks its geometry, for tests that should reach the last row soon. */
  private def config(
      name: String,
      part: String,
      tCKps: Int,
      ranks: Int,
      dqBits: Int,
      phy: Timing => Phy,
      axi: Axi,
      policies: Policies = Policies(),
      observation: Observation = Observation(),
      trim: Geometry => Geometry = identity,
      channels: Int = 1,
      placement: Placement = Placement(),
      pseudoRanks: Int = 1
  ): WeirConfig = {
    val timing   = Parts(part).timing(tCKps)
    val geometry = trim(Parts(part).geometry(ranks, dqBits)).inPseudoRanks(pseudoRanks)
    WeirConfig(name, part, geometry, timing, phy(timing), axi, policies, observation, channels, placement)
  }

  // ---- Simulation: two or four ranks of eight x8 chips (1 GiB each), or a single x16 chip (512 MiB), all DDR3-1600

  private def ranksOfEight(
      ranks: Int,
      name: String,
      axi: Axi,
      policies: Policies = Policies(),
      trim: Geometry => Geometry = identity
  ): WeirConfig =
    config(name, "MT41J128M8JP-125", 1250, ranks, dqBits = 64, Phys.series7(_), axi, policies, trim = trim)

  private def twoRanks(name: String, axi: Axi): WeirConfig = ranksOfEight(2, name, axi)

  private def oneChip(name: String, axi: Axi): WeirConfig =
    config(name, "MT41K256M16-125", 1250, ranks = 1, dqBits = 16, Phys.series7(_), axi)

  private def trafficAxi(ports: Int, dataBits: Int): Axi =
    Axi(ports, dataBits, idBits = 4, readSlots = 64, interleave = true)

  private val simulation = Seq(
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

  // ---- SoC with Rocket harts, up to four

  // four harts have some sixteen accesses under way at most, and a simulator works on every entry of a queue in every cycle
  private val socPolicies = Policies(readQueue = 16, writeQueue = 32)

  /** With the upper half of its ranks as the NVM region. */
  private def hybrid(config: WeirConfig, medium: String = "pcm-rainbow"): WeirConfig =
    config.copy(
      placement = Placement(map = Placement.rankOnTop, programmable = false),
      nvm = Some(NvmRegion(firstRank = config.geometry.ranks / 2, medium))
    )

  private val soc = {
    def of(name: String, dataBits: Int) = ranksOfEight(2, name, Axi.rocket(dataBits, harts = 4), socPolicies)
    Seq(
      of("soc-64", 64),
      of("soc-128", 128),
      // a line in a beat: in a memory that runs slower than the harts, their bus must not be what they wait for
      of("soc-512", 512),
      // as much memory in four ranks, of chips with half of the rows: Rocket has no addresses for more
      ranksOfEight(4, "soc-512-4rank", Axi.rocket(512, harts = 4), socPolicies, trim = _.copy(rowBits = 13)),
      hybrid(of("soc-64-hybrid", 64)).copy(
        hotMonitoring = Some(HotMonitoring()),
        remapping = Some(Remapping(pointerSets = 256)),
        migration = Some(Migration())
      )
    )
  }

  // ---- The memory of the paper on rank assignment (two channels, eight cores)

  private def rankAssignment(name: String, part: String): WeirConfig =
    config(
      name,
      part,
      1250,
      ranks = 2,
      dqBits = 64,
      Phys.ultraScale(_),
      Axi(ports = 1, dataBits = 512, idBits = 8, addressBits = 40, readSlots = 64, sourceIdHigh = 7, sourceIdLow = 5),
      Policies(readQueue = 32, writeQueue = 32, highWaterMark = 10, lowWaterMark = 5),
      channels = 2,
      placement = Placement(map = "bank_xor")
    )

  private val papers =
    Seq(8, 16, 32).map(size => rankAssignment(s"paper-rank-assignment-${size}gb", s"TableII-${size}Gb"))

  // the same for the lab: two ports, for a line of each channel in a cycle, and the policies that are beyond JEDEC
  private def laboratory(name: String, part: String): WeirConfig = {
    val paper = rankAssignment(s"lab-rank-assignment-$name", part)
    paper.copy(
      axi = paper.axi.copy(ports = 2, idBits = 7, sourceIdHigh = 6, sourceIdLow = 5, interleave = true),
      policies = paper.policies.copy(beyondJedec = true)
    )
  }

  private val lab = {
    val hot    = laboratory("32gb", "TableII-32Gb")
    val normal = Seq(8, 16, 32).map(size => laboratory(s"${size}gb-normal", s"TableII-${size}Gb-normal"))
    val single = hot.copy(name = s"${hot.name}-1channel", channels = 1, geometry = hot.geometry.copy(ranks = 4))
    // section III.D has drains between these marks
    val pcm = laboratory("pcm", "TableII-PCM").copy(
      policies = hot.policies.copy(writeQueue = 96, highWaterMark = 40, lowWaterMark = 20, refresh = "none")
    )
    // four cores before sixteen banks of one channel, as those that PALLOC was measured on; a page lies in one bank
    val palloc = config(
      "lab-palloc",
      "MT41J128M8JP-125",
      1250,
      ranks = 2,
      dqBits = 64,
      Phys.ultraScale(_),
      Axi(ports = 1, dataBits = 512, idBits = 7, readSlots = 64, sourceIdHigh = 6, sourceIdLow = 5, interleave = true),
      hot.policies
    )
    hot +: normal :+ single :+ pcm :+ palloc
  }

  // ---- DDR4

  private def ddr4(name: String, part: String, tCKps: Int): WeirConfig =
    config(
      name,
      part,
      tCKps,
      ranks = 1,
      dqBits = 64,
      Phys.ultraScale(_),
      Axi(ports = 1, dataBits = 512, idBits = 4, addressBits = 40, readSlots = 64, interleave = true)
    )

  private val ddr4s = Seq(
    ddr4("ddr4-2133-x8", "MT40A1G8-093E", 937),
    ddr4("ddr4-2400-x8", "MT40A1G8-083E", 833),
    ddr4("ddr4-2400-x16", "MT40A512M16-083E", 833),
    ddr4("ddr4-2666-x8", "MT40A1G8-075", 750),
    ddr4("ddr4-3200-x8", "MT40A1G8-062E", 625)
  )

  // ---- Corners, small so that tests go through all of a memory

  private val tests = Seq(
    config(
      "test-1rank-1phase",
      "MT41J128M8JP-25",
      2500,
      ranks = 1,
      dqBits = 8,
      Phys.series7(_, phases = 1),
      Axi(ports = 1, dataBits = 32, idBits = 1, readSlots = 8),
      Policies(
        readQueue = 4,
        writeQueue = 4,
        highWaterMark = 3,
        lowWaterMark = 1,
        forwarding = false,
        fastReads = false
      ),
      trim = _.copy(banksPerGroup = 4, rowBits = 8)
    ),
    config(
      "test-4rank-2phase",
      "MT40A512M16-083E",
      1250,
      ranks = 4,
      dqBits = 16,
      Phys.ultraScale(_, phases = 2),
      Axi(ports = 2, dataBits = 128, idBits = 3, interleave = true),
      Policies(fastReads = false, beyondJedec = true),
      trim = _.copy(rowBits = 8)
    ),
    config(
      "test-ddr4",
      "MT40A1G8-083E",
      833,
      ranks = 2,
      dqBits = 32,
      Phys.ultraScale(_),
      Axi(ports = 2, dataBits = 256, idBits = 4, interleave = true),
      trim = _.copy(rowBits = 9)
    ),
    config(
      "test-wide-bus",
      "MT41J128M8JP-125",
      1250,
      ranks = 1,
      dqBits = 8,
      Phys.series7(_),
      Axi(ports = 1, dataBits = 512, idBits = 8, interleave = true),
      Policies(forwarding = false, beyondJedec = true),
      trim = _.copy(rowBits = 9)
    ),
    ranksOfEight(
      2,
      "test-narrow-bus",
      Axi(ports = 3, dataBits = 32, idBits = 2),
      Policies(fastReads = false),
      trim = _.copy(rowBits = 9)
    ),
    config(
      "test-2channel",
      "MT41J128M8JP-125",
      1250,
      ranks = 2,
      dqBits = 16,
      Phys.series7(_),
      Axi(ports = 2, dataBits = 128, idBits = 3, readSlots = 16, interleave = true),
      Policies(readQueue = 8, writeQueue = 8, highWaterMark = 6, lowWaterMark = 2, fastReads = false),
      trim = _.copy(rowBits = 9),
      channels = 2
    ),
    // the boards' kind of memory, with pseudo-ranks that refresh together
    config(
      "test-2pseudo",
      "MT41K64M16-125",
      5000,
      ranks = 1,
      dqBits = 16,
      Phys.ecp5(_),
      Axi(ports = 1, dataBits = 128, idBits = 3, readSlots = 16, interleave = true),
      Policies(readQueue = 8, writeQueue = 8, highWaterMark = 4, lowWaterMark = 1, fastReads = false),
      trim = _.copy(rowBits = 9),
      pseudoRanks = 2
    ),
    // and with some that refresh apart
    config(
      "test-4pseudo",
      "MT40A1G8-083E",
      833,
      ranks = 1,
      dqBits = 32,
      Phys.ultraScale(_),
      Axi(ports = 2, dataBits = 256, idBits = 4, interleave = true),
      Policies(readQueue = 32, writeQueue = 16, highWaterMark = 4, lowWaterMark = 1, beyondJedec = true),
      trim = _.copy(rowBits = 9),
      pseudoRanks = 4
    ),
    // half of memory as NVM: a rank, and a pseudo-rank of the boards' kind of memory; the fewest superpages that tell much
    hybrid(
      ranksOfEight(
        2,
        "test-hybrid",
        Axi(ports = 2, dataBits = 128, idBits = 4, interleave = true),
        trim = _.copy(rowBits = 8)
      )
    ),
    // lines as wide as the bus, so that reads and writes come as fast as they can
    hybrid(
      ranksOfEight(
        2,
        "test-hot-monitor",
        Axi(ports = 2, dataBits = 512, idBits = 4, interleave = true),
        trim = _.copy(rowBits = 8)
      )
    ).copy(hotMonitoring = Some(HotMonitoring(chosen = 3, hotList = 16))),
    hybrid(
      config(
        "test-hybrid-x16",
        "MT41K64M16-125",
        5000,
        ranks = 1,
        dqBits = 16,
        Phys.ecp5(_),
        Axi(ports = 1, dataBits = 128, idBits = 3, readSlots = 16, interleave = true),
        Policies(readQueue = 8, writeQueue = 8, highWaterMark = 4, lowWaterMark = 1, fastReads = false),
        trim = _.copy(rowBits = 10),
        pseudoRanks = 2
      ),
      medium = "pcm-rank-assignment"
    )
  )

  // caches so small that they miss
  private val smallCaches =
    Remapping(bitmapSets = 2, bitmapWays = 2, pointerSets = 2, pointerWays = 2, frames = 64)

  /** Of a hybrid config, one whose pages may live in DRAM. */
  private def remapped(
      name: String,
      of: String,
      remapping: Remapping,
      migration: Option[Migration] = None
  ): WeirConfig =
    tests.find(_.name == of).get.copy(name = name, remapping = Some(remapping), migration = migration)

  // few frames where pages move, so that tests soon meet full ones
  private val remappedTests = Seq(
    remapped("test-remapping", "test-hybrid", smallCaches.copy(dirtyLines = true)),
    remapped("test-remapping-x16", "test-hybrid-x16", smallCaches),
    remapped("test-migration", "test-hybrid", smallCaches.copy(frames = 32, dirtyLines = true), Some(Migration())),
    remapped("test-migration-x16", "test-hybrid-x16", smallCaches.copy(frames = 32), Some(Migration()))
  )

  // ---- As small as they can be, with timings of no real part, so that a proof of few cycles sees whole sequences of commands
  // and refreshes; in each of them every timing is the one that matters somewhere

  private val formalTiming = Timing(
    source = "tests/formal",
    tCKps = 1250,
    cl = 6,
    cwl = 5,
    tRCD = 7,
    tRP = 6,
    tRAS = 9,
    tRC = 18,
    tRRD_S = 5,
    tRRD_L = 9,
    tFAW = 34,
    tCCD_S = 5,
    tCCD_L = 9,
    tWTR_S = 3,
    tWTR_L = 7,
    tRTP = 6,
    tWR = 5,
    tRTRS = 2,
    tRFC = 28,
    tREFI = 240,
    tZQCS = 20,
    zqInterval = 1,
    tRFC2 = 24,
    tRFC4 = 20
  )

  /** As short as the register map and the channel allow, which wants tRAS to be more than a cycle, so that a proof sees several
    * refreshes and the whole wait of a starving access.
    */
  private val shortestTiming = formalTiming.copy(
    tRCD = 2,
    tRP = 2,
    tRAS = 6,
    tRC = 8,
    tRRD_S = 1,
    tRRD_L = 1,
    tFAW = 4,
    tCCD_S = 4,
    tCCD_L = 4,
    tWTR_S = 1,
    tWTR_L = 1,
    tRTP = 1,
    tWR = 1,
    tRFC = 17,
    tREFI = 72,
    tZQCS = 4,
    tRFC2 = 17,
    tRFC4 = 17
  )

  private def formal(name: String, geometry: Geometry, timing: Timing, phases: Int, policies: Policies): WeirConfig =
    WeirConfig(
      name,
      "MT41J128M8JP-125",
      geometry,
      timing,
      Phys.series7(timing, phases).copy(readLatency = 2, writeLatency = 1),
      Axi(ports = 1, dataBits = 64, idBits = 1, addressBits = 16, readSlots = 4),
      policies,
      Observation("none"),
      placement = Placement(programmable = false, readable = false)
    )

  private val formals = Seq(
    formal(
      "formal-2rank-4phase",
      Geometry(ranks = 2, bankGroups = 2, banksPerGroup = 2, rowBits = 8, columnBits = 5, dqBits = 8),
      formalTiming,
      phases = 4,
      Policies(readQueue = 2, writeQueue = 2, highWaterMark = 2, lowWaterMark = 0, ageLimit = 16)
    ),
    formal(
      "formal-1rank-2phase",
      Geometry(ranks = 1, bankGroups = 1, banksPerGroup = 4, rowBits = 8, columnBits = 5, dqBits = 8),
      formalTiming
        .copy(tRAS = 14, tRC = 16, tRRD_L = 5, tCCD_L = 5, tWTR_L = 3, tRFC = 20, tRFC2 = 20, tRFC4 = 20),
      phases = 2,
      Policies(
        readQueue = 2,
        writeQueue = 2,
        highWaterMark = 2,
        lowWaterMark = 0,
        ageLimit = 16,
        forwarding = false,
        fastReads = false,
        programmableTimings = false
      )
    )
  ) ++ (
    for (ranks <- Seq(1, 2))
      yield formal(
        s"formal-${ranks}rank-shortest",
        Geometry(ranks, bankGroups = 1, banksPerGroup = 4, rowBits = 8, columnBits = 5, dqBits = 8),
        // a queue of two entries can keep a row open only where the precharge waits for the next hit
        if (ranks == 1) shortestTiming.copy(tRTP = 6, tREFI = 84) else shortestTiming,
        phases = 4,
        Policies(
          readQueue = 2,
          writeQueue = 2,
          highWaterMark = 2,
          lowWaterMark = 0,
          ageLimit = 16,
          refreshPostpone = 2,
          programmableTimings = false
        )
      )
  )

  /** Of pages that live elsewhere: two superpages in each rank, lines as long as a bitmap. */
  private val formalRemapping =
    hybrid(
      ranksOfEight(
        2,
        "formal-remapping",
        Axi(ports = 1, dataBits = 512, idBits = 1, readSlots = 2),
        trim = _.copy(rowBits = 8, columnBits = 8)
      )
    ).copy(
      remapping = Some(smallCaches.copy(frames = 32)),
      migration = Some(Migration(window = 2))
    )

  /** With a memory that software may make slower, as there is a DRAM model behind it. */
  private def scalable(config: WeirConfig): WeirConfig = config.copy(policies =
    config.policies.copy(timeScaling = TimeScaling(greatest = TimeScaling.limit, slowMemory = true))
  )

  /** Every named config by its name, in the order in which they are listed. */
  val all: Map[String, WeirConfig] =
    VectorMap.from(
      (simulation.map(scalable) ++ divided.map(scalable) ++ soc.map(
        scalable
      ) ++ Boards.all ++ papers ++ lab ++ ddr4s ++ (tests ++ remappedTests)
        .map(scalable) ++ formals :+ formalRemapping)
        .map(config => config.name -> config)
    )
}
