// SPDX-License-Identifier: Apache-2.0
package weir

import chisel3.util.log2Ceil
import weir.channel.refresh.RefreshPolicy
import weir.channel.row.RowPolicies
import weir.config._
import weir.device.{Geometry, NvmMedia, Part, Parts, Timing}
import weir.observe.EventCounters
import weir.place.map.AddressMaps

import java.util.Random

/** Configs of shapes that nobody thought of, for the random tests: any part of the table at any clock, any geometry, PHY, AXI
  * side and policy that the controller and the DRAM model take together, drawn from a seed.
  *
  * A seed gives the same config on every machine: `java.util.Random` is specified bit by bit. A config that is drawn obeys
  * every `require` of [[weir.config]] and of the rooms; there is nothing to retry. Memory is as small as tests want it, some KiB
  * to some GiB.
  */
object RandomConfig {

  /** What the names of these configs begin with; the seed in decimal follows. */
  val prefix = "random-"

  /** The parts that are drawn: those with bursts of eight, so that a seed's draw stays the same. */
  val parts: Seq[Part] = Parts.all.values.toSeq.filter(_.standard.burstLength == 8).sortBy(_.name)

  /** The config of that name, if it is one of these. */
  def named(name: String): Option[WeirConfig] =
    Option
      .when(name.startsWith(prefix))(name.drop(prefix.length))
      .filter(digits => digits.nonEmpty && digits.forall(('0' to '9').contains(_)))
      .flatMap(_.toLongOption)
      .filter(seed => s"$prefix$seed" == name)
      .map(apply)

  /** The config of a seed from 0 on. */
  def apply(seed: Long): WeirConfig = {
    require(seed >= 0, s"RandomConfig: seed $seed: must not be negative")
    new Draw(seed).config
  }

  /** Neighbouring seeds of `java.util.Random` begin alike: they are spread by the golden ratio in 64 bits. */
  private def spread(seed: Long): Long = (seed + 1) * 0x9e3779b97f4a7c15L

  /** All that is drawn for one config, each after what it depends on. */
  private class Draw(seed: Long) {
    private val random = new Random(spread(seed))

    private def from[T](values: Seq[T]): T            = values(random.nextInt(values.size))
    private def between(least: Int, most: Int): Int   = least + random.nextInt(most - least + 1)
    private def oneIn(count: Int): Boolean            = random.nextInt(count) == 0
    private def power(least: Int, most: Int): Int     = 1 << between(log2Ceil(least), log2Ceil(most))
    private def maybe[T](there: Boolean)(value: => T) = Option.when(there)(value)

    /** Mostly small, as most queues and memories are, at times as large as can be. */
    private def mostlySmall(least: Int, most: Int): Int = {
      val limit = if (oneIn(4)) most else (least + 6).min(most)
      between(least, limit)
    }

    // ---- what there is of features, which the rest must suit

    private val hybrid   = oneIn(3)
    private val remaps   = hybrid && !oneIn(3)
    private val moves    = remaps && !oneIn(3)
    private val monitors = hybrid && oneIn(2)
    private val channels = if (hybrid) 1 else between(1, 2)

    private val beyondJedec          = oneIn(3)
    private val isShallow            = oneIn(2)
    private val programmablePolicies = hybrid || !oneIn(3)
    private val programmableTimings  = hybrid || !oneIn(3)
    private val timeScaling          =
      if (!programmablePolicies || !programmableTimings || oneIn(2)) TimeScaling()
      else TimeScaling(mostlySmall(2, TimeScaling.limit), slowMemory = oneIn(2))

    // ---- the DRAM

    private val part = from(parts)

    /** Whether refreshes in parts may be asked for. */
    private val inParts = part.standard.refreshesInParts || beyondJedec

    /** Clocks as fast as the part goes, or as slow as on a board, at which so many phases leave time enough: the channel needs
      * two cycles in which a row stays open and five of the shortest refresh.
      */
    private def clocks(phases: Int): Seq[Int] =
      Seq(part.shortestTCKps, 1250, 1500, 1875, 2500, 3003, 5000, 7519, 10000, 12500).distinct
        .filter(_ >= part.shortestTCKps)
        .filter { tCKps =>
          val timing   = part.timing(tCKps)
          val shortest = if (inParts) timing.tRFC4 else timing.tRFC
          timing.tRAS >= 2 * phases + 3 && shortest >= 5 * phases && timeFor(timing, 1)
        }
    private val phases = from(Seq(1, 2, 4).filter(clocks(_).nonEmpty))
    private val tCKps  = from(clocks(phases))

    private val geometry: Geometry = {
      val ranks  = power(1, 4)
      val dqBits = from(Seq(8, 16, 32, 64).filter(_ >= part.width))
      val whole  = part.geometry(ranks, dqBits)
      // where there is NVM no columns and banks are left out, so that each rank has superpages
      val columnBits = if (hybrid) whole.columnBits else between(5, whole.columnBits)
      val banks      = if (whole.bankGroups > 1 || hybrid) whole.banksPerGroup else power(4, whole.banksPerGroup)
      val trimmed    = whole.copy(banksPerGroup = banks, columnBits = columnBits, rowBits = 8)
      val groups     =
        if (ranks > 1) Seq(1)
        else Seq(1, 2, 4).filter(n => trimmed.banks / n >= 2 && (whole.bankGroups == 1 || whole.bankGroups % n == 0))
      val pseudoRanks = if (hybrid && ranks == 1) from(groups.tail) else from(groups)
      val leastRows   =
        if (hybrid) 8 + log2Ceil((4 * NvmRegion.superpageBytes * ranks * pseudoRanks / trimmed.bytes).toInt.max(1))
        else 8
      trimmed.copy(rowBits = mostlySmall(leastRows, whole.rowBits)).inPseudoRanks(pseudoRanks)
    }

    /** The part's, some of them longer than they need be. */
    private val timing: Timing = {
      val least                    = part.timing(tCKps)
      def longer(clocks: Int): Int = clocks + (if (oneIn(3)) between(1, 4) else 0)
      val cl                       = longer(least.cl)
      val tRAS                     = longer(least.tRAS)
      val (tRRD_S, tCCD_S, tWTR_S) = (longer(least.tRRD_S), longer(least.tCCD_S), longer(least.tWTR_S))
      val loose                    = least.copy(
        cl = cl,
        cwl = longer(least.cwl).min(cl),
        tRCD = longer(least.tRCD),
        tRP = longer(least.tRP),
        tRAS = tRAS,
        tRC = longer(least.tRC).max(tRAS),
        tRRD_S = tRRD_S,
        tRRD_L = longer(least.tRRD_L).max(tRRD_S),
        tFAW = longer(least.tFAW),
        tCCD_S = tCCD_S,
        tCCD_L = longer(least.tCCD_L).max(tCCD_S),
        tWTR_S = tWTR_S,
        tWTR_L = longer(least.tWTR_L).max(tWTR_S),
        tRTP = longer(least.tRTP),
        tWR = longer(least.tWR),
        tRTRS = longer(least.tRTRS),
        tRFC = longer(least.tRFC),
        tZQCS = longer(least.tZQCS),
        zqInterval = from(Seq(0, 1, 3, 100, least.zqInterval)),
        tRFC2 = longer(least.tRFC2),
        tRFC4 = longer(least.tRFC4)
      )
      val extendedTemperature = loose.copy(tREFI = loose.tREFI / 2)
      (if (oneIn(4)) Seq(extendedTemperature, loose) else Seq(loose)).find(timeFor(_, 1)).getOrElse(least)
    }

    /** Whether refreshes in so many parts leave time for accesses, which the register map asks for. */
    private def timeFor(timing: Timing, parts: Int): Boolean = {
      val tRFC = parts match {
        case 1 => timing.tRFC
        case 2 => timing.tRFC2
        case 4 => timing.tRFC4
      }
      import timing.{tFAW, tRAS, tRC, tRCD, tRP, tRTP, tWR, tWTR_L, tZQCS}
      val medium   = maybe(hybrid)(NvmMedia(nvmMedium).clocks(timing, part.standard))
      val rowCycle = medium.filter(_ => parts == 1).fold(tRC + tRAS + tRCD + tRP + tWR + tWTR_L + tRTP) { nvm =>
        nvm.productIterator.collect { case clocks: Int => clocks }.sum
      }
      parts * (tRFC + tZQCS + 2 * (rowCycle + tFAW)) <= timing.tREFI
    }

    private lazy val nvmMedium: String = from(NvmMedia.all).name

    /** What LiteDRAM's PHYs give themselves, or any phases, and latencies that a PHY can have with them: no burst is delivered
      * before its last beat has come, none sent before it was given.
      */
    private val phy: Phy = {
      def cycles(clocks: Int) = (clocks + phases - 1) / phases
      val litedram            =
        if (cycles(timing.cl) + 10 > 31 || cycles(timing.cwl) > 15) Seq()
        else
          Seq(Phys.series7(timing, phases), Phys.ultraScale(timing, phases)) ++ maybe(phases == 2)(Phys.ecp5(timing))
      val readPhase  = between(0, phases - 1)
      val writePhase = between(0, phases - 1)
      val soonest    = cycles(readPhase + timing.cl + geometry.burstClocks)
      val latest     = ((writePhase + timing.cwl) / phases).min(15)
      val free       = Phy(phases, readPhase, writePhase, between(soonest, (soonest + 8).min(31)), between(0, latest))
      from(litedram :+ free :+ free)
    }

    // ---- AXI

    private val memoryBytes = geometry.bytes * channels

    private val axi: Axi = {
      val ports       = between(1, 4)
      val dataBits    = power(32, 512)
      val idBits      = between(1, 8)
      val leastBits   = log2Ceil(memoryBytes).max(16)
      val addressBits = if (oneIn(2)) 32.max(leastBits) else between(leastBits, 64)
      val room        = ((BigInt(1) << addressBits) - memoryBytes) / 4096
      val base        = between(0, 3) match {
        case 0 => BigInt(0)
        case 1 => room // memory ends where addresses do
        case 2 => (room * 4096 / memoryBytes) * memoryBytes / 4096 // the last that is a multiple of its size
        case _ => BigInt(random.nextLong() & Long.MaxValue) % (room + 1)
      }
      // two words of the bus, and where pages may live elsewhere a bitmap and a pointer
      val lines      = (dataBits / 8 / geometry.lineBytes).max(1)
      val leastSlots = (2 * lines).max(if (remaps) 2 * (64 / geometry.lineBytes) else 2)
      val low        = between(0, idBits - 1)
      Axi(
        ports,
        dataBits,
        idBits,
        addressBits,
        base * 4096,
        readSlots = power(leastSlots, 64),
        sourceIdHigh = between(low, idBits - 1),
        sourceIdLow = low,
        interleave = oneIn(2)
      )
    }

    private val request = oneIn(2)

    // ---- policies

    private val policies: Policies = {
      val writeQueue    = mostlySmall(2, 128)
      val highWaterMark = between(1, writeQueue)
      val plain         = Policies(
        readQueue = mostlySmall(2, 64),
        writeQueue = writeQueue,
        highWaterMark = highWaterMark,
        lowWaterMark = between(0, highWaterMark - 1),
        ageLimit = from(Seq(16, 31, 100, between(16, 4095))),
        refreshPostpone = between(1, 8),
        draining = Draining(
          sharedMarks = oneIn(3),
          together = oneIn(3),
          equalPriority = oneIn(3),
          atHighMark = oneIn(3),
          readsAhead = isShallow && oneIn(3)
        ),
        rowClosing = RowClosing(
          from(RowPolicies.all).name,
          from(Seq(RowClosing.leastTimeout, 64, between(RowClosing.leastTimeout, RowClosing.greatestTimeout)))
        ),
        refreshPullIn = between(0, 8),
        refreshIdle = from(Seq(1, 8, between(1, 4095))),
        refreshGranularity = from(Seq(1, 2, 4).filter(parts => parts == 1 || inParts && timeFor(timing, parts))),
        refreshDrainAhead = from(Seq(0, 0, 100, between(0, 4095))),
        beyondJedec = beyondJedec,
        forwarding = oneIn(2),
        crowdedFirst = isShallow,
        mayReadAhead = isShallow,
        programmableTimings = programmableTimings,
        programmablePolicies = programmablePolicies,
        timeScaling = timeScaling
      )
      plain.copy(refresh = from(RefreshPolicy.possible(of(plain, Placement()))).name)
    }

    private lazy val observation = Observation(from(Observation.levels), between(32, 64))

    private lazy val placement: Placement =
      if (hybrid) Placement(Placement.rankOnTop, programmable = false, readable = oneIn(2))
      else {
        val map          = from(AddressMaps.all).name
        val programmable = oneIn(2)
        Placement(map, programmable, readable = programmable || oneIn(2))
      }

    private lazy val superpages: Int = (memoryBytes / NvmRegion.superpageBytes).toInt
    private lazy val firstRank       = between(1, geometry.ranks - 1)

    private def remapping: Remapping = Remapping(
      bitmapSets = power(2, 512.min(superpages / 2)),
      bitmapWays = power(2, 16),
      pointerSets = power(2, 64),
      pointerWays = power(2, 16),
      frames = power(32, 1024),
      dirtyLines = oneIn(2)
    )

    private def hotMonitoring: HotMonitoring = {
      val counted  = superpages / geometry.ranks * (geometry.ranks - firstRank)
      val counters = maybe(oneIn(2) && counted > 4)(power(4, counted / 2))
      HotMonitoring(
        chosen = mostlySmall(1, 100),
        superpageCounters = counters,
        hashed = counters.nonEmpty && oneIn(2),
        hotList = power(4, 512),
        interval = from(Seq(1, 1000, 100000)),
        writeWeight = between(1, HotMonitoring.greatestWeight)
      )
    }

    private def of(policies: Policies, placement: Placement): WeirConfig =
      WeirConfig(
        s"$prefix$seed",
        part.name,
        geometry,
        timing,
        phy,
        axi,
        policies,
        channels = channels,
        placement = placement
      )

    val config: WeirConfig = {
      val plain = of(policies, placement).copy(observation = observation)
      val whole =
        if (!hybrid) plain
        else
          plain.copy(
            nvm = Some(NvmRegion(firstRank, nvmMedium)),
            remapping = maybe(remaps)(remapping),
            migration = maybe(moves)(Migration(power(2, axi.readSlots.min(16)))),
            hotMonitoring = maybe(monitors)(hotMonitoring)
          )
      // one rank alone may have its ODT held high
      counted(whole).copy(odtByCommand = geometry.electrical.ranks > 1 || !oneIn(4), pipeline = pipeline)
    }

    /** All registers or none, or each by chance. */
    private def pipeline: Pipeline =
      if (oneIn(2)) (if (isShallow) Pipeline() else Pipeline.deep).copy(request = request)
      else
        Pipeline(
          request,
          burst = oneIn(2),
          place = oneIn(2),
          arrival = oneIn(2),
          entry = oneIn(2),
          command = oneIn(2),
          answer = oneIn(2)
        )

    /** With so few of the id bits in the source tag, and if need be so few counters, that these have room among the registers. */
    private def counted(config: WeirConfig): WeirConfig = {
      val (axi, observation) = (config.axi, config.observation)
      if (EventCounters.groups(config).forall(_.group.isWithin)) config
      else if (axi.sourceIdHigh > axi.sourceIdLow)
        counted(config.copy(axi = axi.copy(sourceIdHigh = axi.sourceIdHigh - 1)))
      else {
        val fewer = Observation.levels(Observation.levels.indexOf(observation.level) - 1)
        counted(config.copy(observation = observation.copy(level = fewer)))
      }
    }
  }
}
