// SPDX-License-Identifier: Apache-2.0
package weir.channel

import weir.config.WeirConfig
import weir.registers.RegisterBundle

/** What software may change of the time scale ([[weir.config.TimeScaling]]). */
class TimeScaleControl(config: WeirConfig) extends RegisterBundle {
  private val scaling = config.policies.timeScaling
  private val scale   = register(
    "time_scale",
    0x0ec,
    "Makes the memory look slower, as a core sees it that is so many times faster. Times of policies in controller " +
      "cycles are multiplied too."
  )

  /** The memory looks so many times slower: 1 to 64. */
  val factor =
    scale.setting("factor", 0, 7, 1, 1, scaling.greatest, "How many times slower the memory looks.")

  /** The DRAM itself is so much slower, and its refreshes are; if not it must be refreshed in real time. */
  val slowMemory = scale.choice(
    "slow_memory",
    8,
    reset = false,
    "Whether the DRAM is so many times slower itself, and its refreshes are: only for a DRAM model of that time " +
      "scale. If not it is refreshed in real time.",
    writable = scaling.slowMemory
  )
}
