// SPDX-License-Identifier: Apache-2.0
package weir.place.monitor

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.place.MonitoredAccess

/** Counts the accesses to the NVM region in two stages (Rainbow, section III-B), so that software finds the pages that
  * are worth moving without counters for all of them: [[SuperpageCounters]] for every superpage, [[PageCounters]] for
  * the pages of superpages that software chooses. Each stage may count or not; pages whose counter reaches a threshold
  * are put on the [[HotList]].
  *
  * Counters count for an interval ([[IntervalTimer]]) and then stand still until the next, so that what is read is of
  * one interval. A second set of counters to count on in meanwhile would double the memory, and the paper has none.
  * What comes while nothing is counted is not silently lost: `uncounted` has the accesses since the last start that
  * came when the counters were not counting, `dropped` those for which [[AccessFunnel]] had no room; both stay at their
  * greatest value.
  *
  * `accesses` are those that are taken in a cycle, a read and a write at most. Redirected ones are no accesses unless
  * `redirected`.
  *
  * Latency: a count is there at most 12 cycles after its access. Throughput: one access per cycle, two for a few
  * cycles.
  */
class HotMonitor(config: WeirConfig) extends Module {
  val io = IO(new Bundle {
    val accesses = Vec(2, Flipped(Valid(new MonitoredAccess(config))))
    val port     = Flipped(new HotMonitorPort(config))
  })
  private val port = io.port

  private val timer      = Module(new IntervalTimer)
  private val funnel     = Module(new AccessFunnel(config))
  private val superpages = Module(new SuperpageCounters(config))
  private val pages      = Module(new PageCounters(config))
  private val list       = Module(new HotList(config))

  // ---- the interval
  private val starts = RegNext(port.start, false.B)
  timer.io.start    := starts
  timer.io.stop     := RegNext(port.stop, false.B)
  timer.io.periodic := port.periodic
  timer.io.cycles   := port.interval
  timer.io.busy     := !funnel.io.empty || superpages.io.busy || pages.io.busy
  timer.io.clearing := superpages.io.clearing || pages.io.clearing
  port.state        := timer.io.state
  port.ended        := timer.io.ended

  // ---- accesses, and those that are not counted
  private val counting = timer.io.state === IntervalState.counting
  private val seen     = io.accesses.map(access => access.valid && (port.redirected || !access.bits.redirected))
  for (((in, access), seen) <- funnel.io.in.zip(io.accesses).zip(seen)) {
    in.valid := seen && counting
    in.bits  := access.bits
  }

  /** A number of 32 bits that grows and stays at its greatest value, from each start on. */
  private def sinceStart(growth: UInt): UInt = {
    val number = RegInit(0.U(32.W))
    val sum    = number +& growth
    number := Mux(starts, 0.U, Mux(sum(32), Fill(32, 1.U(1.W)), sum(31, 0)))
    number
  }
  port.uncounted := sinceStart(Mux(counting, 0.U, PopCount(seen)))
  port.dropped   := sinceStart(funnel.io.dropped)

  // ---- both stages; one that was not cleared at the start of an interval does not count in it
  private val countsSuperpages = RegEnable(port.superpages, false.B, timer.io.clear)
  private val countsPages      = RegEnable(port.pages, false.B, timer.io.clear)

  superpages.io.access.valid := funnel.io.out.valid && countsSuperpages
  superpages.io.access.bits  := funnel.io.out.bits
  superpages.io.weight       := port.superpageWriteWeight
  superpages.io.clear        := timer.io.clear && port.superpages

  pages.io.access.valid := funnel.io.out.valid && countsPages
  pages.io.access.bits  := funnel.io.out.bits
  pages.io.weight       := port.pageWriteWeight
  pages.io.threshold    := port.threshold
  pages.io.clear        := timer.io.clear && port.pages

  pages.io.choose.valid          := RegNext(port.chosen, false.B)
  pages.io.choose.bits.slot      := port.slot.value
  pages.io.choose.bits.superpage := port.superpage
  pages.io.choose.bits.holds     := port.holds
  port.slot.moves.valid          := pages.io.choose.valid
  port.slot.moves.bits           := port.slot.next(port.slot.value === (config.hotMonitoring.get.chosen - 1).U)

  // ---- the hot list
  list.io.append          := pages.io.hot
  list.io.head            := port.listHead
  list.io.level           := port.listLevel
  list.io.clearOverflowed := port.listOverflowed.clear
  port.listTail           := list.io.tail
  port.listReached        := list.io.reached

  port.listOverflowed.value := list.io.overflowed

  // ---- what is read
  private val words    = HotMonitorPort.stores(config).map(_._2)
  private val still    = timer.io.state === IntervalState.idle
  private val free     = Seq(still, still, true.B)
  private val word     = port.word.value
  private val ofStore  = Seq.tabulate(words.size)(number => port.store === number.U)
  private val readable = Mux1H(ofStore, words.zip(free).map { case (words, free) => free && word < words.U })
  private val isLast   = Mux1H(ofStore, words.map(words => word === (words - 1).U))
  private val read     = port.data.read && readable
  private val answer   = port.data.answer
  answer.valid      := RegNext(port.data.read, false.B)
  answer.bits.there := RegNext(readable)
  answer.bits.word  := Mux1H(ofStore, Seq(superpages.io.data, pages.io.data, list.io.data))

  superpages.io.read                                                  := read && ofStore(0)
  pages.io.read                                                       := read && ofStore(1)
  list.io.read                                                        := read && ofStore(2)
  for (of <- Seq(superpages.io.word, pages.io.word, list.io.word)) of := word(of.getWidth - 1, 0)

  port.word.moves.valid := answer.valid && answer.bits.there
  port.word.moves.bits  := port.word.next(isLast)
}
