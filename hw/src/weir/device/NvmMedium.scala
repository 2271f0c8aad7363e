// SPDX-License-Identifier: Apache-2.0
package weir.device

import weir.device.Duration.ns

/** A kind of non-volatile memory behind DDR commands: the times that its ranks take where they take longer than DRAM. Names of
  * timings are as in [[Timing]].
  *
  * @param name         in configs
  * @param source       where the times come from
  * @param tWTR         end of write data to read command of the rank
  * @param readLatency  what a line that was read comes later than one of DRAM
  * @param writeLatency write command to the next command of its bank; none where only tWR keeps a written bank busy
  */
case class NvmMedium(
    name: String,
    source: String,
    tRCD: Duration,
    tRP: Duration,
    tRAS: Duration,
    tRC: Duration,
    tRTP: Duration,
    tWR: Duration,
    tWTR: Duration,
    readLatency: Duration,
    writeLatency: Duration
) {

  /** In clocks beside a DRAM, and never shorter than its times. */
  def clocks(dram: Timing, standard: Standard): NvmTiming = {
    def at(time: Duration, least: Int): Int = time.clocksAt(dram.tCKps, standard).max(least)
    NvmTiming(
      tRCD = at(tRCD, dram.tRCD),
      tRP = at(tRP, dram.tRP),
      tRAS = at(tRAS, dram.tRAS),
      tRC = at(tRC, dram.tRC),
      tRTP = at(tRTP, dram.tRTP),
      tWR = at(tWR, dram.tWR),
      tWTR = at(tWTR, dram.tWTR_L),
      readLatency = at(readLatency, 0),
      writeLatency = at(writeLatency, 0)
    )
  }
}

/** The times of a medium at a DRAM clock, all in DRAM clocks; fields as in [[NvmMedium]]. */
case class NvmTiming(
    tRCD: Int,
    tRP: Int,
    tRAS: Int,
    tRC: Int,
    tRTP: Int,
    tWR: Int,
    tWTR: Int,
    readLatency: Int,
    writeLatency: Int
) {

  /** By name. */
  val all: Map[String, Int] =
    productElementNames.zip(productIterator).collect { case (name, value: Int) => name -> value }.toMap
  for ((name, value) <- all)
    require(value <= NvmTiming.greatest, s"NvmTiming.$name = $value: must be at most ${NvmTiming.greatest} clocks")
}

object NvmTiming {

  /** Bits of each time, and the greatest that they hold. */
  val bits: Int     = 10
  val greatest: Int = (1 << bits) - 1
}

/** The media whose times are known. */
object NvmMedia {
  private def clocksOf(tCKps: Int)(count: Int): Duration = ns(BigDecimal(count) * tCKps / 1000)

  /** PCM as in the evaluation of "Rank Assignment": DDR commands at 800 MHz with a row that is slow to restore and write. */
  private val rankAssignment = {
    val clocks = clocksOf(1250) _
    NvmMedium(
      name = "pcm-rank-assignment",
      source = "Rank Assignment, Table II, PCM column",
      tRCD = clocks(11),
      tRP = clocks(11),
      tRAS = clocks(45),
      tRC = clocks(55),
      tRTP = clocks(6),
      tWR = clocks(100),
      tWTR = clocks(6),
      readLatency = ns(0),
      writeLatency = ns(0)
    )
  }

  /** PCM as in the evaluation of "Rainbow": at 10.7 GB/s, thus 667 MHz, tCAS-tRCD-tRP-tRAS = 9-37-100-53 clocks where its DRAM
    * has 7-7-7-18; its reads take 19.5 ns where those of DRAM take 13.5 ns, and its writes 171 ns. tRC is the sum of tRAS
    * and tRP; what the paper does not give is DRAM's.
    */
  private val rainbow = {
    val clocks = clocksOf(1500) _
    NvmMedium(
      name = "pcm-rainbow",
      source = "Rainbow, Table IV, PCM",
      tRCD = clocks(37),
      tRP = clocks(100),
      tRAS = clocks(53),
      tRC = clocks(53 + 100),
      tRTP = ns(0),
      tWR = ns(0),
      tWTR = ns(0),
      readLatency = ns(BigDecimal("19.5") - BigDecimal("13.5")),
      writeLatency = ns(171)
    )
  }

  val all: Seq[NvmMedium] = Seq(rainbow, rankAssignment)

  /** The medium of that name. */
  def apply(name: String): NvmMedium =
    all
      .find(_.name == name)
      .getOrElse(
        throw new IllegalArgumentException(s"NvmRegion.medium = $name: known are ${all.map(_.name).mkString(", ")}")
      )
}
