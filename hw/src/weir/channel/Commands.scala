// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util.Valid
import weir.config.{Geometry, WeirConfig}

/** A read or write command. `column` counts lines of the row. */
class ColumnCommand(geometry: Geometry) extends Bundle {
  val write  = Bool()
  val rank   = UInt(geometry.rankBits.W)
  val bank   = UInt(geometry.bankBits.W)
  val column = UInt(geometry.lineColumnBits.W)
}

/** An activate command. */
class ActivateCommand(geometry: Geometry) extends Bundle {
  val rank = UInt(geometry.rankBits.W)
  val bank = UInt(geometry.bankBits.W)
  val row  = UInt(geometry.rowBits.W)
}

/** Commands that close rows or need them closed; they share a phase. */
object RankOperation extends ChiselEnum {
  val precharge, prechargeAll, refresh, calibrate = Value
}

class RankCommand(geometry: Geometry) extends Bundle {
  val operation = RankOperation()
  val rank      = UInt(geometry.rankBits.W)
  val bank      = UInt(geometry.bankBits.W)
}

/** The commands of one controller cycle, one of each class at most; [[Channel]] sees to it that two that stand in the same
  * phase are never valid together.
  */
class ChannelCommands(config: WeirConfig) extends Bundle {
  val column   = Valid(new ColumnCommand(config.geometry))
  val activate = Valid(new ActivateCommand(config.geometry))
  val rank     = Valid(new RankCommand(config.geometry))
}
