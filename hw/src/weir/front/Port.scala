// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** One AXI4 port: its channels, tied to the read half and the write half, which know nothing of each other. */
class Port(config: WeirConfig) extends Module {
  val io = IO(new Bundle {
    val port     = Input(UInt(log2Ceil(config.axi.ports).W))
    val axi      = Flipped(new Axi4(config.axi))
    val reads    = Decoupled(new LineRead(config))
    val writes   = Decoupled(new LineWrite(config))
    val returns  = Flipped(Valid(new LineReturn(config)))
    val accepted = Input(Bool())

    /** The address of a read burst is taken from its manager: in the cycle in which it comes here or, with
      * `Pipeline.request`, before.
      */
    val asked = Input(Bool())
    val began = Option.when(config.observation.explains)(Valid(new BegunRead(config)))
  })
  private val axi   = io.axi
  private val read  = Module(new ReadPort(config))
  private val write = Module(new WritePort(config))

  read.io.port         := io.port
  read.io.bursts.valid := axi.arvalid
  read.io.bursts.bits  := Burst(config, axi.arid, axi.araddr, axi.arlen, axi.arsize, axi.arburst)
  axi.arready          := read.io.bursts.ready
  read.io.returns      := io.returns
  read.io.asked        := io.asked
  io.reads <> read.io.reads
  io.began.zip(read.io.began).foreach { case (outer, inner) => outer := inner }

  axi.rvalid          := read.io.beats.valid
  axi.rid             := read.io.beats.bits.id
  axi.rdata           := read.io.beats.bits.data
  axi.rresp           := read.io.beats.bits.response
  axi.rlast           := read.io.beats.bits.last
  read.io.beats.ready := axi.rready

  write.io.port         := io.port
  write.io.bursts.valid := axi.awvalid
  write.io.bursts.bits  := Burst(config, axi.awid, axi.awaddr, axi.awlen, axi.awsize, axi.awburst)
  axi.awready           := write.io.bursts.ready
  write.io.beats.valid  := axi.wvalid
  write.io.beats.bits   := WriteBeat(config, axi.wdata, axi.wstrb)
  axi.wready            := write.io.beats.ready
  write.io.accepted     := io.accepted
  io.writes <> write.io.writes

  axi.bvalid               := write.io.responses.valid
  axi.bid                  := write.io.responses.bits.id
  axi.bresp                := write.io.responses.bits.response
  write.io.responses.ready := axi.bready
}
