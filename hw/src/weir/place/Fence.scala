// SPDX-License-Identifier: Apache-2.0
package weir.place

import chisel3._

/** Tells which of the things that were under way when a fence was set are so still. */
object Fence {

  /** A bit for each thing, from registers: those under way in the cycle of the last `set` that have been since, but for the
    * present cycle. What ends and begins anew between two cycles is not told apart from what stays.
    */
  def apply(set: Bool, underWay: UInt): UInt = {
    val marked = RegInit(0.U(underWay.getWidth.W))
    marked := Mux(set, underWay, marked & underWay)
    marked
  }
}
