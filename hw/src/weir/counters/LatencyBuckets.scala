// SPDX-License-Identifier: Apache-2.0
package weir.counters

import chisel3._
import chisel3.util.PriorityEncoder

/** The buckets of the read latency histogram, by controller cycles: bucket 0 holds what is below 8, bucket b from 2^(b+2)
  * to below 2^(b+3), the last one all that is more.
  */
object LatencyBuckets {
  val count: Int         = 12
  private val first: Int = 3

  /** The least latency of a bucket. */
  def least(bucket: Int): Int = if (bucket == 0) 0 else 1 << (bucket + first - 1)

  /** The bucket of a latency. */
  def apply(cycles: UInt): UInt = {
    require(
      least(count - 1) < (1 << cycles.getWidth),
      s"LatencyBuckets: a latency of ${cycles.getWidth} bits: must reach ${least(count - 1)}"
    )
    (count - 1).U - PriorityEncoder((1 until count).reverse.map(bucket => cycles >= least(bucket).U) :+ true.B)
  }

  /** The range of a bucket in words. */
  def range(bucket: Int): String =
    if (bucket == 0) s"below ${least(1)}"
    else if (bucket == count - 1) s"${least(bucket)} and more"
    else s"${least(bucket)} to ${least(bucket + 1) - 1}"
}
