// SPDX-License-Identifier: Apache-2.0
package weir.device

/** Classes of commands, each of which has one DFI phase ([[weir.channel.CommandPhases]]). */
sealed trait CommandClass

object CommandClass {
  case object Activate extends CommandClass
  case object Read     extends CommandClass
  case object Write    extends CommandClass

  /** Precharges, refreshes and ZQ calibrations. */
  case object Precharge extends CommandClass
}

/** Where two commands are that a [[Constraint]] keeps apart.
  *
  * @param suffix of the constraint's name
  */
sealed abstract class Scope(val suffix: String)

object Scope {

  /** Both of one bank. */
  case object Bank extends Scope("")

  /** Of one bank group of a rank. */
  case object SameGroup extends Scope("Same")

  /** Of two bank groups of a rank. */
  case object OtherGroup extends Scope("Other")

  /** Of one rank, wherever in it. */
  case object Rank extends Scope("")

  /** Of two ranks. */
  case object OtherRank extends Scope("Rank")
}

/** What keeps two commands apart: so many DRAM clocks at least. The channel makes controller cycles of it
  * ([[weir.channel.ConstraintTable]]), by the phases of the two.
  *
  * @param between   the two commands, named from the earlier to the later
  * @param scope     where the two are
  * @param from,to   their classes; of several later ones it is the one that comes soonest in a cycle
  * @param timing    what keeps them apart, by its name among the device's timings; none where it is `scaled` alone
  * @param scaled    clocks beside it that a time scale multiplies as it does the timing
  * @param fixed     clocks that it does not: by which the bursts come nearer to each other than their commands
  * @param heldBack  two other constraints of the device, whole and part, that come before it: it is at least whole − part
  * @param ofRefresh whether a DRAM that is as fast as its part takes this time whatever the time scale
  */
case class Constraint(
    between: String,
    scope: Scope,
    from: CommandClass,
    to: Seq[CommandClass],
    timing: Option[String],
    scaled: Int = 0,
    fixed: Int = 0,
    heldBack: Option[(String, String)] = None,
    ofRefresh: Boolean = false
) {
  val name: String = between + scope.suffix

  /** DRAM clocks that a time scale multiplies, given the device's timings. */
  def multiplied(timings: Map[String, Int]): Int = timing.map(timings).getOrElse(0) + scaled
}

object Constraint {

  /** One by a timing, between two classes. */
  def apply(between: String, scope: Scope, timing: String, from: CommandClass, to: CommandClass): Constraint =
    Constraint(between, scope, from, Seq(to), Some(timing))
}
