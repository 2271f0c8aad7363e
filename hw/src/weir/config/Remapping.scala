// SPDX-License-Identifier: Apache-2.0
package weir.config

import chisel3.util.isPow2

/** Pages of the NVM region may live in DRAM under their NVM address ([[weir.place.remap.RemapUnit]]).
  *
  * The defaults are those of the paper Rainbow (section IV-A, Table IV: 8 ways, 4000 entries) with the number of sets rounded
  * up to a power of two, so that a superpage's number is taken apart into bits: 512 sets of 8 ways.
  *
  * @param bitmapSets,bitmapWays   the cache of migration bitmaps, of 64 bytes (a superpage) each
  * @param pointerSets,pointerWays the cache of pointers to pages in DRAM
  * @param frames                  DRAM pages that may hold pages of the region, at most
  * @param dirtyLines              whether lines written are noted too, and not pages alone
  */
case class Remapping(
    bitmapSets: Int = 512,
    bitmapWays: Int = 8,
    pointerSets: Int = 16,
    pointerWays: Int = 4,
    frames: Int = 4096,
    dirtyLines: Boolean = false
) {
  for ((name, value) <- Seq("bitmapSets" -> bitmapSets, "pointerSets" -> pointerSets))
    require(
      isPow2(value) && value >= 2 && value <= 65536,
      s"Remapping.$name = $value: must be a power of two from 2 to 65536"
    )
  for ((name, value) <- Seq("bitmapWays" -> bitmapWays, "pointerWays" -> pointerWays))
    require(isPow2(value) && value >= 2 && value <= 16, s"Remapping.$name = $value: must be 2, 4, 8 or 16")
  require(
    isPow2(frames) && frames >= 32 && frames <= (1 << 20),
    s"Remapping.frames = $frames: must be a power of two from 32 to ${1 << 20}"
  )
}
