// SPDX-License-Identifier: Apache-2.0
package weir.dfi

import chisel3._
import weir.config.WeirConfig

/** The DFI as LiteDRAM's PHYs know it (litedram/phy/dfi.py), from the controller's view; the phases of each signal side by
  * side, phase 0 in the lowest bits. `N` phases, `R` ranks, pseudo-ranks not
  * counted.
  *
  * A whole burst crosses in one cycle: the lowest byte of `wrdata` and `rddata` is the lowest byte of the line.
  */
class Dfi(config: WeirConfig) extends Bundle {
  private val phases   = config.phy.phases
  private val geometry = config.geometry.electrical

  /** Row, or beat column with A10 = 0; N fields of `addressPins` bits. */
  val address = Output(UInt((phases * geometry.addressPins).W))

  /** Pseudo-rank above bank group above bank; N fields. */
  val bank    = Output(UInt((phases * geometry.bankBits).W))
  val ras_n   = Output(UInt(phases.W))
  val cas_n   = Output(UInt(phases.W))
  val we_n    = Output(UInt(phases.W))
  val act_n   = Output(UInt(phases.W))
  val reset_n = Output(UInt(phases.W))

  /** N fields of R bits. */
  val cs_n = Output(UInt((phases * geometry.ranks).W))
  val cke  = Output(UInt((phases * geometry.ranks).W))
  val odt  = Output(UInt((phases * geometry.ranks).W))

  val wrdata       = Output(UInt(geometry.lineBits.W))
  val wrdata_mask  = Output(UInt(geometry.lineBytes.W))
  val wrdata_en    = Output(UInt(phases.W))
  val rddata_en    = Output(UInt(phases.W))
  val rddata       = Input(UInt(geometry.lineBits.W))
  val rddata_valid = Input(UInt(phases.W))

  /** Another master, such as software, wants the DFI; it has it while `phymstr_ack` is high too (named as the PHY Master
    * interface of DFI 4.0; what they promise is in [[weir.channel.DfiHandover]]). `req` stays high until `ack` is, and `ack`
    * falls in the cycle after `req`.
    */
  val phymstr_req = Input(Bool())
  val phymstr_ack = Output(Bool())
}
