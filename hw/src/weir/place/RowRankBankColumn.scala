// SPDX-License-Identifier: Apache-2.0
package weir.place

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
