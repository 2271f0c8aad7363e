// SPDX-License-Identifier: Apache-2.0
package weir.registers

import chisel3._
import chisel3.util.Valid

/** What of a room's port belongs to a field; directions as `regs` sees them. */
sealed trait Connection
object Connection {

  /** Nothing: the field reads its reset value. */
  case object Constant extends Connection

  /** The value that was written last, from a register. */
  case class Setting(value: Data) extends Connection

  /** What the field reads. */
  case class Status(value: Data) extends Connection

  /** High for one cycle when a 1 is written. */
  case class Pulse(starts: Bool) extends Connection

  /** A flag that the room keeps until it is told to clear it. */
  case class Flag(port: FlagPort) extends Connection

  /** A place in what stands behind other registers. */
  case class Position(port: PositionPort) extends Connection

  /** How far software has read in a ring: it goes no further than where `end` is. */
  case class ReadUpTo(value: UInt, end: UInt) extends Connection
}

/** A flag: `clear` for one cycle when software writes 1. */
class FlagPort extends Bundle {
  val value = Input(Bool())
  val clear = Output(Bool())
}

/** A place in what stands behind other registers: as software wrote it, until `moves` puts it elsewhere; a write goes first. */
class PositionPort(bits: Int) extends Bundle {
  val value = Output(UInt(bits.W))
  val moves = Flipped(Valid(UInt(bits.W)))

  /** The next place, behind the last the first. */
  def next(isLast: Bool): UInt = Mux(isLast, 0.U, value + 1.U)
}

/** A register whose word is fetched when it is read: `read` for one cycle, and `answer` in a later one, up to which the read
  * waits. A word that is not `there` is answered with SLVERR.
  */
class WindowPort extends Bundle {
  val read   = Output(Bool())
  val answer = Flipped(Valid(new Bundle {
    val word  = UInt(32.W)
    val there = Bool()
  }))
}

/** A write that the room judges: `candidate` is the register as it would become, and stands while `check` is high. From some
  * cycle on `checked` is high until `check` falls, and `passes` tells whether the write may be accepted.
  */
class JudgedPort extends Bundle {
  val check     = Output(Bool())
  val candidate = Output(UInt(32.W))
  val checked   = Input(Bool())
  val passes    = Input(Bool())
}

/** Words of 64 bits that can only be read: the word of `index`, `latency` cycles after it. */
class WordsPort(indexBits: Int) extends Bundle {
  val index = Output(UInt(indexBits.W))
  val word  = Input(UInt(64.W))
}
