// SPDX-License-Identifier: Apache-2.0
package weir.place

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
