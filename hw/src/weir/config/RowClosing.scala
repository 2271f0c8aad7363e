// SPDX-License-Identifier: Apache-2.0
package weir.config

/** When rows are closed that no queued access hits; reset values where policies are programmable.
  *
  * @param policy  (register) name of the row policy, one of [[weir.channel.row.RowPolicies]]
  * @param timeout (register) controller cycles without a column command after which `timeout` closes a row
  */
case class RowClosing(policy: String = "adaptive", timeout: Int = 64) {
  require(
    timeout >= RowClosing.leastTimeout && timeout <= RowClosing.greatestTimeout,
    s"RowClosing.timeout = $timeout: must be ${RowClosing.leastTimeout} to ${RowClosing.greatestTimeout} cycles"
  )
}

object RowClosing {

  /** No DRAM lets a row be closed earlier after a column command (tRTP). */
  val leastTimeout = 2

  /** Longer than a row that is not used can wait for the refresh that closes it, in all but the slowest presets. */
  val greatestTimeout = 1023
}
