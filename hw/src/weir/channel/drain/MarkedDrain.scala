// SPDX-License-Identifier: Apache-2.0
package weir.channel.drain

import chisel3._
import chisel3.util.log2Ceil
import weir.config.WeirConfig

/** Reads first; writes are gathered and drained between a high and a low water mark.
  *
  * The marks are for the queued writes of each rank, or shared: for those of all ranks together. Drains are of each rank
  * apart, or of all ranks together.
  *
  *   - Marks of each rank, ranks apart: a rank's drain starts at its high mark and ends at its low mark.
  *   - Shared marks, ranks apart: from the high to the low mark ranks drain one after the other, the one with the most
  *     writes first, until it has none left.
  *   - Ranks together: all ranks drain as soon as one (or their sum) is at the high mark, until none (or not their sum) is
  *     above the low mark.
  *
  * Unless `atHighMark`, drains start above the low mark already when no read is queued: else the bus would rest, and the
  * drain come when reads wait.
  *
  * With `readsAhead` drains that nobody needed give way: when a read comes and no rank has been at its high mark nor had
  * another cause since drains began, all end, for the turn of the bus that the read waits for in any case.
  *
  * A drain also starts, whatever the marks, when the write queue is full, or when a read waits for a write of the rank or
  * one of its writes has waited for the age limit (`cause`); it ends only when its cause has gone. With no read for
  * [[quietCycles]] all ranks that have writes write.
  *
  * No class starves the other, in all of these alike: when `writeQueue` writes have gone while reads wait, all drains end,
  * also those that follow one another without a pause, and then none starts before as many reads as the read queue holds
  * went out or none is left; and none starts while the oldest read is urgent.
  */
private[drain] class MarkedDrain(config: WeirConfig, view: DrainView) extends WriteDrainPolicy {
  private val ranks    = config.geometry.ranks
  private val policies = config.policies
  private val choice   = new DrainChoice(config, view.control)

  /** Read-free cycles after which writes below the high water mark may go: more than a read spends between queue and
    * requester, so that a requester that waits for each read before it sends the next is not slowed by bus turns.
    */
  private val quietCycles = 32

  private val draining  = RegInit(VecInit(Seq.fill(ranks)(false.B)))
  private val issued    = RegInit(0.U(log2Ceil(policies.writeQueue + 1).W))
  private val readsTurn = RegInit(0.U(log2Ceil(policies.readQueue + 1).W))
  private val noReads   = view.reads === 0.U

  // a flag beside the count, as the choice of commands waits for it
  private val quiet   = RegInit(0.U(log2Ceil(quietCycles).W))
  private val isQuiet = RegInit(false.B)
  when(!noReads) {
    quiet   := 0.U
    isQuiet := false.B
  }.elsewhen(view.step.getOrElse(true.B)) {
    quiet   := quiet +% 1.U
    isQuiet := isQuiet || quiet.andR
  }

  private val batchEnds = issued === policies.writeQueue.U && !noReads

  // --- marks: what each rank's are compared with
  private val each                     = view.writes.toSeq
  private val sum                      = each.reduce(_ +& _)
  private def compared(rank: Int)      = if (ranks == 1) each(rank) else Mux(choice.sharedMarks, sum, each(rank))
  private val early                    = noReads && !choice.atHighMark
  private val low                      = Seq.tabulate(ranks)(compared(_) <= view.control.lowWaterMark)
  private val atMark                   = Seq.tabulate(ranks)(compared(_) >= view.control.highWaterMark)
  private val high                     = Seq.tabulate(ranks)(rank => atMark(rank) || (early && !low(rank)))
  private val any                      = each.map(_ =/= 0.U)
  private val inTurn                   = choice.sharedMarks && !choice.together
  private def fullest(rank: Int): Bool = (0 until ranks)
    .filter(_ != rank)
    .map(other => if (other < rank) each(rank) > each(other) else each(rank) >= each(other))
    .foldLeft(true.B)(_ && _)

  // --- reads that come while writes drain
  private val becomesDue = atMark.reduce(_ || _) || view.writesFull || view.cause.reduce(_ || _)
  private val wasDue     = RegInit(false.B)
  private val isDue      = becomesDue || (wasDue && draining.asUInt.orR)
  private val giveWay    = choice.readsAhead && !isDue && (!noReads || view.readArrives)
  private val mayStart   = (noReads || (readsTurn === 0.U && !view.readUrgent)) && !batchEnds && !giveWay
  wasDue := isDue

  /** With shared marks and ranks apart: the sum has been at the high mark, and not at the low one since. */
  private val sinceHighMark = RegInit(false.B)
  private val betweenMarks  = !low.head && (sinceHighMark || high.head || view.writesFull)
  sinceHighMark := inTurn && betweenMarks && !giveWay

  // --- each rank
  private val stays = Seq.tabulate(ranks)(rank => any(rank) && (!low(rank) || view.cause(rank)))
  // a rank above its low mark that does not drain, as when the policy has just changed, would never come down
  private val anyone = (VecInit(stays).asUInt & draining.asUInt).orR
  private val done   =
    Seq.tabulate(ranks)(rank => if (ranks == 1) !stays(rank) else !Mux(choice.together, anyone, stays(rank)))
  private val stops = Seq.tabulate(ranks)(rank => draining(rank) && (batchEnds || giveWay || done(rank)))
  private def goesOn(rank: Int): Bool = draining(rank) && !stops(rank)

  private val wants = Seq.tabulate(ranks) { rank =>
    val othersGoOn = (0 until ranks).filter(_ != rank).map(goesOn).foldLeft(false.B)(_ || _)
    val byMark     = Mux(inTurn, betweenMarks && fullest(rank) && !othersGoOn, high(rank) || view.writesFull)
    any(rank) && (byMark || view.cause(rank))
  }
  private val someone = VecInit(wants).asUInt.orR
  private val begins  =
    Seq.tabulate(ranks)(rank => !draining(rank) && mayStart && Mux(choice.together, someone, wants(rank)))
  val starts: UInt = VecInit(begins).asUInt
  for (rank <- 0 until ranks) {
    when(begins(rank))(draining(rank)                        := true.B)
    when(stops(rank) || choice.equalPriority)(draining(rank) := false.B)
  }

  // --- fairness between the classes
  when(!draining.asUInt.orR)(issued := 0.U)
    .elsewhen(view.writeIssued && !batchEnds)(issued := issued + (issued =/= policies.writeQueue.U))
  when(noReads)(readsTurn := 0.U)
    .elsewhen(batchEnds && draining.asUInt.orR)(readsTurn := policies.readQueue.U)
    .elsewhen(view.readIssued && readsTurn =/= 0.U)(readsTurn := readsTurn - 1.U)

  val write: UInt = VecInit(draining.zip(any).map { case (drains, has) => drains || (isQuiet && has) }).asUInt
}
