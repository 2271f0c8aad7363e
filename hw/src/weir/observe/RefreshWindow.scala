// SPDX-License-Identifier: Apache-2.0
package weir.observe

import chisel3._
import weir.config.WeirConfig

/** Whom each refresh of a rank stalled.
  *
  * The time for which the rank is kept from accesses (`blocked`) is divided among its refresh commands: to each belongs
  * what goes before it, as far as no other refresh ended there, and what follows until accesses are let in or another
  * refresh command goes out.
  */
class RefreshWindow(config: WeirConfig) extends Module {
  private val sources = config.axi.sources

  val io = IO(new Bundle {
    val blocked = Input(Bool())

    /** A refresh command goes out. */
    val refresh = Input(Bool())

    /** Sources that are stalled by refresh in this cycle. */
    val stalls = Input(UInt(sources.W))

    /** The refresh is under way: from its command, included, until the rank has accesses again. */
    val refreshing = Output(Bool())

    /** A refresh ended, and the sources that it stalled. */
    val ended   = Output(Bool())
    val stalled = Output(UInt(sources.W))
  })
  private val begun   = RegInit(false.B)
  private val stalled = RegInit(0.U(sources.W))

  io.refreshing := io.blocked && (begun || io.refresh)
  io.ended      := begun && (!io.blocked || io.refresh)
  io.stalled    := stalled

  begun   := io.refreshing
  stalled := Mux(io.blocked, Mux(io.ended, 0.U, stalled) | io.stalls, 0.U)
}
