// SPDX-License-Identifier: Apache-2.0
package weir.place

import chisel3._

/** Tells which of the things that were under way when a fence was set are so still. */
object Fence {

  /** A bit for each thing, from registers: set if it was under way at the last `set` and in every later cycle up to the last
    * one.
    */
  def apply(set: Bool, underWay: UInt): UInt = {
    val marked = RegInit(0.U(underWay.getWidth.W))
    marked := Mux(set, underWay, marked & underWay)
    marked
  }
}
