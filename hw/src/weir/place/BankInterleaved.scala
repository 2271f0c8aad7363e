// SPDX-License-Identifier: Apache-2.0
package weir.place

/** Four consecutive cache lines of 64 bytes lie in one bank, the next four in the next bank of the same rank, and so on; then
  * the same rows go on. A page lies in one rank of one channel, in many of its banks.
  *
  * "Bank-interleaved" of the paper on rank assignment (see [[NonInterleaved]]), after Kaseridis, Stuecheli and John,
  * Minimalist Open-Page, MICRO 2011.
  */
object BankInterleaved extends AddressMap {
  val name        = "bank_interleaved"
  val description = "Four cache lines of 64 bytes in one bank, the next four in the next bank of the same rank"

  def masks(bits: PlaceBits): Masks = {
    import bits._
    val (chunk, rest) = column.splitAt(cacheLine + 2)
    Masks(chunk ++ bank ++ rest ++ channel ++ rank ++ row)
  }
}
