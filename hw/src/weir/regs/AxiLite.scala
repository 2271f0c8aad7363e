// SPDX-License-Identifier: Apache-2.0
package weir.regs

import chisel3._

/** AXI4-Lite (AMBA AXI and ACE protocol, IHI 0022), 32 bits of data; directions as the manager sees them.
  *
  * @param addressBits width of the byte addresses
  */
class AxiLite(addressBits: Int) extends Bundle {
  val awaddr  = Output(UInt(addressBits.W))
  val awprot  = Output(UInt(3.W))
  val awvalid = Output(Bool())
  val awready = Input(Bool())

  val wdata  = Output(UInt(32.W))
  val wstrb  = Output(UInt(4.W))
  val wvalid = Output(Bool())
  val wready = Input(Bool())

  val bresp  = Input(UInt(2.W))
  val bvalid = Input(Bool())
  val bready = Output(Bool())

  val araddr  = Output(UInt(addressBits.W))
  val arprot  = Output(UInt(3.W))
  val arvalid = Output(Bool())
  val arready = Input(Bool())

  val rdata  = Input(UInt(32.W))
  val rresp  = Input(UInt(2.W))
  val rvalid = Input(Bool())
  val rready = Output(Bool())
}

object AxiLite {
  val okay   = 0.U(2.W)
  val slverr = 2.U(2.W)
}
