// SPDX-License-Identifier: Apache-2.0
package weir.place

import chisel3._
import chisel3.util._
import weir.config.{HotMonitoring, NvmRegion, WeirConfig}

/** How `regs` drives and reads [[HotMonitor]]; directions as `regs` sees them. */
class HotMonitorPort(config: WeirConfig) extends Bundle {
  import HotMonitorPort._

  private val listBits = log2Ceil(config.hotMonitoring.get.hotList)

  // ---- settings, which may change at any time
  val superpages           = Output(Bool())
  val pages                = Output(Bool())
  val periodic             = Output(Bool())
  val redirected           = Output(Bool())
  val interval             = Output(UInt(32.W))
  val superpageWriteWeight = Output(UInt(weightBits.W))
  val pageWriteWeight      = Output(UInt(weightBits.W))
  val threshold            = Output(UInt(pageCountBits.W))
  val listLevel            = Output(UInt(listBits.W))
  val listHead             = Output(UInt(listBits.W))

  // ---- what happens in one cycle
  val start               = Output(Bool())
  val stop                = Output(Bool())
  val choose              = Valid(new ChosenSuperpage(config))
  val clearListOverflowed = Output(Bool())

  // ---- state; `ended` for one cycle, `listReached` as long as it is so
  val state          = Input(IntervalState())
  val ended          = Input(Bool())
  val listTail       = Input(UInt(listBits.W))
  val listReached    = Input(Bool())
  val listOverflowed = Input(Bool())
  val uncounted      = Input(UInt(32.W))
  val dropped        = Input(UInt(32.W))

  /** A word of a store, on `data` from the cycle after `read` on. It is there if `readable` is high with `read`:
    * counters can be read in state `idle` only, the hot list always, and none beyond its last word. `isLast` names
    * that.
    */
  val read     = Output(Bool())
  val store    = Output(UInt(2.W))
  val word     = Output(UInt(log2Ceil(mostWords(config)).W))
  val readable = Input(Bool())
  val isLast   = Input(Bool())
  val data     = Input(UInt(32.W))
}

object HotMonitorPort {
  val weightBits: Int = log2Ceil(HotMonitoring.greatestWeight + 1)

  /** Bits of the count of a page, without the overflow flag. */
  val pageCountBits = 15

  /** What can be read, by the number of the store: name and words of 32 bits. */
  def stores(config: WeirConfig): Seq[(String, Int)] = Seq(
    "superpages" -> SuperpageCounters.count(config) / 2,
    "pages"      -> config.hotMonitoring.get.chosen * NvmRegion.pagesPerSuperpage / 2,
    "hot_list"   -> 2 * config.hotMonitoring.get.hotList
  )

  def mostWords(config: WeirConfig): Int = stores(config).map(_._2).max
}
