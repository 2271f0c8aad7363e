// SPDX-License-Identifier: Apache-2.0
package weir.config

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
