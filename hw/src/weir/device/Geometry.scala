// SPDX-License-Identifier: Apache-2.0
package weir.device

import chisel3.util.{isPow2, log2Ceil}

/** How one channel of DRAM is laid out: what a rank, a bank and a row are.
  *
  * @param ranks         chip selects that share the data bus (1 to 4)
  * @param bankGroups    bank groups of a rank; 1 on parts without bank groups (DDR3)
  * @param banksPerGroup banks of a bank group; all banks of the rank where there are no groups
  * @param rowBits       row address bits (JEDEC A0 to A(rowBits-1))
  * @param columnBits    column address bits, of which the lowest choose a beat of the burst
  * @param dqBits        width of the data bus in bits (8 to 64)
  * @param wholeRank     the only rank of the chips, where `ranks` are groups of its banks ([[inPseudoRanks]])
  * @param burstLength   beats of a burst (8 or 16)
  * @param bankAboveGroup whether the number of a bank has the bank above the bank group; if not it is below, as DFI carries it
  */
case class Geometry(
    ranks: Int,
    bankGroups: Int,
    banksPerGroup: Int,
    rowBits: Int,
    columnBits: Int,
    dqBits: Int,
    wholeRank: Option[Geometry] = None,
    burstLength: Int = 8,
    bankAboveGroup: Boolean = false
) {

  /** Ranks that are groups of banks of one rank; 1 where ranks are ranks. */
  val pseudoRanks: Int = if (wholeRank.isEmpty) 1 else ranks

  /** Whether these are sets of banks, one of each bank group, that the DRAM can refresh by themselves. */
  val refreshedInSets: Boolean = bankAboveGroup && pseudoRanks > 1

  /** What the DFI and the DRAM's timings see: a chip select for each rank, and all banks and bank groups of the chips. */
  def electrical: Geometry = wholeRank.getOrElse(this)

  require(ranks >= 1 && ranks <= 4, s"Geometry.ranks = $ranks: 1 to 4 ranks are supported")
  require(
    isPow2(ranks),
    s"Geometry.ranks = $ranks: must be a power of two, so that an address bit is a rank bit"
  )
  require(
    isPow2(bankGroups) && bankGroups <= 4,
    s"Geometry.bankGroups = $bankGroups: must be 1, 2 or 4"
  )
  require(
    isPow2(banksPerGroup),
    s"Geometry.banksPerGroup = $banksPerGroup: must be a power of two"
  )

  /** Banks of one rank, over all bank groups. */
  val banks: Int = bankGroups * banksPerGroup
  require(
    banks >= (if (pseudoRanks > 1) 2 else 4) && banks <= 16,
    s"Geometry: bankGroups x banksPerGroup = $banks banks: 4 to 16 banks are supported"
  )
  require(
    rowBits >= 8 && rowBits <= 18,
    s"Geometry.rowBits = $rowBits: 8 to 18 are supported"
  )
  require(
    columnBits >= 5 && columnBits <= 11,
    s"Geometry.columnBits = $columnBits: 5 to 11 are supported"
  )
  require(
    isPow2(dqBits) && dqBits >= 8 && dqBits <= 64,
    s"Geometry.dqBits = $dqBits: must be 8, 16, 32 or 64"
  )

  require(Set(8, 16).contains(burstLength), s"Geometry.burstLength = $burstLength: must be 8 or 16")
  require(
    dqBits * burstLength <= 8 * 64,
    s"Geometry.dqBits = $dqBits: must be at most ${8 * 64 / burstLength} with bursts of $burstLength, as a line has at most 64 bytes"
  )

  /** DRAM clocks that a burst keeps the data bus busy. */
  val burstClocks: Int = burstLength / 2

  val rankBits: Int      = log2Ceil(ranks)
  val bankGroupBits: Int = log2Ceil(bankGroups)

  /** Bits that name a bank of a rank: bank group above bank, or the other way round. */
  val bankBits: Int = log2Ceil(banks)

  /** The bank group of a bank of a rank. */
  def groupOf(bank: Int): Int = if (bankAboveGroup) bank % bankGroups else bank / banksPerGroup

  /** Bytes that one burst carries: the line, Weir's unit of access. */
  val lineBytes: Int = burstLength * dqBits / 8
  val lineBits: Int  = lineBytes * 8

  /** Column address bits that choose a line of a row. */
  val lineColumnBits: Int = columnBits - log2Ceil(burstLength)

  /** Bits of a line's number in one channel. */
  val lineAddressBits: Int = rankBits + bankBits + rowBits + lineColumnBits

  /** Bytes of one channel. */
  val bytes: BigInt = BigInt(lineBytes) << lineAddressBits

  /** Width of DFI's address: the row, and never less than A10 (auto precharge, precharge all) and A12 (burst chop). */
  val addressPins: Int = rowBits.max(if (columnBits > 10) 14 else 13)

  for (rank <- wholeRank)
    require(
      rank.ranks == 1 && rank.banks == ranks * banks && rank.rowBits == rowBits && rank.columnBits == columnBits &&
        rank.dqBits == dqBits && rank.burstLength == burstLength && rank.bankAboveGroup == bankAboveGroup,
      s"Geometry: $ranks pseudo-ranks of $banks banks are not $rank"
    )

  /** The same chips, the banks of their only rank divided into `count` equal groups that are ranks to the channel and to
    * software: pseudo-ranks. The number of a pseudo-rank is the upper bits of the bank on the DFI.
    *
    * Where there are bank groups each pseudo-rank has whole ones, so that two pseudo-ranks are never in the same bank group;
    * or, where the bank is above the group, one bank of each group, which a DRAM can refresh together.
    */
  def inPseudoRanks(count: Int): Geometry = {
    require(Set(1, 2, 4).contains(count), s"Geometry.inPseudoRanks($count): must be 1, 2 or 4")
    if (count == 1) this
    else {
      require(
        ranks == 1 && wholeRank.isEmpty,
        s"Geometry.inPseudoRanks($count): must be 1 where Geometry.ranks = $ranks, as only a single rank is divided"
      )
      require(
        !bankAboveGroup || count == banksPerGroup,
        s"Geometry.inPseudoRanks($count): must be 1 or Geometry.banksPerGroup = $banksPerGroup, one bank of each group for each"
      )
      require(
        bankAboveGroup || bankGroups == 1 || bankGroups % count == 0,
        s"Geometry.inPseudoRanks($count): must be at most Geometry.bankGroups = $bankGroups, as each has whole bank groups"
      )
      require(
        banks / count >= 2,
        s"Geometry.inPseudoRanks($count): must be at most ${banks / 2}, so that each of them has two of the $banks banks"
      )
      val wholeGroups = bankGroups > 1 && !bankAboveGroup
      copy(
        ranks = count,
        bankGroups = if (wholeGroups) bankGroups / count else bankGroups,
        banksPerGroup = if (wholeGroups) banksPerGroup else banksPerGroup / count,
        wholeRank = Some(this)
      )
    }
  }
}
