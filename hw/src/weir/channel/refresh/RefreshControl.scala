// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import chisel3.UInt
import chisel3.util.log2Ceil
import weir.config.WeirConfig
import weir.registers.RegisterBundle

/** What software may change of refreshing.
  *
  * @param all the refresh policies of which those are offered that the config's DRAM can do
  */
class RefreshControl(config: WeirConfig, all: Seq[RefreshPolicy]) extends RegisterBundle {
  import config.policies
  private val writable    = policies.programmablePolicies
  private val possible    = RefreshPolicy.possible(config, all)
  private val meaning     = possible.map(policy => s"${policy.name}: ${policy.description}").mkString("; ")
  private val finestParts = if (config.fineRefresh) 2 else 0

  feature(
    "pseudo_ranks_refresh_apart",
    17,
    1,
    if (config.refreshGroups) 1 else 0,
    "Each of these is refreshed by itself, as sets of banks of DDR5 are; if not all are refreshed at once."
  )

  /** A register of one number. */
  private def number(
      name: String,
      offset: Int,
      about: String,
      bits: Int,
      reset: Int,
      minimum: Int,
      maximum: Int,
      meaning: String
  ): UInt = register(name, offset, about)
    .setting("value", 0, bits, reset, minimum, maximum, meaning, writable = writable)

  /** Refreshes of a rank that may be owed before one is forced. */
  val postpone = number(
    "refresh_postpone",
    0x0c8,
    s"Bound on postponing refreshes (JEDEC allows ${config.mostPostponed}).",
    4,
    policies.refreshPostpone,
    1,
    config.mostPostponed,
    "Refreshes that a rank may owe before one is forced."
  )

  /** Code of the policy. */
  val policy = register("refresh_policy", 0x0cc, "When a rank is refreshed.").setting(
    "value",
    0,
    RefreshPolicy.codeBits,
    RefreshPolicy.first(config).code,
    possible.map(_.code).min,
    possible.map(_.code).max,
    s"Policy. $meaning.",
    possible.map(policy => policy.name -> policy.code),
    writable
  )

  /** Refreshes of a rank that may be made ahead of time. */
  val pullIn = number(
    "refresh_pull_in",
    0x0d0,
    s"Bound on refreshes ahead of time (JEDEC allows ${config.mostPostponed}).",
    4,
    policies.refreshPullIn,
    0,
    config.mostPostponed,
    "Refreshes of a rank that may be made ahead of time."
  )

  /** Controller cycles of a step of the time that a rank must be idle. */
  val idle = number(
    "refresh_idle",
    0x0d4,
    "Idle time of the elastic policy.",
    12,
    policies.refreshIdle,
    1,
    4095,
    "Controller cycles of a step of the time that a rank must be idle."
  )

  /** 0 is 1x, 1 is 2x, 2 is 4x. */
  val granularity = register(
    "refresh_granularity",
    0x0d8,
    "Parts of the policies that refresh in parts; a DDR4 DRAM must be set to the same on-the-fly mode."
  ).setting(
    "value",
    0,
    2,
    log2Ceil(policies.refreshGranularity),
    0,
    finestParts,
    "Granularity.",
    Seq("x1" -> 0, "x2" -> 1, "x4" -> 2).take(finestParts + 1),
    writable
  )

  /** Controller cycles before a refresh falls due in which its rank's queued accesses go first. */
  val drainAhead = number(
    "refresh_drain_ahead",
    0x0dc,
    "Preemptive command drain.",
    12,
    policies.refreshDrainAhead,
    0,
    4095,
    "Controller cycles before a refresh falls due in which queued accesses of its rank go first; 0 for none."
  )
}
