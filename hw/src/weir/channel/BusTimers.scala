// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import weir.config.WeirConfig

/** When each bank group of each rank may next be read and written: tCCD, tWTR, the turn of the bus from read to write, and
  * tRTRS between ranks.
  *
  * The outputs come from registers; a column command given in one cycle shows in the next.
  */
class BusTimers(config: WeirConfig) extends Module {
  private val geometry = config.geometry
  val io               = IO(new Bundle {
    val distances = Input(DistanceTable.bundle(config))
    val column    = Input(Bool())
    val write     = Input(Bool())
    val rank      = Input(UInt(geometry.rankBits.W))
    val group     = Input(UInt(geometry.bankGroupBits.W))

    /** For each rank and bank group: a read, a write breaks no rule of the bus. */
    val readable = Output(Vec(geometry.ranks, Vec(geometry.bankGroups, Bool())))
    val writable = Output(Vec(geometry.ranks, Vec(geometry.bankGroups, Bool())))
  })

  private val d = io.distances
  for (rank <- 0 until geometry.ranks; group <- 0 until geometry.bankGroups) {
    val untilRead  = new Countdown(DistanceTable.width(config))
    val untilWrite = new Countdown(DistanceTable.width(config))
    val sameRank   = io.rank === rank.U
    val sameGroup  = io.group === group.U

    def distance(same: UInt, other: UInt, otherRank: UInt): UInt =
      Mux(sameRank, Mux(sameGroup, same, other), otherRank)

    when(io.column) {
      untilRead.start(
        Mux(
          io.write,
          distance(d.writeToReadSame, d.writeToReadOther, d.writeToReadRank),
          distance(d.readToReadSame, d.readToReadOther, d.readToReadRank)
        )
      )
      untilWrite.start(
        Mux(
          io.write,
          distance(d.writeToWriteSame, d.writeToWriteOther, d.writeToWriteRank),
          distance(d.readToWrite, d.readToWrite, d.readToWriteRank)
        )
      )
    }
    io.readable(rank)(group) := untilRead.ready
    io.writable(rank)(group) := untilWrite.ready
  }
}
