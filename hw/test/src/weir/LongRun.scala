// SPDX-License-Identifier: Apache-2.0
package weir

import org.scalatest.Tag

/** The tag of what `make test` leaves out and `make scala-long` runs: further configs and values of what another test of
  * the class shows.
  */
object LongRun extends Tag("long") {

  /** The tags of a test that is `usual` in `make test` or not. */
  def unless(usual: Boolean): Seq[Tag] = if (usual) Nil else Seq(this)
}
