// SPDX-License-Identifier: Apache-2.0
package weir.place

import chisel3._
import weir.config.WeirConfig
import weir.device.Geometry
import weir.front.LineTag

/** Where a line lies in a channel. `bank` holds the bank group above the bank of the group, as DFI's bank field does;
  * `column` counts lines of the row (bursts), not beats.
  */
class Location(geometry: Geometry) extends Bundle {
  val rank   = UInt(geometry.rankBits.W)
  val bank   = UInt(geometry.bankBits.W)
  val row    = UInt(geometry.rowBits.W)
  val column = UInt(geometry.lineColumnBits.W)
}

/** Where a line lies in the whole memory. */
class Site(config: WeirConfig) extends Bundle {
  val channel  = UInt(config.channelBits.W)
  val location = new Location(config.geometry)
}

/** A line read whose place in DRAM is known. */
class PlacedRead(config: WeirConfig) extends Bundle {
  val location = new Location(config.geometry)
  val source   = UInt(config.axi.sourceBits.W)
  val tag      = new LineTag(config)
}

/** A line write whose place in DRAM is known. */
class PlacedWrite(config: WeirConfig) extends Bundle {
  val location = new Location(config.geometry)
  val source   = UInt(config.axi.sourceBits.W)
  val port     = UInt(new LineTag(config).port.getWidth.W)
  val data     = UInt(config.geometry.lineBits.W)
  val strobe   = UInt(config.geometry.lineBytes.W)
}
