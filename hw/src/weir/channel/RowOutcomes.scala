// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import weir.config.WeirConfig

/** What the row buffer held for each column command, from the commands alone. Combinational from the column command to its
  * outcome; what a command changes shows from the next cycle on.
  */
class RowOutcomes(config: WeirConfig) extends Module {
  private val allBanks = config.geometry.ranks * config.geometry.banks
  private def none     = 0.U(allBanks.W)

  val io = IO(new Bundle {
    val commands = Input(new BankCommands(config))

    /** The bank that is precharged in this cycle is so for an access to another row. */
    val forAccess = Input(Bool())

    /** Of the column command in `commands`. */
    val outcome = Output(RowOutcome())
  })
  private val column   = Mux(io.commands.column.valid, io.commands.column.bits.bank, none)
  private val activate = Mux(io.commands.activate.valid, io.commands.activate.bits.bank, none)
  private val closed   = Mux(io.forAccess, io.commands.closes, none)

  /** Banks whose row has served a column command; that were precharged for an access and not activated since; whose last
    * activate came after such a precharge.
    */
  private val served, makesWay, madeWay = RegInit(none)
  served   := (served & ~activate) | column
  makesWay := (makesWay & ~activate) | closed
  madeWay  := (madeWay & ~activate) | (activate & makesWay)

  io.outcome := Mux(
    (served & column).orR,
    RowOutcome.hit,
    Mux((madeWay & column).orR, RowOutcome.conflict, RowOutcome.miss)
  )
}
