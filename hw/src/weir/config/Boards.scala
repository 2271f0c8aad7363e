// SPDX-License-Identifier: Apache-2.0
package weir.config

import chisel3.util.log2Ceil

/** The controllers in the boards' bitstreams (`make bitstream`): one rank of an x16 DDR3 behind LiteDRAM's `ECP5DDRPHY`, 1:2,
  * each for the clock of its SoC (boards/weir_boards has the same clocks, and they are compared).
  *
  *   - `BOARD-lite`: what an ECP5-25F has room for: `ecp5-lite` behind the cache of a SoC whose CPU has Wishbone buses
  *   - `BOARD-full`: with all features that software can see, [[steps]] further
  *   - `BOARD-rocket-lite`, `BOARD-rocket-full`: the same at the memory port of a Rocket hart
  */
object Boards {

  private val chip128MB = "MT41K64M16-125"
  private val chip512MB = "MT41K256M16-125"

  /** @param port makes the AXI4 port for so many bytes of memory */
  private def lite(name: String, part: String, systemMHz: Int, port: BigInt => Axi): WeirConfig = {
    val timing   = Parts(part).timing(1000000 / (2 * systemMHz))
    val geometry = Parts(part).geometry(1, 16)
    WeirConfig(
      name,
      part,
      geometry,
      timing,
      Phys.ecp5(timing),
      port(geometry.bytes),
      Policies(
        readQueue = 2,
        writeQueue = 8,
        highWaterMark = 6,
        lowWaterMark = 2,
        forwarding = false,
        fastReads = false,
        programmableTimings = false,
        rowClosing = RowClosing("open"),
        programmablePolicies = false
      ),
      Observation("none"),
      placement = Placement(programmable = false, readable = false)
    )
  }

  /** That of a cache which waits for each line it reads; addresses count from the first byte of memory. */
  private def cachePort(bytes: BigInt): Axi =
    Axi(ports = 1, dataBits = 128, idBits = 1, addressBits = log2Ceil(bytes), readSlots = 2)

  /** That of a Rocket hart, which has several reads in flight. */
  private def rocketPort(bytes: BigInt): Axi =
    Axi(
      ports = 1,
      dataBits = 64,
      idBits = 4,
      base = BigInt("80000000", 16),
      readSlots = 8,
      sourceIdHigh = 2,
      sourceIdLow = 2
    )

  /** What is added to a lite config, one after the other, until it is full: the name of each step and what it makes of the
    * config before it.
    */
  private val steps: Seq[(String, WeirConfig => WeirConfig)] = Seq(
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
    // block RAM for a quarter of the region's superpages at a time
    "monitor" -> (config => config.copy(hotMonitoring = Some(HotMonitoring(chosen = 32, hotList = 256)))),
    "remap"   -> (config => config.copy(remapping = Some(Remapping(bitmapSets = 32, bitmapWays = 2, frames = 4096)))),
    "mover"   -> (config => config.copy(migration = Some(Migration())))
  )

  /** The lite config first, then the configs after each step, the last of which is full. */
  private def stepwise(lite: WeirConfig): Seq[(String, WeirConfig)] =
    steps.scanLeft("lite" -> lite) { case ((_, config), (step, change)) => step -> change(config) }

  private def full(name: String, lite: WeirConfig): WeirConfig = stepwise(lite).last._2.copy(name = name)

  private val lites = Seq(
    lite("ecpix5-lite", chip512MB, 75, cachePort),
    lite("orangecrab-25f-lite", chip128MB, 64, cachePort),
    lite("orangecrab-85f-lite", chip512MB, 64, cachePort),
    lite("versa_ecp5-lite", chip128MB, 75, cachePort),
    lite("ecpix5-rocket-lite", chip512MB, 50, rocketPort)
  )

  private val fulls = Seq(
    full("ecpix5-full", lite("", chip512MB, 60, cachePort)),
    full("orangecrab-85f-full", lite("", chip512MB, 48, cachePort)),
    full("ecpix5-rocket-full", lite("", chip512MB, 40, rocketPort))
  )

  /** What lies between a lite config and a full one, to measure what each feature costs: `features-STEP`. */
  private val features =
    stepwise(lite("", chip512MB, 60, cachePort)).map { case (step, config) => config.copy(name = s"features-$step") }

  val all: Seq[WeirConfig] = lites ++ fulls ++ features
}
