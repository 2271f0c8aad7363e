// SPDX-License-Identifier: Apache-2.0
package weir.place

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
