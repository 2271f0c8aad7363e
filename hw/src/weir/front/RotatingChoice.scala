// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._

/** Chooses one of `n` requests (a power of two), starting above the one taken last: a request is passed by at most `n` - 1
  * others. Combinational; two trees side by side, so that the delay grows with the logarithm of `n`.
  */
class RotatingChoice(n: Int) extends Module {
  require(isPow2(n), s"RotatingChoice: n = $n must be a power of two")
  val io = IO(new Bundle {
    val requests = Input(UInt(n.W))

    /** The choice is taken; the next one starts above it. */
    val take   = Input(Bool())
    val any    = Output(Bool())
    val oneHot = Output(UInt(n.W))
    val index  = Output(UInt(log2Ceil(n).W))
  })

  /** Whether there is a request, and the lowest one's index. */
  private def lowest(requests: Seq[Bool]): (Bool, UInt) =
    if (requests.size == 1) (requests.head, 0.U(0.W))
    else {
      val Seq((anyLow, low), (anyHigh, high)) = requests.grouped(requests.size / 2).map(lowest).toSeq
      (anyLow || anyHigh, Cat(!anyLow, Mux(anyLow, low, high)))
    }

  private val above               = RegInit(0.U(n.W))
  private val (any, first)        = lowest(io.requests.asBools)
  private val (anyLater, nextOne) = lowest((io.requests & above).asBools)
  io.any    := any
  io.index  := Mux(anyLater, nextOne, first)
  io.oneHot := Mux(any, UIntToOH(io.index, n), 0.U)
  when(io.take && any)(above := VecInit(Seq.tabulate(n)(_.U > io.index)).asUInt)
}
