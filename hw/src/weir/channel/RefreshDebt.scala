// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import weir.config.WeirConfig

/** Counts the refreshes that one rank is owed, and says when one should go out.
  *
  * Every tREFI one more is owed. It is wanted as soon as the rank has nothing to do, and forced when `postpone` of them are
  * owed: JEDEC lets up to eight be postponed, as long as no two refreshes are more than nine tREFI apart (JESD79-3F 4.14.2,
  * JESD79-4 4.26); a forced one has a whole tREFI to go out. The ranks' intervals are shifted against each other by
  * tREFI / ranks, so that forced refreshes of a busy channel come in turn.
  */
class RefreshDebt(config: WeirConfig, rank: Int) extends Module {
  val io = IO(new Bundle {
    val interval = Input(UInt(16.W))
    val postpone = Input(UInt(4.W))

    /** The rank has no access that wants it now. */
    val idle = Input(Bool())

    /** A refresh goes out in this cycle. */
    val refresh = Input(Bool())

    val wanted = Output(Bool())
    val forced = Output(Bool())
  })

  // the first interval of rank r is longer by r / ranks of an interval
  private val first = config.timing.tREFI / config.phy.phases * (config.geometry.ranks + rank) / config.geometry.ranks
  private val remaining = RegInit(first.U(17.W))
  private val owed      = RegInit(0.U(4.W))
  private val due       = remaining <= 1.U
  remaining := Mux(due, io.interval, remaining - 1.U)

  when(due && !io.refresh)(owed := owed + 1.U)
  when(!due && io.refresh)(owed := owed - 1.U)

  private val forced = RegNext(owed >= io.postpone, false.B)
  io.forced := forced
  io.wanted := forced || RegNext(owed =/= 0.U && io.idle, false.B)

  assert(owed <= 8.U, "RefreshDebt: more than eight refreshes postponed")
}
