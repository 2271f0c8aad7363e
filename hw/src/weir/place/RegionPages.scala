// SPDX-License-Identifier: Apache-2.0
package weir.place

import chisel3._
import chisel3.util.log2Ceil
import weir.config.{NvmRegion, WeirConfig}

/** Pages and superpages of a memory with an NVM region. Both are numbered from the first byte of the whole memory, DRAM
  * included; the rank is the highest part of a number.
  */
class RegionPages(config: WeirConfig) {
  import config.geometry

  private val firstRank = config.nvm.get.firstRank
  private val lineBits  = log2Ceil(NvmRegion.pageBytes) - log2Ceil(geometry.lineBytes)

  /** Bits of the number of a page within its superpage. */
  val inSuperpageBits: Int = log2Ceil(NvmRegion.pagesPerSuperpage)

  /** Bits of a page's number, and of a superpage's. */
  val pageBits: Int      = config.lineAddressBits - lineBits
  val superpageBits: Int = pageBits - inSuperpageBits

  private val superpagesPerRank = 1 << (superpageBits - geometry.rankBits)

  /** The region's first superpage, and how many it has. */
  val firstSuperpage: Int = firstRank * superpagesPerRank
  val superpages: Int     = (geometry.ranks - firstRank) * superpagesPerRank

  /** Number of the page in which a line lies. */
  def page(line: UInt): UInt = line >> lineBits

  /** Whether a page lies in the region. */
  def isInside(page: UInt): Bool = page(pageBits - 1, pageBits - geometry.rankBits) >= firstRank.U

  /** Number of the superpage of a page. */
  def superpage(page: UInt): UInt = page >> inSuperpageBits

  /** Number of a superpage of the region among those of the region. */
  def inRegion(superpage: UInt): UInt = {
    val below = superpageBits - geometry.rankBits
    val rank  = superpage(superpageBits - 1, below) - firstRank.U
    (if (below == 0) rank else rank ## superpage(below - 1, 0))
      .pad(log2Ceil(superpages))(log2Ceil(superpages).max(1) - 1, 0)
  }
}
