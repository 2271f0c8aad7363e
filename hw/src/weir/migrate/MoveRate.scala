// SPDX-License-Identifier: Apache-2.0
package weir.migrate

import weir.config.WeirConfig
import weir.registers.RegisterBundle

/** How fast lines may be copied. */
class MoveRate(config: WeirConfig) extends RegisterBundle {
  private val rate = register(
    "move_rate",
    0x3e0,
    s"How fast pages are copied, ${config.migration.get.window} lines at a time: at most so many lines in each period. After reset as fast " +
      "as demand accesses leave room for."
  )

  /** Lines that may be read for copying in each period; 1 to 255. */
  val lines = rate.setting("lines", 0, 8, 1, 1, 255, "Lines of a period.")

  /** Controller cycles of a period; 1 to 65535. */
  val cycles = rate.setting("cycles", 16, 16, 1, 1, 65535, "Controller cycles of a period.")
}
