// SPDX-License-Identifier: Apache-2.0
package weir.channel.row

import chisel3._
import weir.config.{RowClosing, WeirConfig}

/** A row is closed when its bank has had no column command for `timeout` cycles: its precharge is chosen that many cycles
  * after the column command, if nothing more useful is. A changed time counts from the next column command of a bank on.
  *
  * The idea is that of the page close timers of many controllers (for one in the open: PAGECLOSE_TIMER of the uMCTL2, in
  * the manual of Microchip's SAMA7G5).
  */
object RowTimeout extends RowPolicy {
  val name        = "timeout"
  val description = "a row is closed after row_timeout cycles without a column command"

  def closes(config: WeirConfig, control: RowControl, banks: RowView): UInt = {
    // two cycles are over when the count shows: the one in the command register and the one of the choice
    val start  = control.timeout - RowClosing.leastTimeout.U
    val counts = banks.step.getOrElse(true.B)
    VecInit(banks.column.asBools.map { used =>
      val left = RegInit(0.U(control.timeout.getWidth.W))
      when(used)(left := start).elsewhen(left =/= 0.U && counts)(left := left - 1.U)
      left === 0.U
    }).asUInt
  }
}
