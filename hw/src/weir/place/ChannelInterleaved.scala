// SPDX-License-Identifier: Apache-2.0
package weir.place

/** Consecutive cache lines of 64 bytes go to the channels in turn; in each channel they fill whole rows, over banks, then
  * ranks. Every page uses all channels at once, and waits for each of them. With one channel it is
  * [[RowRankBankColumn]].
  *
  * "Channel-interleaved" of the paper on rank assignment (see [[NonInterleaved]]).
  */
object ChannelInterleaved extends AddressMap {
  val name        = "channel_interleaved"
  val description = "Cache lines of 64 bytes over the channels in turn; in each, whole rows over banks, then ranks"

  def masks(bits: PlaceBits): Masks = {
    import bits._
    val (below, above) = (column ++ bank ++ rank ++ row).splitAt(cacheLine)
    Masks(below ++ channel ++ above)
  }
}
