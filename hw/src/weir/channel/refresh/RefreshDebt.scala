// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import chisel3._
import chisel3.util.RegEnable
import weir.config.WeirConfig

/** What one rank owes, in shares of a refresh, and which refresh in parts has been begun.
  *
  * JEDEC (JESD79-3F 4.14.2, JESD79-4B 4.26): at most eight refreshes may be postponed, so that no two are more than nine
  * tREFI apart, and at most eight pulled in; of a rank of DDR5 it is four ([[WeirConfig.mostPostponed]]). The debt counts what falls due whatever the policy, so that a change of it
  * neither forgives nor adds anything. A rank that is ahead owes nothing for long, so the time since its last refresh forces
  * one too.
  *
  * A forced refresh has a whole tREFI to go out, in which its rank is closed: the register map sees to it that a refresh, a
  * calibration and two row cycles fit there, and [[RefreshBudget]] is full after so long a time. JEDEC lets the next refresh
  * after a part come no later than eight tREFI and that part's share of one; so after a part the limit of eight is reached as
  * much sooner as the part was less than a whole.
  *
  * Latency: `forced` and `mayPullIn` are registers, one cycle behind `owed`.
  *
  * @param rank    its number in its channel
  * @param pullsIn whether the rank may be ahead
  */
class RefreshDebt(config: WeirConfig, shares: RefreshShares, rank: Int, pullsIn: Boolean) extends Module {
  val io = IO(new Bundle {

    /** Which channel the rank is of, where there are several; of use in reset. */
    val channel = Option.when(config.channels > 1)(Input(UInt(config.channelBits.W)))

    /** A share falls due. */
    val due      = Input(Bool())
    val postpone = Input(UInt(4.W))
    val pullIn   = Input(UInt(4.W))

    /** A refresh goes out in this cycle, of this granularity (0: 1x, 1: 2x, 2: 4x). */
    val refresh     = Input(Bool())
    val granularity = Input(UInt(2.W))

    /** The rank is not ours to refresh: time goes on, but no more than eight refreshes are owed for it. */
    val held = Input(Bool())

    val owed   = Output(SInt(shares.bits.W))
    val forced = Output(Bool())

    /** The next share makes it forced. */
    val nearlyForced = Output(Bool())
    val mayPullIn    = Output(Bool())

    /** Parts of a refresh are still to come; their granularity. */
    val begun            = Output(Bool())
    val begunGranularity = Output(UInt(2.W))

    /** The refresh that goes out completes a whole one. */
    val completes = Output(Bool())
  })

  private val mostPostponed = config.mostPostponed

  private def inShares(refreshes: UInt): SInt = (refreshes * shares.whole.U).zext

  private val paid = shares.of(io.granularity)
  private val owed = RegInit(shares.ofChannel(io.channel)(shares.atStart(_, rank).S(shares.bits.W)))
  private val next = owed + Mux(io.due, 1.S, 0.S) - Mux(io.refresh, paid.zext, 0.S)
  // a whole refresh less, not the limit itself: what is left of the share keeps the ranks' turns apart
  owed    := Mux(io.held && next > (mostPostponed * shares.whole).S, next - shares.whole.S, next)
  io.owed := owed

  /** Shares that have fallen due since the last refresh; of a rank that is never ahead no more than it owes. */
  private val since = Option.when(pullsIn) {
    val since = RegInit(0.U((shares.bits - 1).W))
    when(io.refresh)(since := 0.U)
      .elsewhen(io.due && !since.andR && !(io.held && since >= (mostPostponed * shares.whole).U))(since := since + 1.U)
    since
  }

  /** Width of the shares of a whole refresh that are behind, while some are still to come. */
  private val partBits = shares.ofOneBits - 1

  /** Shares of a whole refresh that the last one left out. */
  private val leftOut =
    if (shares.inParts) RegEnable((shares.whole.U - paid)(partBits - 1, 0), 0.U(partBits.W), io.refresh) else 0.U
  private val limit = inShares(io.postpone) - Mux(io.postpone === mostPostponed.U, leftOut, 0.U).zext

  private def forcedIn(more: Int): Bool =
    (owed +: since.map(_.zext).toSeq).map(_ +& more.S >= limit).reduce(_ || _)
  private val forced = RegNext(forcedIn(0), false.B)
  io.forced       := forced
  io.nearlyForced := RegNext(forcedIn(1), false.B)
  io.mayPullIn    := RegNext(owed +& inShares(io.pullIn) >= shares.whole.S, false.B)

  if (!shares.inParts) {
    io.begun            := false.B
    io.begunGranularity := 0.U
    io.completes        := true.B
  } else {
    val parts       = RegInit(0.U(partBits.W))
    val granularity = Reg(UInt(2.W))
    when(io.refresh) {
      parts       := parts + paid(partBits - 1, 0)
      granularity := io.granularity
    }
    io.begun            := parts =/= 0.U
    io.begunGranularity := granularity
    io.completes        := parts + paid(partBits - 1, 0) === 0.U
    assert(!io.refresh || !io.begun || io.granularity === granularity, "RefreshDebt: a refresh is ended in other parts")
  }

  private val most = (mostPostponed + 1) * shares.whole
  assert(owed <= most.S && owed >= (-most).S, s"RefreshDebt: more than $mostPostponed refreshes postponed or pulled in")
  for (shares <- since) assert(shares <= most.U, s"RefreshDebt: more than ${mostPostponed + 1} tREFI without a refresh")
}
