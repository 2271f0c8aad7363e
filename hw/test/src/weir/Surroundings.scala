// SPDX-License-Identifier: Apache-2.0
package weir

import chisel3._
import chisel3.util.{Fill, ShiftRegister}
import weir.config.WeirConfig
import weir.dfi.Dfi
import weir.front.Axi4

/** What stands around a controller in benches that look at other things than data. */
object Surroundings {

  /** A PHY that answers every read, in time, with nothing. */
  def answer(dfi: Dfi, config: WeirConfig): Unit = {
    dfi.rddata       := 0.U
    dfi.rddata_valid := Fill(
      config.phy.phases,
      ShiftRegister(dfi.rddata_en.orR, config.phy.readLatency, false.B, true.B)
    )
    dfi.phymstr_req := false.B
  }

  /** A manager that offers nothing, and takes every answer. */
  def idle(port: Axi4): Unit = {
    port         := DontCare
    port.awvalid := false.B
    port.wvalid  := false.B
    port.arvalid := false.B
    port.rready  := true.B
    port.bready  := true.B
  }
}
