// SPDX-License-Identifier: Apache-2.0
package weir.place.monitor

import chisel3._
import chisel3.util._
import weir.config.{NvmRegion, WeirConfig}
import weir.place.{MonitoredAccess, PageNumbers}

/** The second stage: the accesses of each page of the chosen superpages, a write as many as `weight`, in 15 bits and a
  * flag that tells of more (Rainbow, section III-B, phase 2). Accesses of other superpages are not counted. The counter
  * of a page is that of its number within its superpage, 512 for each slot.
  *
  * `hot` names a page in the moment in which its counter reaches `threshold`, once in an interval.
  *
  * Latency: two cycles more than [[SaturatingCounters]], and one more for `hot`. Throughput: one access per cycle.
  */
class PageCounters(config: WeirConfig) extends Module {
  private val slots = config.hotMonitoring.get.chosen
  private val count = slots * NvmRegion.pagesPerSuperpage
  private val pages = new PageNumbers(config)

  val io = IO(new Bundle {
    val choose    = Flipped(Valid(new ChosenSuperpage(config)))
    val access    = Flipped(Valid(new MonitoredAccess(config)))
    val weight    = Input(UInt(HotMonitorPort.weightBits.W))
    val threshold = Input(UInt(HotMonitorPort.pageCountBits.W))
    val hot       = Valid(new HotPage(config))

    val clear    = Input(Bool())
    val clearing = Output(Bool())

    /** An access is on its way to its counter or to `hot`. */
    val busy = Output(Bool())
    val read = Input(Bool())
    val word = Input(UInt(log2Ceil(count / 2).W))
    val data = Output(UInt(32.W))
  })

  private val chosen = Module(new ChosenSuperpages(config))
  chosen.io.choose          := io.choose
  chosen.io.superpage.valid := io.access.valid
  chosen.io.superpage.bits  := pages.superpage(io.access.bits.page)

  private val lookedUp = RegNext(io.access.valid, false.B)
  private val page     = RegNext(io.access.bits.page)
  private val amount   = RegNext(Mux(io.access.bits.write, io.weight, 1.U))

  private val counters = Module(new SaturatingCounters(count, flagged = true))
  counters.io.add.valid       := RegNext(chosen.io.found.valid, false.B)
  counters.io.add.bits.index  := RegNext(chosen.io.found.bits ## page(pages.inSuperpageBits - 1, 0))
  counters.io.add.bits.amount := RegNext(amount)
  counters.io.clear           := io.clear
  counters.io.read            := io.read
  counters.io.word            := io.word
  io.clearing                 := counters.io.clearing
  io.data                     := counters.io.data

  private val counted = counters.io.counted
  private val reaches = counted.bits.before < io.threshold && counted.bits.after >= io.threshold
  io.hot.valid      := RegNext(counted.valid && reaches, false.B)
  io.hot.bits.count := RegNext(counted.bits.after)
  io.hot.bits.page  := ShiftRegister(page, 3)
  io.busy           := lookedUp || counters.io.add.valid || counted.valid || io.hot.valid
}
