// SPDX-License-Identifier: Apache-2.0
package weir.place.monitor

import chisel3._
import chisel3.util._
import weir.config.{RegionPages, WeirConfig}
import weir.place.{MonitoredAccess, PageNumbers}

/** The first stage: the accesses of each superpage of the region (Rainbow, section III-B, phase 1), a write as many as
  * `weight`.
  *
  * A superpage has the counter of its number in the region. Where there are fewer counters than superpages, several
  * share one, which then counts for all of them and is for each the most that it can have been accessed: those with
  * equal low bits of the number or, where the config says `hashed`, with an equal XOR of all groups of so many bits, so
  * that superpages at a stride of the number of counters, as large arrays are walked, do not all meet.
  *
  * Latency: one cycle more than [[SaturatingCounters]]. Throughput: one access per cycle.
  */
class SuperpageCounters(config: WeirConfig) extends Module {
  private val count = SuperpageCounters.count(config)
  private val pages = new PageNumbers(config)

  val io = IO(new Bundle {
    val access = Flipped(Valid(new MonitoredAccess(config)))
    val weight = Input(UInt(HotMonitorPort.weightBits.W))

    val clear    = Input(Bool())
    val clearing = Output(Bool())

    /** An access is on its way to its counter. */
    val busy = Output(Bool())
    val read = Input(Bool())
    val word = Input(UInt(log2Ceil(count / 2).W))
    val data = Output(UInt(32.W))
  })

  private val number = pages.inRegion(pages.superpage(io.access.bits.page))
  private val bits   = log2Ceil(count)
  private val index  =
    if (config.hotMonitoring.get.hashed)
      (0 until number.getWidth by bits).map(low => (number >> low).asUInt.pad(bits)(bits - 1, 0)).reduce(_ ^ _)
    else number(bits - 1, 0)

  private val amount = RegNext(Mux(io.access.bits.write, io.weight, 1.U))

  private val counters = Module(new SaturatingCounters(count, flagged = false))
  counters.io.add.valid       := RegNext(io.access.valid, false.B)
  counters.io.add.bits.index  := RegNext(index)
  counters.io.add.bits.amount := amount
  counters.io.clear           := io.clear
  counters.io.read            := io.read
  counters.io.word            := io.word
  io.clearing                 := counters.io.clearing
  io.busy                     := counters.io.add.valid || counters.io.counted.valid
  io.data                     := counters.io.data
}

object SuperpageCounters {

  /** Counters that a config has. */
  def count(config: WeirConfig): Int =
    config.hotMonitoring.get.superpageCounters.getOrElse(new RegionPages(config).superpages)
}
