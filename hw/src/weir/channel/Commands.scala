// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util.{OHToUInt, Valid}
import weir.config.WeirConfig
import weir.device.Geometry

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

  def closes(operation: RankOperation.Type): Bool = operation === precharge || operation === prechargeAll
}

class RankCommand(geometry: Geometry) extends Bundle {
  val operation = RankOperation()
  val rank      = UInt(geometry.rankBits.W)
  val bank      = UInt(geometry.bankBits.W)
}

/** A choice of a bank for a queue.
  *
  * @param bank one-hot over all banks, rank above bank
  */
class BankChoice(config: WeirConfig) extends Bundle {

  /** For the write queue; if not for the read queue. */
  val write = Bool()
  val bank  = UInt((config.geometry.ranks * config.geometry.banks).W)

  /** Its number, rank above bank; its rank and its number within the rank, of the widths of [[ColumnCommand]]. */
  def index: UInt      = OHToUInt(bank)
  def rankNumber: UInt = (index >> config.geometry.bankBits).pad(config.geometry.rankBits)
  def bankNumber: UInt = index(config.geometry.bankBits - 1, 0)
}

/** What has been chosen for a cycle: the banks of the commands, whose entries are still to be asked for row and column. */
class BankCommands(config: WeirConfig) extends Bundle {
  val column   = Valid(new BankChoice(config))
  val activate = Valid(new BankChoice(config))

  /** Banks that are closed, one or all of a rank. */
  val closes = UInt((config.geometry.ranks * config.geometry.banks).W)
  val rank   = Valid(new RankCommand(config.geometry))
}

/** The commands of one controller cycle, one of each class at most; [[Channel]] sees to it that two that stand in the same
  * phase are never valid together.
  */
class ChannelCommands(config: WeirConfig) extends Bundle {
  val column   = Valid(new ColumnCommand(config.geometry))
  val activate = Valid(new ActivateCommand(config.geometry))
  val rank     = Valid(new RankCommand(config.geometry))
}
