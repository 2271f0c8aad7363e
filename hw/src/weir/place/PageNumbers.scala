// SPDX-License-Identifier: Apache-2.0
package weir.place

import chisel3._
import chisel3.util.log2Ceil
import weir.config.{NvmRegion, RegionPages, WeirConfig}

/** In which page and superpage of a memory with an NVM region a line lies, as [[weir.config.RegionPages]] numbers them. The
  * rank is the highest part of a number.
  */
class PageNumbers(config: WeirConfig) {
  import config.geometry

  private val region = new RegionPages(config)

  /** Bits of the number of a page within its superpage. */
  val inSuperpageBits: Int = log2Ceil(NvmRegion.pagesPerSuperpage)

  /** Bits of a page's number, and of a superpage's. */
  val pageBits: Int      = region.bits
  val superpageBits: Int = pageBits - inSuperpageBits

  /** Number of the page in which a line lies. */
  def page(line: UInt): UInt = line >> region.lineBits

  /** Whether a page lies in the region. */
  def isInside(page: UInt): Bool = page(pageBits - 1, pageBits - geometry.rankBits) >= config.nvm.get.firstRank.U

  /** Number of the superpage of a page. */
  def superpage(page: UInt): UInt = page >> inSuperpageBits

  /** Number of a superpage of the region among those of the region. */
  def inRegion(superpage: UInt): UInt = {
    val below = superpageBits - geometry.rankBits
    val rank  = superpage(superpageBits - 1, below) - config.nvm.get.firstRank.U
    val count = log2Ceil(region.superpages)
    (if (below == 0) rank else rank ## superpage(below - 1, 0)).pad(count)(count.max(1) - 1, 0)
  }
}
