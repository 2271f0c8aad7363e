// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util._

/** Chooses one bank of those that want, from a place that moves on by one bank in each cycle, so that none is preferred.
  * Combinational from `wants` to the choice (one-hot, 0 if none wants).
  */
class BankTurn(banks: Int) {
  private val all   = ((BigInt(1) << banks) - 1).U(banks.W)
  private val after = RegInit(all)
  after := Mux(after(banks - 2, 0) === 0.U, all, after << 1)

  def choose(wants: UInt): UInt = {
    val here = wants & after
    Mux(here.orR, PriorityEncoderOH(here), PriorityEncoderOH(wants))
  }
}
