// SPDX-License-Identifier: Apache-2.0
package weir.config

import chisel3.util.log2Ceil

/** The part of memory that is lent out as emulated non-volatile memory: all of the ranks, pseudo-ranks included, from
  * `firstRank` on. The rest is DRAM. Where the rank is the highest part of an address, as the region wants it, the region is
  * one range of addresses, from a superpage's first byte to the end of memory.
  *
  * @param firstRank the region's first rank, 1 to the last rank: rank 0 is always DRAM
  * @param medium    (registers) what it behaves like after reset, one of [[NvmMedia]]
  */
case class NvmRegion(firstRank: Int, medium: String = "pcm-rainbow")

object NvmRegion {

  /** Bytes of the pages that move, and of the superpages in which accesses are counted first (Rainbow, section III). */
  val pageBytes: Int      = 4096
  val superpageBytes: Int = 2 << 20

  val pagesPerSuperpage: Int = superpageBytes / pageBytes
}

/** The pages of 4 KiB of a config's NVM region, and what stands in them. Pages and superpages are numbered from the first byte of
  * memory, DRAM included. The region is all pages from the first one on; memory has whole superpages.
  */
class RegionPages(config: WeirConfig) {
  import NvmRegion._

  private def taking(bytes: BigInt): Int = ((bytes + pageBytes - 1) / pageBytes).toInt

  /** Pages of the whole memory, and bits of a page's number. */
  val all: Int  = (config.memoryBytes / pageBytes).toInt
  val bits: Int = log2Ceil(all)

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
