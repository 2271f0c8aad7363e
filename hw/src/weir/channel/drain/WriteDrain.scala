// SPDX-License-Identifier: Apache-2.0
package weir.channel.drain

import chisel3._
import weir.config.WeirConfig

/** Decides which ranks write and which read, by the write drain policy in force: drains between water marks
  * ([[MarkedDrain]]), or turns in order of arrival ([[ArrivalTurns]]). Where policies are not programmable only the one of
  * the config is built.
  *
  * A policy may change while accesses wait: a drain under way goes on by the new rules, or ends where there are no drains.
  *
  * Latency: what is decided shows one cycle later, or two where turns are in order of arrival.
  */
class WriteDrain(config: WeirConfig) extends Module {
  private val ranks    = config.geometry.ranks
  private val policies = config.policies

  val io = IO(new Bundle {
    val view = Input(new DrainView(config))

    /** Ranks whose writes may have commands; the others' reads may. */
    val write = Output(Vec(ranks, Bool()))

    /** Those of them whose reads may have row commands, in banks for which no write waits. */
    val readsAhead = Output(Vec(ranks, Bool()))

    /** A drain begins. */
    val starts = Output(Vec(ranks, Bool()))
  })

  private val choice = new DrainChoice(config, io.view.control)

  private def marked = new MarkedDrain(config, io.view)
  private def turns  = new ArrivalTurns(config, io.view)

  private val (write, starts) =
    if (policies.programmablePolicies) {
      val (drains, inOrder) = (marked, turns)
      (Mux(choice.equalPriority, inOrder.write, drains.write), Mux(choice.equalPriority, inOrder.starts, drains.starts))
    } else {
      val only: WriteDrainPolicy = if (policies.draining.equalPriority) turns else marked
      (only.write, only.starts)
    }
  io.write      := write.asBools
  io.starts     := starts.asBools
  io.readsAhead := Mux(choice.readsAhead && !choice.equalPriority, write, 0.U(ranks.W)).asBools
}

/** The choices of [[DrainControl]] as a config leaves them: constants where policies are not programmable, and no choice
  * among ranks where there is only one, nor of reads ahead without `Policies.mayReadAhead`.
  */
private[drain] class DrainChoice(config: WeirConfig, control: DrainControl) {
  private val policies                                = config.policies
  private val severalRanks                            = config.geometry.ranks > 1
  private def either(bit: Bool, fixed: Boolean): Bool =
    if (policies.programmablePolicies) bit else fixed.B

  val sharedMarks: Bool   = if (severalRanks) either(control.sharedMarks, policies.draining.sharedMarks) else false.B
  val together: Bool      = if (severalRanks) either(control.together, policies.draining.together) else false.B
  val equalPriority: Bool = either(control.equalPriority, policies.draining.equalPriority)
  val atHighMark: Bool    = either(control.atHighMark, policies.draining.atHighMark)
  val readsAhead: Bool    =
    if (policies.mayReadAhead) either(control.readsAhead, policies.draining.readsAhead) else false.B
}
