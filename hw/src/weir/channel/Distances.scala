// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._

/** Least distances between commands, in controller cycles; named from the earlier command to the later. `Same` means same
  * bank group, `Other` another bank group of the same rank, `Rank` another rank.
  *
  * @param width bits of the field of a name
  */
class Distances(width: String => Int) extends Bundle with Distances.ByName {
  private def distance(name: String): UInt = UInt(width(name).W)

  val activateToRead           = distance("activateToRead")
  val activateToWrite          = distance("activateToWrite")
  val activateToPrecharge      = distance("activateToPrecharge")
  val prechargeToActivate      = distance("prechargeToActivate")
  val readToPrecharge          = distance("readToPrecharge")
  val writeToPrecharge         = distance("writeToPrecharge")
  val activateSame             = distance("activateSame")
  val activateOther            = distance("activateOther")
  val fourActivates            = distance("fourActivates")
  val readToReadSame           = distance("readToReadSame")
  val readToReadOther          = distance("readToReadOther")
  val readToReadRank           = distance("readToReadRank")
  val readToWrite              = distance("readToWrite")
  val readToWriteRank          = distance("readToWriteRank")
  val writeToReadSame          = distance("writeToReadSame")
  val writeToReadOther         = distance("writeToReadOther")
  val writeToReadRank          = distance("writeToReadRank")
  val writeToWriteSame         = distance("writeToWriteSame")
  val writeToWriteOther        = distance("writeToWriteOther")
  val writeToWriteRank         = distance("writeToWriteRank")
  val refreshToActivate        = distance("refreshToActivate")
  val halfRefreshToActivate    = distance("halfRefreshToActivate")
  val quarterRefreshToActivate = distance("quarterRefreshToActivate")
  val calibrateToActivate      = distance("calibrateToActivate")
  val prechargeToRefresh       = distance("prechargeToRefresh")
  val refreshInterval          = distance("refreshInterval")
  val refreshesToCalibrate     = distance("refreshesToCalibrate")
}

object Distances {

  /** Distances, or times, that are found by their names. */
  trait ByName { self: Record =>
    def apply(name: String): UInt = elements(name).asInstanceOf[UInt]
  }
}
