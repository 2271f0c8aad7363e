// SPDX-License-Identifier: Apache-2.0
package weir.channel.row

import chisel3._
import weir.config.WeirConfig

/** A row stays open until another row of its bank is needed or its rank is refreshed. */
object OpenRows extends RowPolicy {
  val name        = "open"
  val description = "a row stays open until its bank needs another or its rank a refresh"

  def closes(config: WeirConfig, control: RowControl, banks: RowView): UInt = 0.U(banks.waiting.getWidth.W)
}
