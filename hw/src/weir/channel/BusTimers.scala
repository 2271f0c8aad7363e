// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import weir.config.WeirConfig

/** When each bank group of each rank may next be read and written: tCCD, tWTR, the turn of the bus from read to write, and
  * tRTRS between ranks.
  *
  * The input is the column command in the command register; the outputs are for the choice of this cycle, as in [[Bank]].
  */
class BusTimers(config: WeirConfig) extends Module {
  private val geometry = config.geometry.electrical
  val io               = IO(new Bundle {
    val constraints = Input(ConstraintTable.bundle(config))

    /** A column command, one-hot over ranks and their bank groups; 0 for none. */
    val column = Input(Vec(geometry.ranks, UInt(geometry.bankGroups.W)))
    val write  = Input(Bool())

    /** For each rank and bank group: a read, a write breaks no rule of the bus. */
    val readable = Output(Vec(geometry.ranks, Vec(geometry.bankGroups, Bool())))
    val writable = Output(Vec(geometry.ranks, Vec(geometry.bankGroups, Bool())))
  })

  for (rank <- 0 until geometry.ranks; group <- 0 until geometry.bankGroups) {
    val sameGroup = io.column(rank)(group)
    val sameRank  = io.column(rank).orR && !sameGroup
    val otherRank = VecInit(io.column.patch(rank, Nil, 1) :+ 0.U).asUInt.orR

    /** ConstraintCycles from a column command of this group, of another of this rank, and of another rank. */
    def after(read: (String, String, String), write: (String, String, String)): Bool =
      Countdown(config, io.constraints)(
        (sameGroup && !io.write) -> read._1,
        (sameRank && !io.write)  -> read._2,
        (otherRank && !io.write) -> read._3,
        (sameGroup && io.write)  -> write._1,
        (sameRank && io.write)   -> write._2,
        (otherRank && io.write)  -> write._3
      )
    io.readable(rank)(group) := after(
      ("readToReadSame", "readToReadOther", "readToReadRank"),
      ("writeToReadSame", "writeToReadOther", "writeToReadRank")
    )
    io.writable(rank)(group) := after(
      ("readToWrite", "readToWrite", "readToWriteRank"),
      ("writeToWriteSame", "writeToWriteOther", "writeToWriteRank")
    )
  }
}
