// SPDX-License-Identifier: Apache-2.0
package weir

import _root_.circt.stage.ChiselStage
import org.json4s._
import org.json4s.native.JsonMethods.parse
import org.scalatest.funspec.AnyFunSpec
import weir.channel.ConstraintTable
import weir.channel.refresh.RefreshPolicy
import weir.channel.row.RowPolicies
import weir.config._
import weir.device.{NvmMedia, Part, Parts}
import weir.place.map.{AddressMaps, PlaceBits}

/** The draw of configs: over thousands of seeds without elaboration, and a few that are elaborated. */
class RandomConfigSpec extends AnyFunSpec {
  // other seeds with each WEIR_SEED where what is asserted holds for all, the same ones where it is what many of them reach
  private val first   = Seed.value.toLong * 10000
  private def drawing = s"seeds from $first on"

  private lazy val some: Seq[WeirConfig]    = (first until first + 1000).map(RandomConfig(_))
  private lazy val configs: Seq[WeirConfig] = (0L until 3000L).map(RandomConfig(_))

  /** The leaves of a config's JSON by their path. */
  private def leaves(json: JValue, path: String = ""): Seq[(String, String)] = json match {
    case JObject(fields) => fields.flatMap { case (name, value) => leaves(value, s"$path.$name".stripPrefix(".")) }
    case leaf            => Seq(path -> leaf.values.toString)
  }

  private lazy val values: Map[String, Set[String]] =
    configs
      .flatMap(config => leaves(parse(Parameters.json(config))))
      .groupMap(_._1)(_._2)
      .view
      .mapValues(_.toSet)
      .toMap

  it("gives a seed the same config each time, by its name too, and prints it") {
    for (seed <- first until first + 50) {
      val config = RandomConfig(seed)
      assert(config == RandomConfig(seed))
      assert(RandomConfig.named(s"random-$seed").contains(config) && config.name == s"random-$seed")
      assert((parse(Parameters.json(config)) \ "name") == JString(s"random-$seed"))
    }
    assert(RandomConfig(first).copy(name = "") != RandomConfig(first + 1).copy(name = ""))
  }

  it("knows no other names") {
    for (
      name <- Seq("random-", "random--1", "random-+1", "random-01", "random-x", "soc-64", "random-99999999999999999999")
    )
      assert(RandomConfig.named(name).isEmpty, name)
  }

  it(s"draws what each room takes ($drawing)") {
    for (config <- some)
      withClue(s"${config.name}: ") {
        RegisterRooms.map(config)
        RowPolicies.number(config.policies.rowClosing.policy)
        val bits = new PlaceBits(config)
        AddressMaps.named(config.placement.map).masks(bits)
        if (config.placement.programmable) AddressMaps.choosable(config.placement).foreach(_.masks(bits))
        RefreshPolicy.first(config)
        val inParts = RefreshPolicy.offered(config).exists(_.inParts)
        assert(ConstraintTable.shortestRefresh(config, inParts) >= 5)
        assert(config.phy.phases <= 2 || ConstraintTable.activateToPrecharge(config) >= 2)
      }
  }

  it(s"draws parts, clocks and PHYs that the DRAM model takes ($drawing)") {
    for (config <- some ++ configs)
      withClue(s"${config.name}: ") {
        import config.{geometry, phy, timing}
        val part  = Parts(config.part)
        val least = part.timing(timing.tCKps)
        for (
          (name, (drawn, needed)) <-
            timing.productElementNames.zip(timing.productIterator.zip(least.productIterator))
          if name != "zqInterval"
        ) (drawn, needed) match {
          case (drawn: Int, needed: Int) =>
            assert(if (name == "tREFI") drawn <= needed else drawn >= needed, s"$name = $drawn, the part needs $needed")
          case _ => ()
        }
        // a burst is delivered after its last beat has come, and sent after it was given
        assert(phy.readLatency * phy.phases >= phy.readPhase + timing.cl + config.geometry.burstClocks)
        assert(phy.writeLatency * phy.phases <= phy.writePhase + timing.cwl)
        assert(geometry.dqBits % part.width == 0 && geometry.rowBits <= part.rowBits)
        assert(part.bankGroups == 1 || geometry.electrical.banks == part.bankGroups * part.banksPerGroup)
      }
  }

  it("varies every field that a config has") {
    val fixed = values.collect { case (path, found) if found.size == 1 => path }.toSet
    // only a single rank is divided, and none is of DDR5
    val ofDdr5 =
      Set("burstLength", "bankAboveGroup").flatMap(field => Set(s"geometry.$field", s"geometry.wholeRank.$field"))
    assert(fixed == Set("geometry.wholeRank.ranks") ++ ofDdr5)
  }

  describe("reaches every value of") {
    def reaches(path: String, all: Iterable[Any]): Unit = it(path) {
      val missing = all.map(_.toString).toSet -- values(path)
      assert(missing.isEmpty)
    }
    reaches("part", RandomConfig.parts.map(_.name))
    reaches("channels", 1 to 2)
    reaches("geometry.ranks", Seq(1, 2, 4))
    reaches("geometry.bankGroups", Seq(1, 2, 4))
    reaches("geometry.dqBits", Seq(8, 16, 32, 64))
    reaches("geometry.rowBits", 8 to 18)
    reaches("geometry.columnBits", 5 to Part.columnBits)
    reaches("derived.banks", Seq(2, 4, 8, 16))
    reaches("derived.pseudoRanks", Seq(1, 2, 4))
    reaches("timing.zqInterval", Seq(0, 1, 3, 100, 16384))
    reaches("phy.phases", Seq(1, 2, 4))
    reaches("phy.readPhase", 0 to 3)
    reaches("phy.writePhase", 0 to 3)
    reaches("phy.readLatency", 3 to 31)
    reaches("phy.writeLatency", 0 to 12)
    reaches("axi.ports", 1 to 4)
    reaches("axi.dataBits", Seq(32, 64, 128, 256, 512))
    reaches("axi.idBits", 1 to 8)
    reaches("axi.addressBits", 20 to 64)
    reaches("axi.readSlots", Seq(2, 4, 8, 16, 32, 64))
    reaches("derived.sources", Seq(2, 4, 8, 16))
    reaches("policies.readQueue", 2 to 64)
    reaches("policies.writeQueue", 2 to 97)
    reaches("policies.refreshPostpone", 1 to 8)
    reaches("policies.refreshPullIn", 0 to 8)
    reaches("policies.refreshGranularity", Seq(1, 2, 4))
    reaches("policies.refresh", RefreshPolicy.all.map(_.name))
    reaches("policies.rowClosing.policy", RowPolicies.all.map(_.name))
    reaches("policies.timeScaling.greatest", Seq(1, 2, TimeScaling.limit))
    reaches("placement.map", AddressMaps.all.map(_.name))
    reaches("observation.level", Observation.levels)
    reaches("observation.counterBits", 32 to 64)
    reaches("nvm.firstRank", 1 to 3)
    reaches("nvm.medium", NvmMedia.all.map(_.name))
    reaches("remapping.bitmapSets", Seq(2, 4, 8, 16, 32, 64, 128, 256, 512))
    reaches("remapping.bitmapWays", Seq(2, 4, 8, 16))
    reaches("remapping.pointerWays", Seq(2, 4, 8, 16))
    reaches("migration.window", Seq(2, 4, 8, 16))
    reaches("hotMonitoring.writeWeight", 1 to HotMonitoring.greatestWeight)
    for (
      flag <- Seq("axi.interleave") ++
        Seq("request", "burst", "place", "arrival", "entry", "command", "answer").map("pipeline." + _) ++
        Seq("sharedMarks", "together", "equalPriority", "atHighMark", "readsAhead").map("policies.draining." + _) ++
        Seq("beyondJedec", "forwarding", "crowdedFirst", "mayReadAhead", "programmableTimings", "programmablePolicies")
          .map(
            "policies." + _
          ) ++
        Seq(
          "policies.timeScaling.slowMemory",
          "odtByCommand",
          "placement.programmable",
          "placement.readable",
          "remapping.dirtyLines"
        ) ++
        Seq("hotMonitoring.hashed", "derived.interrupt")
    ) reaches(flag, Seq(true, false))
  }

  it("combines each two features, but those that exclude each other") {
    val features: Seq[(String, WeirConfig => Any)] = Seq(
      "channels"   -> (_.channels),
      "ranks"      -> (config => (config.geometry.electrical.ranks, config.geometry.pseudoRanks)),
      "groups"     -> (_.geometry.electrical.bankGroups),
      "phases"     -> (_.phy.phases),
      "ports"      -> (_.axi.ports),
      "bus"        -> (config => config.axi.dataBytes.compare(config.geometry.lineBytes)),
      "interleave" -> (_.axi.interleave),
      "slice"      -> (_.pipeline.request),
      "base"       -> (_.axi.base == 0),
      "reads"      -> (_.pipeline.command),
      "forwarding" -> (_.policies.forwarding),
      "timings"    -> (_.policies.programmableTimings),
      "policies"   -> (_.policies.programmablePolicies),
      "beyond"     -> (_.policies.beyondJedec),
      "refresh"    -> (_.policies.refresh),
      "row"        -> (_.policies.rowClosing.policy),
      "scaling"    -> (_.policies.timeScaling.isThere),
      "map"        -> (_.placement.map),
      "observed"   -> (_.observation.level),
      "nvm"        -> (config => Seq(config.nvm, config.remapping, config.migration).count(_.nonEmpty)),
      "monitored"  -> (_.hotMonitoring.nonEmpty)
    )
    val impossible: Set[(String, String)] = {
      val nvm    = Seq("nvm=1", "nvm=2", "nvm=3", "monitored=true")
      val frozen = Seq("timings=false", "policies=false")
      val maps   = AddressMaps.all.map(_.name).filterNot(_ == Placement.rankOnTop).map(map => s"map=$map")
      val beyond = RefreshPolicy.all.filter(_.beyondJedec).map(policy => s"refresh=${policy.name}")
      val pairs  =
        // a region wants a channel, several ranks and what can be programmed; each pseudo-rank has whole bank groups
        (for (one <- nvm; other <- Seq("channels=2", "ranks=(1,1)") ++ frozen ++ maps) yield one -> other) ++
          frozen.map(_ -> "scaling=true") ++ beyond.map(_ -> "beyond=false") ++
          Seq("monitored=true" -> "nvm=0", "ranks=(1,4)" -> "groups=2")
      pairs.flatMap(pair => Seq(pair, pair.swap)).toSet
    }
    val missing =
      for {
        Seq((one, oneOf), (other, otherOf)) <- features.combinations(2).toSeq
        met = configs.map(config => (oneOf(config), otherOf(config))).toSet
        a <- configs.map(oneOf).distinct
        b <- configs.map(otherOf).distinct
        if !met((a, b)) && !impossible((s"$one=$a", s"$other=$b"))
      } yield s"$one=$a with $other=$b"
    assert(missing.isEmpty)
  }

  it("elaborates") {
    // what costs nothing to elaborate beside the others
    val small = configs.filter(config =>
      config.policies.readQueue * config.geometry.ranks * config.channels <= 16 && config.policies.writeQueue <= 16 &&
        config.axi.ports == 1 && config.axi.readSlots <= 16
    )
    for (config <- small.take(2))
      withClue(s"${config.name}: ")(assert(ChiselStage.emitCHIRRTL(new Weir(config)).contains("public module Weir")))
  }
}
