// SPDX-License-Identifier: Apache-2.0
package weir.migrate

import chisel3._

/** How `regs` sees the mover; directions as `regs` sees them. */
class MoverPort extends Bundle {

  /** A command is given, in a cycle in which there is room. Addresses of bytes, from the first byte of memory. */
  val give      = Output(Bool())
  val operation = Output(MoveOperation())
  val page      = Output(UInt(64.W))
  val frame     = Output(UInt(64.W))
  val room      = Input(Bool())

  val rate = Output(new MoveRate)

  /** Commands that were given and that were completed, since reset; they wrap. */
  val issued    = Input(UInt(16.W))
  val completed = Input(UInt(16.W))

  /** Results of the last commands, each in the place of its number modulo [[MoveQueue.depth]]. */
  val results = Input(Vec(MoveQueue.depth, UInt(MoveResult.bits.W)))

  /** Lines that were read to be copied, since reset; wraps. */
  val lines = Input(UInt(32.W))
}
