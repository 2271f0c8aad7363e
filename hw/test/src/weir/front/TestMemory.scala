// SPDX-License-Identifier: Apache-2.0
package weir.front

import scala.collection.mutable

/** Bytes of memory from address 0; a byte that was never written has a value that follows from its address. */
class TestMemory {
  private val written = mutable.HashMap.empty[BigInt, Int]

  def apply(address: BigInt): Int =
    written.getOrElse(address, ((address * 0x9e3779b1L) >> 13).toInt & 0xff)

  def update(address: BigInt, value: Int): Unit = written(address) = value

  def bytes(address: BigInt, count: Int): BigInt =
    (count - 1 to 0 by -1).foldLeft(BigInt(0))((word, i) => (word << 8) | apply(address + i))
}
