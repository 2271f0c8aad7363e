// SPDX-License-Identifier: Apache-2.0
package weir.place

/** A page of 4 KiB lies whole in one row, and the next row or page in another channel, then another bank: the most row hits
  * within a page, no parallelism. Where a row is shorter than a page, the page takes one row each of neighbouring
  * banks, and still lies in one channel.
  *
  * "Non-interleaved" of the paper on rank assignment (Shevgoor, Balasubramonian, Chatterjee and Kim, Addressing Service
  * Interruptions in Memory with Thread-to-Rank Assignment, section IV-A).
  */
object NonInterleaved extends AddressMap {
  val name        = "non_interleaved"
  val description = "A page of 4 KiB in one row; rows over channels, then banks, then ranks"

  def masks(bits: PlaceBits): Masks = {
    import bits._
    val (below, above) = (column ++ bank ++ rank ++ row).splitAt(page.max(column.size))
    Masks(below ++ channel ++ above)
  }
}
