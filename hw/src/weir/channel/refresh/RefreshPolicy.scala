// SPDX-License-Identifier: Apache-2.0
package weir.channel.refresh

import chisel3._
import weir.config.WeirConfig

/** What a policy sees of one rank, as hardware. Refreshes are counted in shares ([[RefreshShares]]).
  *
  * @param whole     shares of a whole refresh
  * @param part      shares of a refresh of the granularity in force; `whole` with 1x
  * @param owed      shares that are owed; negative when the rank is ahead
  * @param postpone  whole refreshes that may be postponed
  * @param forced    so many are owed
  * @param nearlyForced a share more makes it so
  * @param mayPullIn another whole refresh keeps within what may be pulled in
  * @param begun     parts of a refresh are still to come
  * @param allOwe    every rank owes a whole refresh
  * @param turn      the rank has its turn of the ranks, which each have once in a quarter of tREFI
  * @param idle      no access of the rank wants to go now
  * @param quiet     steps of `refresh_idle` cycles for which that has been so, up to 31
  * @param busy      reads of the rank fill at least half of its share of the read queue
  */
case class RefreshView(
    whole: Int,
    part: UInt,
    owed: SInt,
    postpone: UInt,
    forced: Bool,
    nearlyForced: Bool,
    mayPullIn: Bool,
    begun: Bool,
    allOwe: Bool,
    turn: Bool,
    idle: Bool,
    quiet: UInt,
    busy: Bool
) {

  /** A whole refresh is owed. */
  def due: Bool = owed >= whole.S

  /** The rank is so far behind that only whole refreshes, which take less time in all, catch up. */
  def behind: Bool = owed >= (2 * whole).S
}

/** When a rank is refreshed, and whether in parts: combinational from what is seen of the rank. A policy holds no state, so
  * that it may be changed at any time; what must always hold (limits of postponing and pulling in, parts that make up
  * wholes) is kept outside of it.
  */
trait RefreshPolicy {

  /** Its name in configs and in the register map. */
  def name: String

  /** What it does, for the register map. */
  def description: String

  /** Whether no DDR3 or DDR4 part can do it; it is left out of configs for real parts. */
  def beyondJedec: Boolean = false

  /** Whether it refreshes in parts, which the DRAM must be able to do ([[WeirConfig.fineRefresh]]). */
  def inParts: Boolean = false

  /** Whether it may refresh before a whole refresh is owed. */
  def pullsIn: Boolean = false

  /** Refreshes fall due; if not, none are owed. */
  def refreshes: Boolean = true

  /** The rank is to be refreshed. */
  def wants(view: RefreshView): Bool

  /** In a part of the granularity in force. */
  def inPart(view: RefreshView): Bool = false.B

  /** Whether a share more would make a refresh that waits for no access: its rank's queued accesses should go before. */
  def nearlyDue(view: RefreshView): Bool = view.owed >= (view.whole - 1).S
}

object RefreshPolicy {

  /** Every policy; its place is its code in the register. Those of real parts come first, so that the codes that a config
    * has are without gaps.
    */
  val all: Seq[RefreshPolicy] =
    Seq(DeferUntilEmpty, Elastic, Staggered, Simultaneous, FineGranularity, Adaptive, Pausing, NoRefresh)

  /** Width of the register. */
  val codeBits = 3

  def code(policy: RefreshPolicy): Int = all.indexOf(policy)

  /** Those that the DRAM of a config can do. */
  def possible(config: WeirConfig): Seq[RefreshPolicy] = all.filter(policy =>
    (!policy.beyondJedec || config.policies.beyondJedec) && (!policy.inParts || config.fineRefresh)
  )

  /** The policy that a config starts with. */
  def first(config: WeirConfig): RefreshPolicy = possible(config)
    .find(_.name == config.policies.refresh)
    .getOrElse(
      throw new IllegalArgumentException(
        s"Policies.refresh = ${config.policies.refresh}: ${config.name} can have ${possible(config).map(_.name).mkString(", ")}"
      )
    )

  /** Those that a config holds. */
  def offered(config: WeirConfig): Seq[RefreshPolicy] =
    if (config.policies.programmablePolicies) possible(config) else Seq(first(config))
}
