// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._

/** The lowest bit that is set, found by a tree, so that the delay grows with the logarithm of the width. */
object Lowest {

  /** Whether a bit is set, and the index of the lowest one; the width is a power of two. */
  def apply(bits: UInt): (Bool, UInt) = {
    require(isPow2(bits.getWidth), s"Lowest: ${bits.getWidth} bits: must be a power of two")
    search(bits.asBools)
  }

  private def search(bits: Seq[Bool]): (Bool, UInt) =
    if (bits.size == 1) (bits.head, 0.U(0.W))
    else {
      val Seq((anyLow, low), (anyHigh, high)) = bits.grouped(bits.size / 2).map(search).toSeq
      (anyLow || anyHigh, Cat(!anyLow, Mux(anyLow, low, high)))
    }
}
