// SPDX-License-Identifier: Apache-2.0
package weir.config.presets

import chisel3.util.log2Ceil
import weir.config._
import weir.device.Parts

/** The controllers in the boards' bitstreams (`make bitstream`): one rank of an x16 DDR3 behind LiteDRAM's `ECP5DDRPHY`, 1:2,
  * each for the clock of its SoC (boards/weir_boards has the same clocks, and they are compared).
  *
  *   - `BOARD-lite`: what an ECP5-25F has room for
  *   - `BOARD-full`: with all that software can see and use, [[steps]] further
  *   - `BOARD-rocket-lite`, `BOARD-rocket-full`: the same at the memory port of a Rocket hart
  *   - `features-STEP`: what lies between the two, to measure what each feature costs (`make feature-cost`)
  *   - `ecp5-lite`, `ecp5-mid`, `ecp5-full`: on no board; for several masters, one that is small, one that is fast and small,
  *     and one with longer queues and all that software can set and count, which LiteDRAM's core is compared with; `-4phase`:
  *     these with two ranks behind a PHY of four phases
  *   - `ecp5-base`: `ecp5-lite` with its memory elsewhere on AXI and at no multiple of its size, for tests of `weir_gen`
  */
object Boards {

  private val chip128MB = "MT41K64M16-125"
  private val chip512MB = "MT41K256M16-125"

  /** What accesses memory: its port, of `bytes` of memory, the entries that the queues need for it, and the registers on the
    * way of its reads. One that is late in the clock with what it sends needs one that takes it; for one that is early, as it sends
    * from flip-flops, a burst needs none before its first line.
    */
  private case class Master(
      port: BigInt => Axi,
      readQueue: Int,
      writeQueue: Int,
      highWaterMark: Int,
      lowWaterMark: Int,
      pipeline: Pipeline = Pipeline.deep
  )

  /** LiteX's cache, which waits for each line that it reads, and writes three ahead: more would stay empty. */
  private val cache =
    Master(
      bytes => Axi(ports = 1, dataBits = 128, idBits = 1, addressBits = log2Ceil(bytes), readSlots = 2),
      readQueue = 2,
      writeQueue = 4,
      highWaterMark = 3,
      lowWaterMark = 1
    )

  /** Masters of which several read at the same time. A line has the bus for two cycles, and is in a slot for some thirty. */
  private val several =
    Master(
      _ => Axi(ports = 1, dataBits = 128, idBits = 4, readSlots = 16),
      readQueue = 8,
      writeQueue = 8,
      highWaterMark = 6,
      lowWaterMark = 2,
      pipeline = Pipeline.deep.copy(burst = false)
    )

  /** As many of them as keep all banks busy. */
  private val many = several.copy(
    port = several.port(_).copy(readSlots = 32),
    readQueue = 16,
    writeQueue = 8,
    highWaterMark = 7,
    lowWaterMark = 2
  )

  /** A Rocket hart: each of its two caches fills a block of 64 bytes, which are four lines, while another is written back.
    * Its bridge from TileLink passes a request on in the cycle in which it chooses it, late in the clock.
    */
  private val rocket = several.copy(
    port = _ => Axi.rocket(128, harts = 1).copy(readSlots = 8),
    pipeline = Pipeline.deep.copy(request = true)
  )

  private def lite(name: String, part: String, systemMHz: Int, master: Master = cache): WeirConfig = {
    val timing   = Parts(part).timing(1000000 / (2 * systemMHz))
    val geometry = Parts(part).geometry(1, 16)
    WeirConfig(
      name,
      part,
      geometry,
      timing,
      Phys.ecp5(timing),
      master.port(geometry.bytes),
      Policies(
        readQueue = master.readQueue,
        writeQueue = master.writeQueue,
        highWaterMark = master.highWaterMark,
        lowWaterMark = master.lowWaterMark,
        forwarding = false,
        programmableTimings = false,
        rowClosing = RowClosing("open"),
        programmablePolicies = false
      ),
      Observation("none"),
      placement = Placement(programmable = false, readable = false)
    ).registered.copy(pipeline = master.pipeline)
  }

  /** As a lite config for many masters, with rows closed once no access waits for them. */
  private def mid(name: String): WeirConfig = {
    val config = lite(name, chip512MB, 75, many)
    config.copy(policies = config.policies.copy(rowClosing = RowClosing("closed")))
  }

  /** What is added to a lite config, one after the other, until it is full: the name of each step and what it makes of the
    * config before it.
    */
  private val steps: Seq[(String, WeirConfig => WeirConfig)] = Seq(
    // remapping and the mover have several lines in flight, whatever the CPU has
    "queues" -> (config =>
      config.copy(
        axi = config.axi.copy(readSlots = 8),
        policies = config.policies.copy(readQueue = 8, writeQueue = 16, highWaterMark = 12, lowWaterMark = 4)
      )
    ),
    "forwarding"   -> (config => config.copy(policies = config.policies.copy(forwarding = true))),
    "programmable" -> (config =>
      config.copy(
        policies = config.policies.copy(programmableTimings = true, programmablePolicies = true),
        placement = config.placement.copy(readable = true)
      )
    ),
    "pseudo-ranks" -> (config => config.copy(geometry = config.geometry.inPseudoRanks(2))),
    "events"       -> (config => config.copy(observation = Observation("events", counterBits = 40))),
    "counters"     -> (config => config.copy(observation = Observation("all", counterBits = 40))),
    "nvm"          -> (config =>
      config.copy(
        placement = config.placement.copy(map = Placement.rankOnTop),
        nvm = Some(NvmRegion(firstRank = 1))
      )
    ),
    // 128 superpages of NVM in 512 MiB, whose bitmaps the cache holds half of
    "monitor" -> (config => config.copy(hotMonitoring = Some(HotMonitoring(chosen = 16, hotList = 128)))),
    "remap"   -> (config => config.copy(remapping = Some(Remapping(bitmapSets = 16, bitmapWays = 4, frames = 2048)))),
    "mover"   -> (config => config.copy(migration = Some(Migration())))
  )

  /** With long queues and some of the steps: all timings and policies programmable and all counters. */
  private def everything(config: WeirConfig): WeirConfig = {
    val long = config.policies.copy(readQueue = 32, writeQueue = 64, highWaterMark = 48, lowWaterMark = 16)
    Seq("forwarding", "programmable", "counters")
      .map(steps.toMap)
      .foldLeft(config.copy(policies = long))((config, step) => step(config))
  }

  /** As a config, but with two ranks behind a PHY of four phases at the same controller clock. A cycle holds a whole burst, so
    * that reads and writes go on in each: there is no register of `arrival`, which takes a line in every second one, and at least
    * 32 lines are in flight.
    */
  private def fourPhases(config: WeirConfig): WeirConfig = {
    val timing = Parts(config.part).timing(config.timing.tCKps / 2)
    config.copy(
      name = s"${config.name}-4phase",
      geometry = Parts(config.part).geometry(2, 16),
      timing = timing,
      phy = Phys.series7(timing),
      axi = config.axi.copy(readSlots = config.axi.readSlots.max(32)),
      pipeline = config.pipeline.copy(arrival = false)
    )
  }

  /** The lite config first, then the configs after each step, the last of which is full. */
  private def stepwise(lite: WeirConfig): Seq[(String, WeirConfig)] =
    steps.scanLeft("lite" -> lite) { case ((_, config), (step, change)) => step -> change(config) }

  private def full(name: String, part: String, systemMHz: Int, master: Master = cache): WeirConfig =
    stepwise(lite(name, part, systemMHz, master)).last._2

  /** The same, for a bus on which memory does not begin at 0. */
  private val elsewhere = several.copy(port = bytes => several.port(bytes).copy(base = BigInt("90001000", 16)))

  // LiteX has RTT_NOM off on this board
  private def orangeCrab(config: WeirConfig): WeirConfig = config.copy(odtByCommand = false)

  private val lites = Seq(
    lite("ecpix5-lite", chip512MB, 100),
    lite("ecpix5-rocket-lite", chip512MB, 40, rocket),
    orangeCrab(lite("orangecrab-25f-lite", chip128MB, 64)),
    orangeCrab(lite("orangecrab-85f-lite", chip512MB, 64)),
    lite("versa_ecp5-lite", chip128MB, 90)
  )

  private val fulls = Seq(
    full("ecpix5-full", chip512MB, 66),
    full("ecpix5-rocket-full", chip512MB, 40, rocket),
    orangeCrab(full("orangecrab-85f-full", chip512MB, 54))
  )

  private val features =
    stepwise(lite("", chip512MB, 66)).map { case (step, config) => config.copy(name = s"features-$step") }

  private val compared =
    Seq(lite("ecp5-lite", chip512MB, 75, several), mid("ecp5-mid"), everything(mid("ecp5-full")))

  val all: Seq[WeirConfig] = lites ++ fulls ++ features ++ compared ++ compared.map(fourPhases) :+
    lite("ecp5-base", chip512MB, 75, elsewhere)
}
