// SPDX-License-Identifier: Apache-2.0
package weir.config.presets

import weir.config._
import weir.device.{Geometry, Parts, Timing}

/** What configs of several uses are made of. */
private[presets] object Shapes {

  /** A config of a part at its clock; `trim` shrinks its geometry, for tests that should reach the last row soon. */
  def config(
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
    val chip     = Parts(part)
    val geometry = trim(chip.geometry(ranks, dqBits)).inPseudoRanks(pseudoRanks)
    val timing   = chip.timing(tCKps, geometry.refreshedInSets)
    WeirConfig(
      name,
      part,
      geometry,
      timing,
      phy(timing),
      axi,
      policies,
      observation,
      channels,
      placement,
      odtByCommand = chip.standard.odtPin
    )
  }

  /** Ranks of eight x8 chips of DDR3-1600, 1 GiB each. */
  def ranksOfEight(
      ranks: Int,
      name: String,
      axi: Axi,
      policies: Policies = Policies(),
      trim: Geometry => Geometry = identity
  ): WeirConfig =
    config(name, "MT41J128M8JP-125", 1250, ranks, dqBits = 64, Phys.series7(_), axi, policies, trim = trim)

  /** A rank of two x16 chips of DDR5-3200, 4 GiB, refreshed as a whole, or with four pseudo-ranks in sets of banks. */
  def rankOfDdr5(name: String, pseudoRanks: Int, axi: Axi, trim: Geometry => Geometry = identity): WeirConfig = {
    // JEDEC lets fewer refreshes of a rank be postponed than of a set of banks
    val most = if (pseudoRanks == 1) 4 else 8
    config(
      name,
      "DDR5-16Gb-x16-3200BN",
      625,
      ranks = 1,
      dqBits = 32,
      Phys.ultraScale(_),
      axi,
      Policies(refreshPostpone = most, refreshPullIn = most),
      trim = trim,
      pseudoRanks = pseudoRanks
    )
  }

  /** With the upper half of its ranks as the NVM region. */
  def hybrid(config: WeirConfig, medium: String = "pcm-rainbow"): WeirConfig =
    config.copy(
      placement = Placement(map = Placement.rankOnTop, programmable = false),
      nvm = Some(NvmRegion(firstRank = config.geometry.ranks / 2, medium))
    )

  /** Caches of remapping so small that they miss. */
  val smallCaches: Remapping =
    Remapping(bitmapSets = 2, bitmapWays = 2, pointerSets = 2, pointerWays = 2, frames = 64)

  /** With a memory that software may make slower, as there is a DRAM model behind it. */
  def scalable(config: WeirConfig): WeirConfig = config.copy(policies =
    config.policies.copy(timeScaling = TimeScaling(greatest = TimeScaling.limit, slowMemory = true))
  )
}
