// SPDX-License-Identifier: Apache-2.0
package weir.config

import org.scalatest.funspec.AnyFunSpec
import weir.Refusals
import weir.device.{Geometry, Parts}

/** A config that cannot be built is refused with a sentence that names the value, the place and the limit. */
class ConfigErrorsSpec extends AnyFunSpec with Refusals {
  private val geometry = Geometry(2, 1, 8, 14, 10, 64)
  private val timing   = Parts("MT41J128M8JP-125").timing(1250)
  private val phy      = Phy(4, 1, 0, 9, 1)
  private val axi      = Axi(1, 64, 4)
  private val policies = Policies()

  describe("Geometry") {
    refused("no rank", "Geometry.ranks = 0", "1 to 4")(geometry.copy(ranks = 0))
    refused("five ranks", "Geometry.ranks = 5", "1 to 4")(geometry.copy(ranks = 5))
    refused("three ranks", "Geometry.ranks = 3", "power of two")(geometry.copy(ranks = 3))
    refused("eight bank groups", "Geometry.bankGroups = 8", "1, 2 or 4")(
      geometry.copy(bankGroups = 8, banksPerGroup = 2)
    )
    refused("six banks", "Geometry.banksPerGroup = 6", "power of two")(geometry.copy(banksPerGroup = 6))
    refused("two banks", "= 2 banks", "4 to 16")(geometry.copy(banksPerGroup = 2))
    refused("32 banks", "= 32 banks", "4 to 16")(geometry.copy(bankGroups = 4))
    refused("seven row bits", "Geometry.rowBits = 7", "8 to 18")(geometry.copy(rowBits = 7))
    refused("19 row bits", "Geometry.rowBits = 19", "8 to 18")(geometry.copy(rowBits = 19))
    refused("four column bits", "Geometry.columnBits = 4", "5 to 11")(geometry.copy(columnBits = 4))
    refused("12 column bits", "Geometry.columnBits = 12", "5 to 11")(geometry.copy(columnBits = 12))
    refused("72 data pins", "Geometry.dqBits = 72", "8, 16, 32 or 64")(geometry.copy(dqBits = 72))
    refused("four data pins", "Geometry.dqBits = 4", "8, 16, 32 or 64")(geometry.copy(dqBits = 4))
    refused("128 data pins", "Geometry.dqBits = 128", "8, 16, 32 or 64")(geometry.copy(dqBits = 128))
  }

  describe("Pseudo-ranks") {
    val ddr3 = geometry.copy(ranks = 1)
    val ddr4 = Geometry(1, 2, 4, 14, 10, 64)
    refused("three", "inPseudoRanks(3)", "1, 2 or 4")(ddr3.inPseudoRanks(3))
    refused("those of several ranks", "inPseudoRanks(2)", "must be 1", "Geometry.ranks = 2")(geometry.inPseudoRanks(2))
    refused("those of pseudo-ranks", "inPseudoRanks(2)", "must be 1")(ddr3.inPseudoRanks(2).inPseudoRanks(2))
    refused("such as share a bank group", "inPseudoRanks(4)", "Geometry.bankGroups = 2")(ddr4.inPseudoRanks(4))
    refused("such of one bank", "inPseudoRanks(4)", "at most 2", "4 banks")(
      ddr3.copy(banksPerGroup = 4).inPseudoRanks(4)
    )
    val ddr5 = Geometry(1, 4, 4, 9, 10, 32, burstLength = 16, bankAboveGroup = true)
    refused("sets of half of the banks of a group", "inPseudoRanks(2)", "1 or Geometry.banksPerGroup = 4")(
      ddr5.inPseudoRanks(2)
    )
    refused("bursts of four", "Geometry.burstLength = 4", "8 or 16")(ddr5.copy(burstLength = 4))
    refused("lines of 128 bytes", "Geometry.dqBits = 64", "at most 32", "64 bytes")(ddr5.copy(dqBits = 64))
    refused("another size of theirs", "2 pseudo-ranks of 4 banks")(ddr3.inPseudoRanks(2).copy(rowBits = 13))
  }

  describe("Timing") {
    refused("no clock", "Timing.tCKps = 0", "positive")(timing.copy(tCKps = 0))
    refused("a tRCD of nothing", "Timing.tRCD = 0", "1 to 255")(timing.copy(tRCD = 0))
    refused("a tFAW that its register cannot hold", "Timing.tFAW = 256", "1 to 255")(timing.copy(tFAW = 256))
    refused("a tRFC that its register cannot hold", "Timing.tRFC = 4096", "1 to 4095")(timing.copy(tRFC = 4096))
    refused("a tREFI that its register cannot hold", "Timing.tREFI = 65536", "1 to 65535")(timing.copy(tREFI = 65536))
    refused("a tRC below tRAS", "Timing.tRC = 27", "tRAS = 28")(timing.copy(tRC = 27))
    refused("a time of sets of banks that its register cannot hold", "Timing.tREFSBRD = 256", "1 to 255")(
      timing.copy(tREFSBRD = Some(256))
    )
    refused("a tCCD_L below tCCD_S", "Timing.tCCD_L = 4", "tCCD_S = 5")(timing.copy(tCCD_S = 5))
    refused("a tRRD_L below tRRD_S", "Timing.tRRD_L = 4", "tRRD_S = 5")(timing.copy(tRRD_L = 4))
    refused("a tWTR_L below tWTR_S", "Timing.tWTR_L = 5", "tWTR_S = 6")(timing.copy(tWTR_L = 5))
    refused("a CL below CWL", "Timing.cl = 7", "cwl = 8")(timing.copy(cl = 7))
    refused("a ZQ interval that its register cannot hold", "Timing.zqInterval = 1048576", "1048575")(
      timing.copy(zqInterval = 1 << 20)
    )
  }

  describe("Phy") {
    refused("three phases", "Phy.phases = 3", "1, 2 or 4")(phy.copy(phases = 3))
    refused("eight phases", "Phy.phases = 8", "1, 2 or 4")(phy.copy(phases = 8))
    refused("a read phase that is none", "Phy.readPhase = 4", "0 to 3")(phy.copy(readPhase = 4))
    refused("a write phase that is none", "Phy.writePhase = -1", "0 to 3")(phy.copy(writePhase = -1))
    refused("a read latency of a cycle", "Phy.readLatency = 1", "2 to 31")(phy.copy(readLatency = 1))
    refused("a write latency out of range", "Phy.writeLatency = 16", "0 to 15")(phy.copy(writeLatency = 16))
  }

  describe("Axi") {
    refused("no port", "Axi.ports = 0", "1 to 4")(axi.copy(ports = 0))
    refused("five ports", "Axi.ports = 5", "1 to 4")(axi.copy(ports = 5))
    refused("16 data bits", "Axi.dataBits = 16", "32, 64, 128, 256 or 512")(axi.copy(dataBits = 16))
    refused("1024 data bits", "Axi.dataBits = 1024", "32, 64, 128, 256 or 512")(axi.copy(dataBits = 1024))
    refused("no id", "Axi.idBits = 0", "1 to 8")(axi.copy(idBits = 0))
    refused("nine id bits", "Axi.idBits = 9", "1 to 8")(axi.copy(idBits = 9))
    refused("8 address bits", "Axi.addressBits = 8", "16 to 64")(axi.copy(addressBits = 8))
    refused("12 read slots", "Axi.readSlots = 12", "power of two from 2 to 64")(axi.copy(readSlots = 12))
    refused("source bits outside of the id", "= 4:0", "4 id bits")(axi.copy(sourceIdHigh = 4))
    refused("source bits upside down", "= 0:1", "4 id bits")(axi.copy(sourceIdLow = 1))
  }

  describe("Policies") {
    refused("a read queue of one", "Policies.readQueue = 1", "2 to 64")(policies.copy(readQueue = 1))
    refused("a write queue of 129", "Policies.writeQueue = 129", "2 to 128")(policies.copy(writeQueue = 129))
    refused("a high mark above the queue", "Policies.highWaterMark = 65", "writeQueue = 64")(
      policies.copy(highWaterMark = 65)
    )
    refused("marks that touch", "Policies.lowWaterMark = 14", "highWaterMark = 14")(policies.copy(lowWaterMark = 14))
    refused("an age limit of 15", "Policies.ageLimit = 15", "16 to 4095")(policies.copy(ageLimit = 15))
    refused("a row timeout of one cycle", "RowClosing.timeout = 1", "2 to 1023")(RowClosing(timeout = 1))
    refused("a row timeout of 1024 cycles", "RowClosing.timeout = 1024", "2 to 1023")(RowClosing(timeout = 1024))
    refused("nine refreshes postponed", "Policies.refreshPostpone = 9", "1 to 8")(policies.copy(refreshPostpone = 9))
    refused("reads ahead of drains without the choice", "Draining.readsAhead = true", "where Policies.mayReadAhead is")(
      policies.copy(mayReadAhead = false, draining = Draining(readsAhead = true))
    )
    refused("no time scale", "TimeScaling.greatest = 0", "1 to 64")(TimeScaling(0))
    refused("a time scale of 65", "TimeScaling.greatest = 65", "1 to 64")(TimeScaling(65))
    refused("a slow memory without a time scale", "TimeScaling.slowMemory = true", "above 1")(
      TimeScaling(slowMemory = true)
    )
    refused("a time scale with frozen timings", "TimeScaling.greatest = 2", "not programmable")(
      policies.copy(timeScaling = TimeScaling(2), programmableTimings = false)
    )
    refused("a time scale with frozen policies", "TimeScaling.greatest = 2", "not programmable")(
      policies.copy(timeScaling = TimeScaling(2), programmablePolicies = false)
    )
  }

  describe("Observation") {
    refused("an unknown level of counters", "Observation.level = most", "none, events, all")(Observation("most"))
    refused("counters of 31 bits", "Observation.counterBits = 31", "32 to 64")(Observation(counterBits = 31))
    refused("counters of 65 bits", "Observation.counterBits = 65", "32 to 64")(Observation(counterBits = 65))
  }

  describe("NvmRegion") {
    val hybrid = Presets.all("test-hybrid")
    refused("all of memory", "firstRank = 0 of the NVM region", "1 to 1")(hybrid.copy(nvm = Some(NvmRegion(0))))
    refused("a map that moves it", "Placement.programmable = true", "must be false", "NVM region")(
      hybrid.copy(placement = Placement(Placement.rankOnTop))
    )
    refused("none of memory", "firstRank = 2 of the NVM region", "1 to 1")(hybrid.copy(nvm = Some(NvmRegion(2))))
    refused("two channels", "WeirConfig.channels = 2", "must be 1")(hybrid.copy(channels = 2))
    refused("pieces of memory", "Placement.map = row_rank_bank_column", "must be rank_row_bank_column")(
      hybrid.copy(placement = Placement())
    )
    refused("parts of a superpage", "1048576 bytes of a rank", "2097152 bytes")(
      hybrid.copy(geometry = hybrid.geometry.copy(dqBits = 8, columnBits = 9))
    )
  }

  describe("HotMonitoring") {
    refused("no chosen superpage", "HotMonitoring.chosen = 0", "1 to 100")(HotMonitoring(chosen = 0))
    refused("101 chosen superpages", "HotMonitoring.chosen = 101", "1 to 100")(HotMonitoring(chosen = 101))
    refused("12 superpage counters", "HotMonitoring.superpageCounters = 12", "power of two from 4")(
      HotMonitoring(superpageCounters = Some(12))
    )
    refused("a hash of nothing", "HotMonitoring.hashed = true", "superpageCounters")(HotMonitoring(hashed = true))
    refused("a hot list of 100 records", "HotMonitoring.hotList = 100", "power of two from 4 to 4096")(
      HotMonitoring(hotList = 100)
    )
    refused("an interval of nothing", "HotMonitoring.interval = 0", "at least 1")(HotMonitoring(interval = 0))
    refused("writes without weight", "HotMonitoring.writeWeight = 0", "1 to 31")(HotMonitoring(writeWeight = 0))
    refused("writes of weight 32", "HotMonitoring.writeWeight = 32", "1 to 31")(HotMonitoring(writeWeight = 32))

    val hybrid = Presets.all("test-hot-monitor") // eight superpages in the region
    refused("counters of no region", "WeirConfig.hotMonitoring", "no NVM region")(hybrid.copy(nvm = None))
    refused("a counter for each superpage and as many as they are", "superpageCounters = 8", "8 superpages")(
      hybrid.copy(hotMonitoring = Some(HotMonitoring(superpageCounters = Some(8))))
    )
    refused("a region of two superpages", "2 superpages", "at least 4")(
      hybrid.copy(geometry = hybrid.geometry.copy(rowBits = 8, columnBits = 8))
    )
  }

  describe("Remapping") {
    val remapping = Presets.all("test-remapping")
    val most      = (remapping.memoryBytes / NvmRegion.superpageBytes).toInt
    refused("as many bitmaps as there are superpages", s"Remapping.bitmapSets = $most", s"below the $most superpages")(
      remapping.copy(remapping = remapping.remapping.map(_.copy(bitmapSets = most)))
    )
  }

  describe("WeirConfig") {
    refused("slots for one bus word of eight lines", "Axi.readSlots = 8", "at least 16")(
      Presets.all("test-wide-bus").copy(axi = Axi(1, 512, 4, readSlots = 8))
    )
    def config(axi: Axi) = WeirConfig("a", "b", geometry, timing, phy, axi)
    refused("a base that is no page", "Axi.base = 0x80000040", "multiple of 4096")(
      config(axi.copy(base = BigInt("80000040", 16)))
    )
    refused("a tCCD below the burst", "Timing.tCCD_S = 3", "4 clocks")(
      config(axi).copy(timing = timing.copy(tCCD_S = 3))
    )
    val ddr5 = presets.Tests.all.find(_.name == "test-ddr5").get
    val sets = presets.Tests.all.find(_.name == "test-ddr5-sets").get
    val ddr4 = presets.Tests.all.find(_.name == "test-ddr4").get
    refused("eight postponed refreshes of a rank of DDR5", "Policies.refreshPostpone = 8", "at most 4")(
      ddr5.copy(policies = ddr5.policies.copy(refreshPostpone = 8))
    )
    refused("eight of its refreshes ahead of time", "Policies.refreshPullIn = 8", "at most 4")(
      ddr5.copy(policies = ddr5.policies.copy(refreshPullIn = 8))
    )
    refused("policies beyond JEDEC for it", "Policies.beyondJedec = true", "must be false")(
      ddr5.copy(policies = ddr5.policies.copy(beyondJedec = true))
    )
    refused("an NVM region in it", "there must be no NVM region with DDR5-16Gb-x16-3200BN")(
      sets.copy(nvm = Some(NvmRegion(2)), placement = Placement(Placement.rankOnTop, programmable = false))
    )
    refused("no times of sets of banks where they are refreshed", "Timing.tREFSBRD = None", "must be there")(
      sets.copy(timing = ddr5.timing)
    )
    refused("times of sets of banks where none are", "Timing.tREFSBRD = Some(48)", "only there")(
      ddr5.copy(timing = sets.timing)
    )
    refused("a command that ends in the next cycle", "Phy.readPhase = 3", "at most 2", "takes 2 clocks")(
      ddr5.copy(phy = ddr5.phy.copy(readPhase = 3))
    )
    refused("no cycle for a command of two clocks", "Phy.phases = 1", "at least 2", "test-ddr5")(
      ddr5.copy(phy = ddr5.phy.copy(phases = 1, readPhase = 0, writePhase = 0))
    )
    refused("bursts of eight of it", "Geometry.burstLength = 8", "must be 16", "DDR5-16Gb-x16-3200BN")(
      ddr5.copy(geometry = ddr5.geometry.copy(burstLength = 8))
    )
    refused("banks below its bank groups", "bankAboveGroup = false", "and true", "DDR5-16Gb-x16-3200BN")(
      ddr5.copy(geometry = ddr5.geometry.copy(bankAboveGroup = false))
    )
    refused("banks above bank groups of DDR4", "bankAboveGroup = true", "and false")(
      ddr4.copy(geometry = ddr4.geometry.copy(bankAboveGroup = true))
    )
    refused("an ODT pin of it", "WeirConfig.odtByCommand = true", "must be false", "no ODT pin")(
      ddr5.copy(odtByCommand = true)
    )
    refused("several ranks of DDR4 without their ODT", "WeirConfig.odtByCommand = false", "must be true")(
      ddr4.copy(odtByCommand = false)
    )
    refused("no channel", "WeirConfig.channels = 0", "1 or 2")(config(axi).copy(channels = 0))
    refused("three channels", "WeirConfig.channels = 3", "1 or 2")(config(axi).copy(channels = 3))
    refused("a second channel beyond the address bits", "4294967296 bytes", "32 address bits")(
      config(axi.copy(base = 4096)).copy(channels = 2)
    )
    refused("a programmable map that cannot be read", "Placement.readable = false", "must be readable")(
      Placement(readable = false)
    )
    refused("a base below 0", "Axi.base = -0x1000", "not negative")(config(axi.copy(base = -4096)))
    refused("memory beyond the address bits", "2147483648 bytes", "31 address bits")(
      config(axi.copy(addressBits = 31, base = 4096))
    )
  }
}
