// SPDX-License-Identifier: Apache-2.0
package weir.place.map

/** Channel above row above rank above bank above column: a row holds consecutive lines, and consecutive rows lie in
  * different banks, so that a stream finds its next row's bank free; each channel is one piece of memory. It is
  * LiteDRAM's `ROW_BANK_COL`, whose bank number has the rank on top.
  */
object RowRankBankColumn extends AddressMap {
  val name        = "row_rank_bank_column"
  val description = "Whole rows one after the other, over banks, then ranks; the channels one after the other"

  def masks(bits: PlaceBits): Masks = {
    import bits._
    Masks(column ++ bank ++ rank ++ row ++ channel)
  }
}

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

/** [[BankInterleaved]] with each bank bit XORed with a low bit of the row: lines that would lie in different rows of one bank,
  * as those at a power-of-two stride do, mostly lie in different banks.
  *
  * "Bank-XOR" of the paper on rank assignment (see [[NonInterleaved]]), after Zhang, Zhu and Zhang, A Permutation-based
  * Page Interleaving Scheme to Reduce Row-buffer Conflicts and Exploit Data Locality, MICRO 2000.
  */
object BankXor extends AddressMap {
  val name        = "bank_xor"
  val description = "As bank_interleaved, but the bank number is XORed with the low bits of the row"

  def masks(bits: PlaceBits): Masks = {
    val plain = BankInterleaved.masks(bits)
    plain.copy(bank = plain.bank.zip(plain.row).map { case (bank, row) => bank | row })
  }
}

/** [[RowRankBankColumn]] with the rank above the row: each rank is one range of addresses, so that a rank of another kind of
  * memory ([[weir.config.NvmRegion]]) is one too. A stream finds its next row in another bank of the same rank.
  */
object RankRowBankColumn extends AddressMap {
  val name        = "rank_row_bank_column"
  val description = "Whole rows one after the other, over banks; the ranks one after the other, then the channels"

  def masks(bits: PlaceBits): Masks = {
    import bits._
    Masks(column ++ bank ++ row ++ rank ++ channel)
  }
}
