// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import weir.config.WeirConfig
import weir.place.Location

/** What queued writes are looked up by: the whole line's place where they are answered from or merged into, else a shorter
  * mark of it, as then an access that meets another line's mark only waits for it to be written.
  */
object AddressHash {
  private val foldedBits = 4

  /** Width of a mark. */
  def bits(config: WeirConfig): Int = {
    val geometry = config.geometry
    if (config.policies.forwarding) geometry.lineAddressBits
    else geometry.rankBits + geometry.bankBits + geometry.lineColumnBits + foldedBits
  }

  def apply(config: WeirConfig, location: Location): UInt =
    if (config.policies.forwarding) location.asUInt
    else {
      val rowBits = config.geometry.rowBits
      val folded  = (0 until rowBits by foldedBits)
        .map(low => location.row(math.min(low + foldedBits, rowBits) - 1, low))
        .reduce(_ ^ _)
      location.rank ## location.bank ## location.column ## folded.pad(foldedBits)
    }
}
