// SPDX-License-Identifier: Apache-2.0
package weir.channel.drain

import chisel3._
import chisel3.util.log2Ceil
import weir.config.WeirConfig

/** What a write drain policy sees of the queues. */
class DrainView(config: WeirConfig) extends Bundle {
  private val ranks      = config.geometry.ranks
  private def writeLevel = UInt(log2Ceil(config.policies.writeQueue + 1).W)
  private def readLevel  = UInt(log2Ceil(config.policies.readQueue + 1).W)

  val control = new DrainControl(config)

  /** Queued writes of each rank; where classes do not rest, without the one whose command is in the command register. */
  val writes     = Vec(ranks, writeLevel)
  val writesFull = Bool()

  /** Queued reads, and whether one has waited too long. */
  val reads      = readLevel
  val readUrgent = Bool()

  /** A read waits for a write of the rank, or a write of it has waited too long; whether one has in any. */
  val cause       = Vec(ranks, Bool())
  val writeUrgent = Bool()

  /** An access is queued. */
  val readArrives  = Bool()
  val writeArrives = Bool()

  /** A column command is in the command register. */
  val readIssued  = Bool()
  val writeIssued = Bool()

  /** The cycle counts in times that are given in cycles. */
  val step = Option.when(config.policies.timeScaling.isThere)(Bool())
}

/** A write drain policy, built of what it sees: says which ranks write and which read. */
trait WriteDrainPolicy {

  /** Ranks whose writes may have commands; the others' reads may. From registers and the levels of the queues. */
  def write: UInt

  /** Ranks of which a drain begins. */
  def starts: UInt
}
