// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import weir.config.Axi

/** The signals of one AXI4 port (ARM IHI 0022, AXI4) from the manager's side. Fields are flat and lower-case, so that the
  * Verilog ports carry AXI's own names: `s_axi_0_awvalid`.
  *
  * Left out, as AXI4 allows: region and user signals. `lock`, `cache`, `prot` and `qos` are taken and have no effect: an
  * exclusive access is done as a plain one and answered OKAY, which tells its manager that it was not exclusive.
  */
class Axi4(config: Axi) extends Bundle {
  val awid    = Output(UInt(config.idBits.W))
  val awaddr  = Output(UInt(config.addressBits.W))
  val awlen   = Output(UInt(8.W))
  val awsize  = Output(UInt(3.W))
  val awburst = Output(UInt(2.W))
  val awlock  = Output(UInt(1.W))
  val awcache = Output(UInt(4.W))
  val awprot  = Output(UInt(3.W))
  val awqos   = Output(UInt(4.W))
  val awvalid = Output(Bool())
  val awready = Input(Bool())

  val wdata  = Output(UInt(config.dataBits.W))
  val wstrb  = Output(UInt(config.dataBytes.W))
  val wlast  = Output(Bool())
  val wvalid = Output(Bool())
  val wready = Input(Bool())

  val bid    = Input(UInt(config.idBits.W))
  val bresp  = Input(UInt(2.W))
  val bvalid = Input(Bool())
  val bready = Output(Bool())

  val arid    = Output(UInt(config.idBits.W))
  val araddr  = Output(UInt(config.addressBits.W))
  val arlen   = Output(UInt(8.W))
  val arsize  = Output(UInt(3.W))
  val arburst = Output(UInt(2.W))
  val arlock  = Output(UInt(1.W))
  val arcache = Output(UInt(4.W))
  val arprot  = Output(UInt(3.W))
  val arqos   = Output(UInt(4.W))
  val arvalid = Output(Bool())
  val arready = Input(Bool())

  val rid    = Input(UInt(config.idBits.W))
  val rdata  = Input(UInt(config.dataBits.W))
  val rresp  = Input(UInt(2.W))
  val rlast  = Input(Bool())
  val rvalid = Input(Bool())
  val rready = Output(Bool())
}

/** AXI4's response codes, RRESP and BRESP. EXOKAY is never given. */
object Response {
  val okay: UInt        = 0.U(2.W)
  val subordinate: UInt = 2.U(2.W)
  val decode: UInt      = 3.U(2.W)
}
