// SPDX-License-Identifier: Apache-2.0
package weir.channel.row

import chisel3._
import weir.config.WeirConfig

/** The row policies that a config may have in force, and the choice among them: all of them where policies are
  * programmable, else its own alone.
  */
class RowChoice(config: WeirConfig) extends Module {
  val io = IO(new Bundle {
    val control = Input(new RowControl(config))
    val banks   = Input(new RowView(config))

    /** Banks whose row is to be closed as soon as no queued access hits it. */
    val closes = Output(UInt(banks.waiting.getWidth.W))
  })

  private val policies = config.policies
  private val fixed    = RowPolicies.number(policies.rowClosing.policy)

  private def built(policy: RowPolicy): UInt = policy.closes(config, io.control, io.banks)

  io.closes := (if (policies.programmablePolicies) VecInit(RowPolicies.all.map(built))(io.control.policy)
                else built(RowPolicies.all(fixed)))
}

object RowChoice {

  /** Whether a config ever closes a row that no access needs closed. */
  def isNeeded(config: WeirConfig): Boolean =
    config.policies.programmablePolicies || config.policies.rowClosing.policy != OpenRows.name
}
