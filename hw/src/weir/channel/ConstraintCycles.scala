// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._

/** Least cycles from one command to another; named from the earlier command to the later. `Same` means same
  * bank group, `Other` another bank group of the same rank, `Rank` another rank.
  *
  * @param width  bits of the field of a name
  * @param ofSets whether sets of banks of a rank are refreshed by themselves
  */
class ConstraintCycles(width: String => Int, ofSets: Boolean) extends Bundle with ConstraintCycles.ByName {
  private def constraint(name: String): UInt = UInt(width(name).W)

  val activateToRead           = constraint("activateToRead")
  val activateToWrite          = constraint("activateToWrite")
  val activateToPrecharge      = constraint("activateToPrecharge")
  val prechargeToActivate      = constraint("prechargeToActivate")
  val readToPrecharge          = constraint("readToPrecharge")
  val writeToPrecharge         = constraint("writeToPrecharge")
  val activateSame             = constraint("activateSame")
  val activateOther            = constraint("activateOther")
  val fourActivates            = constraint("fourActivates")
  val readToReadSame           = constraint("readToReadSame")
  val readToReadOther          = constraint("readToReadOther")
  val readToReadRank           = constraint("readToReadRank")
  val readToWrite              = constraint("readToWrite")
  val readToWriteRank          = constraint("readToWriteRank")
  val writeToReadSame          = constraint("writeToReadSame")
  val writeToReadOther         = constraint("writeToReadOther")
  val writeToReadRank          = constraint("writeToReadRank")
  val writeToWriteSame         = constraint("writeToWriteSame")
  val writeToWriteOther        = constraint("writeToWriteOther")
  val writeToWriteRank         = constraint("writeToWriteRank")
  val refreshToActivate        = constraint("refreshToActivate")
  val halfRefreshToActivate    = constraint("halfRefreshToActivate")
  val quarterRefreshToActivate = constraint("quarterRefreshToActivate")
  val calibrateToActivate      = constraint("calibrateToActivate")
  val prechargeToRefresh       = constraint("prechargeToRefresh")
  val refreshInterval          = constraint("refreshInterval")
  val refreshesToCalibrate     = constraint("refreshesToCalibrate")

  /** From the refresh of a set to one of another, and to an activate beside it; from an activate to the refresh of a set. */
  val refreshToRefresh       = Option.when(ofSets)(constraint("refreshToRefresh"))
  val refreshToActivateOther = Option.when(ofSets)(constraint("refreshToActivateOther"))
  val activateToRefresh      = Option.when(ofSets)(constraint("activateToRefresh"))
}

object ConstraintCycles {

  /** Constraints, or times, that are found by their names. */
  trait ByName { self: Record =>
    def apply(name: String): UInt = elements(name).asInstanceOf[UInt]
  }
}
