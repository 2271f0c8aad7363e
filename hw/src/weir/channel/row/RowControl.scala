// SPDX-License-Identifier: Apache-2.0
package weir.channel.row

import chisel3.util.log2Ceil
import weir.config.{RowClosing, WeirConfig}
import weir.registers.RegisterBundle

/** What software may change of the row policy. */
class RowControl(config: WeirConfig) extends RegisterBundle {
  private val closing  = config.policies.rowClosing
  private val writable = config.policies.programmablePolicies
  private val meaning  = RowPolicies.all.map(each => s"${each.name}: ${each.description}.").mkString(" ")

  /** Number of the policy ([[RowPolicies]]). */
  val policy = register("row_policy", 0x0e4, "When rows are closed that no queued access hits.").setting(
    "value",
    0,
    log2Ceil(RowPolicies.all.size),
    RowPolicies.number(closing.policy),
    0,
    RowPolicies.all.size - 1,
    s"The policy. $meaning",
    RowPolicies.all.map(_.name).zipWithIndex,
    writable
  )

  /** Controller cycles, for [[RowTimeout]]. */
  val timeout = register("row_timeout", 0x0e8, "Time for the row policy timeout.").setting(
    "value",
    0,
    log2Ceil(RowClosing.greatestTimeout + 1),
    closing.timeout,
    RowClosing.leastTimeout,
    RowClosing.greatestTimeout,
    "Controller cycles after the last column command of a bank after which its row is closed.",
    writable = writable
  )
}
