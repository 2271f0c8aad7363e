// SPDX-License-Identifier: Apache-2.0
package weir.config

import chisel3.util.log2Ceil

/** The pages of 4 KiB of a config's NVM region, and what stands in them. Pages and superpages are numbered from the first byte of
  * memory, DRAM included. The region is all pages from the first one on; memory has whole superpages.
  */
class RegionPages(config: WeirConfig) {
  import NvmRegion._

  private def taking(bytes: BigInt): Int = ((bytes + pageBytes - 1) / pageBytes).toInt

  /** Pages of the whole memory, and bits of a page's number. */
  val all: Int  = (config.memoryBytes / pageBytes).toInt
  val bits: Int = log2Ceil(all)

  /** Lines of a page, and bits that choose one. */
  val lines: Int    = pageBytes / config.geometry.lineBytes
  val lineBits: Int = log2Ceil(lines)

  /** The first page, and how many there are. */
  val first: Int = all / config.geometry.ranks * config.nvm.get.firstRank
  val count: Int = all - first

  /** The first superpage, and how many there are. */
  val firstSuperpage: Int = first / pagesPerSuperpage
  val superpages: Int     = count / pagesPerSuperpage

  /** Pages that the tables of remapping take: a bit for each page of the region, and a pointer of 8 bytes for each. */
  val bitmapTable: Int  = taking(count / 8)
  val pointerTable: Int = taking(BigInt(count) * 8)
}
