// SPDX-License-Identifier: Apache-2.0
package weir.config

import weir.config.presets.{Boards, Ddr4, Formal, Papers, Simulation, Tests}

import scala.collection.immutable.VectorMap

/** The named configs, as `hw.run --list` shows them; those of each use are in a file of `presets`. */
object Presets {

  /** Every named config by its name, in the order in which they are listed. */
  val all: Map[String, WeirConfig] = VectorMap.from(
    (Simulation.all ++ Boards.all ++ Papers.all ++ Ddr4.all ++ Tests.all ++ Formal.all)
      .map(config => config.name -> config)
  )
}
