// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._

/** Counts controller cycles until something is allowed again.
  *
  * `ready` is a register: the cycle after `start(n)` it is low for `n - 1` cycles, so that the next command goes out at the
  * earliest `n` cycles after the one that started it. A start never shortens a wait that is under way; at most one start
  * may come in a cycle.
  */
class Countdown(width: Int) {
  private val count = RegInit(0.U(width.W))
  private val idle  = RegInit(true.B)

  private val next     = Mux(count === 0.U, 0.U, count - 1.U)
  private val nextIdle = count <= 1.U
  count := next
  idle  := nextIdle

  /** High when nothing has to be waited for any more. */
  def ready: Bool = idle

  /** What is left to wait, in cycles. */
  def remaining: UInt = count

  /** Starts a wait of `distance` cycles (at least 1) counted from this cycle. */
  def start(distance: UInt): Unit = {
    val load   = distance - 1.U
    val longer = load > next
    count := Mux(longer, load, next)
    idle  := nextIdle && load === 0.U
  }
}
