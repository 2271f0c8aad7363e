// SPDX-License-Identifier: Apache-2.0
package weir.channel.drain

import chisel3._
import chisel3.util.log2Ceil
import weir.config.WeirConfig
import weir.registers.{RegisterBundle, Relation}

/** What software may change of the write drain; water marks, and the fields of [[weir.config.Draining]]. */
class DrainControl(config: WeirConfig) extends RegisterBundle {
  import config.policies
  private val writable = policies.programmablePolicies
  private val markBits = log2Ceil(policies.writeQueue + 1)
  private val marks    =
    register("water_marks", 0x0c0, "When queued writes of a rank are drained; low stays below high.")
  private val choices = register("drain_policy", 0x0e0, "When queued writes go before reads.")

  /** Queued writes of a rank at which its drain starts, and at which it ends. */
  val highWaterMark = marks.setting(
    "high",
    0,
    markBits,
    policies.highWaterMark,
    1,
    policies.writeQueue,
    "Queued writes of a rank at which its drain starts.",
    writable = writable
  )
  val lowWaterMark = marks.setting(
    "low",
    16,
    markBits,
    policies.lowWaterMark,
    0,
    policies.writeQueue - 1,
    "Queued writes of a rank at which its drain ends.",
    writable = writable
  )

  val sharedMarks = choices.choice(
    "marks",
    0,
    policies.draining.sharedMarks,
    "What the water marks are compared with: the queued writes of each rank, or of all ranks together.",
    Seq("per_rank", "shared"),
    writable
  )
  val together = choices.choice(
    "ranks",
    1,
    policies.draining.together,
    "Whether ranks drain apart or all together as soon as one must.",
    Seq("apart", "together"),
    writable
  )
  val equalPriority = choices.choice(
    "priority",
    2,
    policies.draining.equalPriority,
    "Whether reads go first, and writes in drains; or both take turns in the order in which they came, and the other " +
      "fields and the water marks have no meaning.",
    Seq("reads_first", "equal"),
    writable
  )
  val atHighMark = choices.choice(
    "start",
    3,
    policies.draining.atHighMark,
    "Whether writes above the low water mark also drain when no read is queued, or at the high water mark only.",
    Seq("early", "high_mark"),
    writable
  )
  val readsAhead =
    if (!policies.mayReadAhead) fixed(Bool(), 0)
    else
      choices.choice(
        "reads",
        4,
        policies.draining.readsAhead,
        "Whether reads of a rank that drains wait for the drain's end; or go ahead, which ends drains that began for want of " +
          "reads, and opens their rows during any other, in banks for which no write waits.",
        Seq("wait", "ahead"),
        writable
      )

  override def relations: Seq[Relation] = Seq(
    Relation(
      "a drain that starts at the high mark must have something to drain",
      Seq(1 -> "water_marks.low"),
      1,
      "water_marks.high"
    )
  )
}
