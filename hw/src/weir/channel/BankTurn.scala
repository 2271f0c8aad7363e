// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util._

/** Chooses one bank of those that want in turn: the first after the one that had the turn last. Combinational from `wants`
  * to the choice (one-hot, 0 if none wants).
  *
  * @param last the bank that had the turn last (one-hot), in the cycle after it was chosen; then the turn moves on
  */
class BankTurn(banks: Int, last: Valid[UInt]) {
  private val after = RegInit(((BigInt(1) << banks) - 1).U(banks.W))
  when(last.valid)(after := VecInit.tabulate(banks)(i => if (i == 0) false.B else last.bits(i - 1, 0).orR).asUInt)

  def choose(wants: UInt): UInt = {
    val here = wants & after
    Mux(here.orR, PriorityEncoderOH(here), PriorityEncoderOH(wants))
  }
}
