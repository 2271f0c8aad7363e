// SPDX-License-Identifier: Apache-2.0
package weir.channel.row

import chisel3._
import weir.config.WeirConfig

/** A row is closed as soon as no queued access hits it. */
object ClosedRows extends RowPolicy {
  val name        = "closed"
  val description = "a row is closed as soon as no queued access hits it"

  def closes(config: WeirConfig, control: RowControl, banks: RowView): UInt = {
    val width = banks.waiting.getWidth
    ((BigInt(1) << width) - 1).U(width.W)
  }
}
