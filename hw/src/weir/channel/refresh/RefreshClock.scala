// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import chisel3._
import chisel3.util._
import weir.channel.ConstraintTable
import weir.config.WeirConfig

/** Says when a share of a refresh falls due, for all ranks of all channels at once: every tREFI / `shares.whole`, on average
  * exactly (a phase accumulator divides), each time at most a cycle late. Nothing that software changes makes it lose time:
  * when the interval is made shorter than what has gone by of it, a share falls due at once.
  */
class RefreshClock(config: WeirConfig, shares: RefreshShares) extends Module {
  private val ranks      = config.refreshedApart
  private val constraint = ConstraintTable.bundle(config).refreshInterval

  val io = IO(new Bundle {

    /** tREFI in controller cycles. */
    val interval = Input(constraint)

    /** Time counts. */
    val run = Input(Bool())

    /** Which channel this is, where there are several. */
    val channel = Option.when(config.channels > 1)(Input(UInt(config.channelBits.W)))

    /** Cycles before a share falls due from which `near` is high. */
    val ahead = Input(UInt(12.W))

    val due  = Output(Bool())
    val near = Output(Bool())

    /** Whose turn it is: each rank of each channel has one once between two shares ([[RefreshShares.turn]]). */
    val turn = Output(UInt(ranks.W))
  })

  // goes up by so many shares each cycle, and falls by an interval when one is due
  private val phase = RegInit(0.U((constraint.getWidth + 1).W))
  private val sum   = phase + shares.whole.U
  private val due   = sum >= io.interval
  private val past  = sum - io.interval
  // more than an interval when that was made shorter
  private val rest = if (shares.whole == 1) 0.U else Mux(past >= io.interval, 0.U, past)
  when(io.run)(phase := Mux(due, rest, sum))

  io.due  := due && io.run
  io.near := RegNext(phase +& (io.ahead << log2Ceil(shares.whole)).asUInt >= io.interval, false.B)

  // the interval in as many pieces as there are ranks in all channels
  private val turns    = ranks * config.channels
  private val turnBits = log2Ceil(turns)
  private val begun    = VecInit
    .tabulate(turns) { turn =>
      val begin = (0 until turnBits)
        .map(bit => if ((turn >> bit & 1) == 1) io.interval >> (turnBits - bit) else 0.U)
        .foldLeft(0.U(1.W))(_ +& _)
      phase >= begin
    }
    .asUInt
  private val turn = begun & ~(begun >> 1).pad(turns)
  io.turn := shares.ofChannel(io.channel)(channel =>
    VecInit.tabulate(ranks)(rank => turn(shares.turn(channel, rank))).asUInt
  )
}
