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
  * @param forced    the limit of postponing is reached: a refresh follows whatever the policy wants
  * @param mayPullIn another whole refresh keeps within what may be pulled in
  * @param begun     parts of a refresh are still to come
  * @param allOwe    every rank of every channel owes a whole refresh
  * @param turn      the rank has its turn of all ranks, which each have once between two shares
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
  * wholes) is kept outside of it, in [[Refresher]].
  */
trait RefreshPolicy {

  /** Its name in configs and in the register map. */
  def name: String

  /** What it does, for the register map. */
  def description: String

  /** Its number in the register `refresh_policy`, of which software knows the meaning: it never changes, and a policy that is
    * added takes one that none has.
    */
  def code: Int

  /** Whether no DDR3 or DDR4 part can do it; it is left out of configs for real parts. */
  def beyondJedec: Boolean = false

  /** Whether it refreshes in parts, which the DRAM must be able to do ([[WeirConfig.fineRefresh]]). */
  def inParts: Boolean = false

  /** Whether it may refresh before a whole refresh is owed. */
  def pullsIn: Boolean = false

  /** Refreshes fall due; if not, none are owed and none is forced. */
  def refreshes: Boolean = true

  /** The rank is to be refreshed before the limit of postponing is reached, where it is refreshed in any case. */
  def wants(view: RefreshView): Bool

  /** In a part of the granularity in force. */
  def inPart(view: RefreshView): Bool = false.B

  /** Whether a share more would make a refresh that waits for no access, other than by the limit of postponing: its rank's
    * queued accesses should go before.
    */
  def nearlyDue(view: RefreshView): Bool = view.owed >= (view.whole - 1).S
}

object RefreshPolicy {

  /** Every policy. */
  val all: Seq[RefreshPolicy] =
    Seq(DeferUntilEmpty, Elastic, Staggered, Simultaneous, FineGranularity, Adaptive, Pausing, NoRefresh)

  require(
    all.map(_.code).distinct.size == all.size,
    s"RefreshPolicy: codes occur twice: ${all.map(policy => s"${policy.name} = ${policy.code}").mkString(", ")}"
  )

  /** Width of the register. */
  val codeBits: Int = BigInt(all.map(_.code).max).bitLength

  /** Those that the DRAM of a config can do, of all or of those of a test. */
  def possible(config: WeirConfig, of: Seq[RefreshPolicy] = all): Seq[RefreshPolicy] =
    of.filter(policy => (!policy.beyondJedec || config.policies.beyondJedec) && (!policy.inParts || config.fineRefresh))

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
