// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._
import weir.config.Axi

/** A forward register slice on what a manager sends, the channels AW, W and AR of an AXI4 port: no path leads from their
  * valid or payload at `in` to `out`, for managers that are late in their clock with them. Ready goes back through it, and B
  * and R pass as they are. One clock, that of the module.
  *
  * Latency: one cycle on AW, W and AR, none on B and R. Throughput: one transfer per channel and cycle. It has as many
  * flip-flops as the three channels have signals that are used behind it.
  */
class RequestSlice(config: Axi) extends Module {
  val io = IO(new Bundle {
    val in  = Flipped(new Axi4(config))
    val out = new Axi4(config)
  })
  private val in  = io.in
  private val out = io.out

  out :<>= in
  slice("aw", in.awvalid -> out.awvalid, out.awready -> in.awready)
  slice("w", in.wvalid   -> out.wvalid, out.wready   -> in.wready)
  slice("ar", in.arvalid -> out.arvalid, out.arready -> in.arready)

  /** The payload is loaded whether or not it is valid, so that `valid`, the latest of all, goes to a single flip-flop.
    *
    * @param valid at `in` and at `out`
    * @param ready at `out` and at `in`
    */
  private def slice(channel: String, valid: (Bool, Bool), ready: (Bool, Bool)): Unit = {
    val full  = RegInit(false.B).suggestName(s"${channel}Full")
    val moves = !full || ready._1
    ready._2 := moves
    valid._2 := full
    when(moves)(full := valid._1)
    for ((name, data) <- out.elements if name.startsWith(channel) && (data ne valid._2) && (data ne ready._1))
      data := RegEnable(in.elements(name), moves).suggestName(name)
  }
}

object RequestSlice {

  /** The port as it is behind the slice. */
  def apply(config: Axi, in: Axi4): Axi4 = {
    val slice = Module(new RequestSlice(config))
    slice.io.in :<>= in
    slice.io.out
  }
}
