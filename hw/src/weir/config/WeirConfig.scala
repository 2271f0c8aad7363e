// SPDX-License-Identifier: Apache-2.0
package weir.config

import chisel3.util.{isPow2, log2Ceil}
import weir.device.{EmulatedDevice, Geometry, NvmDevice, NvmMedia, NvmTiming, Standard, Timing}

/** AXI4 side of the controller.
  *
  * @param ports       AXI4 ports (1 to 4)
  * @param dataBits    data width of every port (32 to 512)
  * @param idBits      id width of every port (1 to 8)
  * @param addressBits address width of every port
  * @param base        bus address of the first byte of memory
  * @param readSlots   lines that a port may have in flight from AR to R
  * @param sourceIdHigh,sourceIdLow the AXI id bits that tell the source (hart) of an access
  * @param interleave  whether R beats of different ids may interleave at line boundaries (AXI4 allows it; some masters,
  *                    Rocket's memory port among them, do not)
  */
case class Axi(
    ports: Int,
    dataBits: Int,
    idBits: Int,
    addressBits: Int = 32,
    base: BigInt = 0,
    readSlots: Int = 32,
    sourceIdHigh: Int = 0,
    sourceIdLow: Int = 0,
    interleave: Boolean = false
) {
  require(ports >= 1 && ports <= 4, s"Axi.ports = $ports: must be 1 to 4")
  require(
    isPow2(dataBits) && dataBits >= 32 && dataBits <= 512,
    s"Axi.dataBits = $dataBits: must be 32, 64, 128, 256 or 512"
  )
  require(idBits >= 1 && idBits <= 8, s"Axi.idBits = $idBits: must be 1 to 8")
  require(addressBits >= 16 && addressBits <= 64, s"Axi.addressBits = $addressBits: must be 16 to 64")
  require(
    isPow2(readSlots) && readSlots >= 2 && readSlots <= 64,
    s"Axi.readSlots = $readSlots: must be a power of two from 2 to 64"
  )
  require(
    sourceIdLow >= 0 && sourceIdHigh >= sourceIdLow && sourceIdHigh < idBits,
    s"Axi.sourceIdHigh:sourceIdLow = $sourceIdHigh:$sourceIdLow: must lie within the $idBits id bits"
  )

  val dataBytes: Int = dataBits / 8

  /** Bits of the source tag: the port above the chosen id bits. */
  val sourceBits: Int = log2Ceil(ports) + sourceIdHigh - sourceIdLow + 1
  val sources: Int    = 1 << sourceBits
}

object Axi {

  /** The memory port of `pythondata-cpu-rocket`: the hart's number from id[2] on, of which the source tag has as many bits as
    * `harts` need and at least one, and no interleaved R beats.
    */
  def rocket(dataBits: Int, harts: Int): Axi =
    Axi(
      ports = 1,
      dataBits,
      idBits = 4,
      base = BigInt("80000000", 16),
      sourceIdHigh = 1 + log2Ceil(harts).max(1),
      sourceIdLow = 2
    )
}

/** One build of the controller: everything an elaboration needs to know.
  *
  * @param name     name under which `hw.run --config` finds it
  * @param part     the DRAM part as its maker writes it, or the paper's table
  * @param geometry of each channel
  * @param channels DRAM channels (1 or 2), all of the same part, timing and PHY, each with queues of its own
  * @param nvm      the part of memory that is emulated non-volatile memory, if any; wants one channel
  * @param remapping how pages of the region may live in DRAM, if they may; wants a region
  * @param migration how the controller moves pages, if it does; wants remapping
  * @param hotMonitoring counters of the accesses to that part, if any
  * @param pipeline the registers on the way of an access
  * @param odtByCommand whether ODT follows reads and writes; if not it is always high, which is right for one rank whose
  *                  mode registers have RTT_NOM off (RTT_WR may be on), and costs no gates
  */
case class WeirConfig(
    name: String,
    part: String,
    geometry: Geometry,
    timing: Timing,
    phy: Phy,
    axi: Axi,
    policies: Policies = Policies(),
    observation: Observation = Observation(),
    channels: Int = 1,
    placement: Placement = Placement(),
    nvm: Option[NvmRegion] = None,
    remapping: Option[Remapping] = None,
    migration: Option[Migration] = None,
    hotMonitoring: Option[HotMonitoring] = None,
    pipeline: Pipeline = Pipeline(),
    odtByCommand: Boolean = true
) {
  require(channels == 1 || channels == 2, s"WeirConfig.channels = $channels: must be 1 or 2")

  /** What its DRAM follows. */
  val standard: Standard = Standard.of(part, geometry)

  require(
    geometry.electrical.burstLength == standard.burstLength && geometry.bankAboveGroup == standard.sameBankRefresh,
    s"Geometry.burstLength = ${geometry.burstLength}, bankAboveGroup = ${geometry.bankAboveGroup}: must be " +
      s"${standard.burstLength} and ${standard.sameBankRefresh} for $part of $name, a part of $standard"
  )
  require(
    odtByCommand || !standard.odtPin || geometry.electrical.ranks == 1,
    s"WeirConfig.odtByCommand = $odtByCommand: must be true for the ${geometry.electrical.ranks} ranks of $name"
  )
  require(
    !odtByCommand || standard.odtPin,
    s"WeirConfig.odtByCommand = $odtByCommand: must be false for $part of $name, as $standard has no ODT pin"
  )

  val channelBits: Int = log2Ceil(channels)

  require(
    timing.tCCD_S >= geometry.burstClocks,
    s"Timing.tCCD_S = ${timing.tCCD_S}: below the burst's ${geometry.burstClocks} clocks"
  )

  /** Whether the DRAM can refresh in parts: DDR4, and what is beyond real parts. */
  val fineRefresh: Boolean = standard.refreshesInParts || policies.beyondJedec

  /** Whether pseudo-ranks are sets of banks that the DRAM refreshes by themselves. */
  val sameBankRefresh: Boolean = geometry.refreshedInSets

  require(
    !(standard.sameBankRefresh && policies.beyondJedec),
    s"Policies.beyondJedec = ${policies.beyondJedec}: must be false for $part, which refreshes sets of its banks by itself"
  )
  require(
    sameBankRefresh == timing.tREFSBRD.nonEmpty,
    s"Timing.tREFSBRD = ${timing.tREFSBRD}: must be there where a DRAM refreshes sets of its banks, and only there"
  )
  require(
    phy.phases >= standard.longCommandClocks,
    s"Phy.phases = ${phy.phases}: must be at least ${standard.longCommandClocks} for $part of $name, as a command takes as many " +
      "clocks of its cycle"
  )
  for ((name, phase) <- Seq("readPhase" -> phy.readPhase, "writePhase" -> phy.writePhase))
    require(
      phase + standard.longCommandClocks <= phy.phases,
      s"Phy.$name = $phase: must be at most ${phy.phases - standard.longCommandClocks}, as a command takes " +
        s"${standard.longCommandClocks} clocks of its cycle"
    )

  /** Refreshes of what is refreshed apart that may be postponed, and as many that may be pulled in. Sets of banks are
    * refreshed twice as often as a rank, for half as long: twice as many.
    */
  val mostPostponed: Int = if (sameBankRefresh) 2 * standard.mostPostponed else standard.mostPostponed

  for ((name, value) <- Seq("refreshPostpone" -> policies.refreshPostpone, "refreshPullIn" -> policies.refreshPullIn))
    require(value <= mostPostponed, s"Policies.$name = $value: must be at most $mostPostponed for $part (JEDEC)")

  /** What is refreshed apart: each rank, and each pseudo-rank if the DRAM can do so or beyond JEDEC; other real parts refresh
    * all of theirs at once.
    */
  val refreshedApart: Int = if (policies.beyondJedec || sameBankRefresh) geometry.ranks else geometry.electrical.ranks

  /** Whether a refresh, and the precharge of all banks before it, are for all pseudo-ranks. */
  val refreshedTogether: Boolean = refreshedApart < geometry.ranks

  /** Whether pseudo-ranks refresh apart, which wants a DRAM that refreshes groups of banks. */
  val refreshGroups: Boolean = geometry.pseudoRanks > 1 && refreshedApart == geometry.ranks

  require(
    fineRefresh || policies.refreshGranularity == 1,
    s"Policies.refreshGranularity = ${policies.refreshGranularity}: must be 1 for $part, which refreshes in no parts"
  )

  /** The same for a higher clock and less area: a register at each step, and none of what wants counts of each bank or rank. */
  def registered: WeirConfig = copy(
    pipeline = Pipeline.deep,
    policies = policies.copy(crowdedFirst = false, mayReadAhead = false)
  )

  /** Bits of a line's number in the whole memory. */
  val lineAddressBits: Int = channelBits + geometry.lineAddressBits

  /** Whether a read, and a write, need go on from room to room in every second cycle only: where a burst takes longer than a
    * cycle the DRAM takes no line sooner (tCCD), so that one register between two rooms is enough, with a `ready` that no path leads to.
    */
  val halfRate: Boolean = pipeline.place && pipeline.arrival && channels == 1 && phy.phases < geometry.burstClocks

  /** Bytes of the whole memory, all channels together. */
  val memoryBytes: BigInt = geometry.bytes * channels

  /** The NVM region's times after reset. */
  val nvmTiming: Option[NvmTiming] = nvm.map(region => NvmMedia(region.medium).clocks(timing, standard))

  /** The memory that some of the ranks behave like, if any. */
  val emulated: Option[EmulatedDevice] =
    for (region <- nvm; timing <- nvmTiming) yield NvmDevice(region.firstRank, timing)

  for (device <- emulated) {
    require(
      geometry.ranks > 1,
      s"Geometry.ranks = ${geometry.ranks}: must be 2 or 4 ranks or pseudo-ranks in $name where there is an ${device.name}"
    )
    require(
      device.firstRank >= 1 && device.firstRank < geometry.ranks,
      s"firstRank = ${device.firstRank} of the ${device.name}: must be 1 to ${geometry.ranks - 1}, the last of the ranks of $name"
    )
    require(channels == 1, s"WeirConfig.channels = $channels: must be 1 where there is an ${device.name}")
    require(
      !standard.sameBankRefresh,
      s"$name: there must be no ${device.name} with $part, as the refreshes of its sets of banks cannot be hidden one by one"
    )
    require(
      policies.programmableTimings && policies.programmablePolicies,
      s"$name: timings and policies must be programmable where there is an ${device.name}"
    )
    device.check(standard, timing, geometry.burstClocks)
  }

  /** Whether a rank behaves like it. */
  def isEmulated(rank: Int): Boolean = emulated.exists(rank >= _.firstRank)

  for (region <- nvm) {
    require(
      placement.map == Placement.rankOnTop,
      s"Placement.map = ${placement.map}: must be ${Placement.rankOnTop} where there is an NVM region"
    )
    require(
      !placement.programmable,
      s"Placement.programmable = true: must be false in $name where there is an NVM region, whose addresses another map would move"
    )
    val rankBytes = memoryBytes / geometry.ranks
    require(
      rankBytes % NvmRegion.superpageBytes == 0,
      s"NvmRegion: the $rankBytes bytes of a rank must be whole superpages of ${NvmRegion.superpageBytes} bytes"
    )
  }

  private val linesOfBusWord: Int = (axi.dataBytes / geometry.lineBytes).max(1)
  require(
    axi.readSlots >= 2 * linesOfBusWord,
    s"Axi.readSlots = ${axi.readSlots}: must be at least ${2 * linesOfBusWord}, two bus words of ${axi.dataBytes} " +
      s"bytes, each of $linesOfBusWord lines"
  )

  for (remap <- remapping) {
    require(nvm.nonEmpty, s"WeirConfig.remapping: $name has no NVM region (WeirConfig.nvm) whose pages could move")
    // each line of a bitmap of 64 bytes, and a pointer, are fetched under a tag of their own
    val tags = 2 * (64 / geometry.lineBytes)
    require(
      axi.readSlots >= tags,
      s"Axi.readSlots = ${axi.readSlots}: must be at least $tags where there is remapping in lines of ${geometry.lineBytes} bytes"
    )
    val superpages = memoryBytes / NvmRegion.superpageBytes
    require(
      remap.bitmapSets < superpages,
      s"Remapping.bitmapSets = ${remap.bitmapSets}: must be below the $superpages superpages of memory"
    )
  }

  for (moving <- migration) {
    require(
      remapping.nonEmpty,
      s"WeirConfig.migration: $name has no remapping (WeirConfig.remapping) of the pages that move"
    )
    require(
      moving.window <= axi.readSlots,
      s"Migration.window = ${moving.window}: must be at most Axi.readSlots = ${axi.readSlots}"
    )
  }

  for (monitoring <- hotMonitoring) {
    require(nvm.nonEmpty, s"WeirConfig.hotMonitoring: $name has no NVM region whose accesses could be counted")
    val superpages = new RegionPages(this).superpages
    require(superpages >= 4, s"WeirConfig.hotMonitoring: the region's $superpages superpages must be at least 4")
    for (count <- monitoring.superpageCounters)
      require(
        count < superpages,
        s"HotMonitoring.superpageCounters = $count: must be less than the $superpages superpages of the region of $name, " +
          "or left out"
      )
  }

  require(
    axi.base >= 0 && axi.base % 4096 == 0,
    s"Axi.base = ${if (axi.base < 0) "-" else ""}0x${axi.base.abs.toString(16)}: must be a multiple of 4096, not negative"
  )
  require(
    axi.base + memoryBytes <= (BigInt(1) << axi.addressBits),
    s"Axi.base = 0x${axi.base.toString(16)} + $memoryBytes bytes of memory do not fit in ${axi.addressBits} address bits"
  )
}
