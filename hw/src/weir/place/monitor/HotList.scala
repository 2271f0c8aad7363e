// SPDX-License-Identifier: Apache-2.0
package weir.place.monitor

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.place.PageNumbers
import weir.ram.BlockRam

/** A page that has become hot, with what its counter was in that moment. */
class HotPage(config: WeirConfig) extends Bundle {
  val page  = UInt(new PageNumbers(config).pageBits.W)
  val count = UInt(HotMonitorPort.pageCountBits.W)
}

/** The pages that have become hot, in the order in which they did: a ring in memory, which hardware fills and software
  * empties while counting goes on, in the manner of the hotness monitoring unit of CXL 3.2.
  *
  * Hardware writes at `tail` and moves it on; software reads the records from `head` up to `tail` and then moves
  * `head`. Where both are equal the ring is empty; one record stays free, so that a full ring is not an empty one. A
  * page that finds the ring full is not written, which `overflowed` tells from then on until `clearOverflowed`; an
  * overflow in that same cycle is not forgotten.
  *
  * A record has two words, the page and then the count. `read` gives word `word` on `data` from the next cycle on,
  * until the next `read`; records that are not between `head` and `tail` are undefined.
  *
  * Latency: `tail` counts a record in the cycle after `append`. Throughput: one record per cycle.
  */
class HotList(config: WeirConfig) extends Module {
  private val records = config.hotMonitoring.get.hotList
  private val bits    = log2Ceil(records)

  val io = IO(new Bundle {
    val append = Flipped(Valid(new HotPage(config)))
    val head   = Input(UInt(bits.W))
    val tail   = Output(UInt(bits.W))

    /** Records that `reached` tells of, 1 or more. */
    val level   = Input(UInt(bits.W))
    val reached = Output(Bool())

    val overflowed      = Output(Bool())
    val clearOverflowed = Input(Bool())

    val read = Input(Bool())
    val word = Input(UInt((bits + 1).W))
    val data = Output(UInt(32.W))
  })

  private val tail       = RegInit(0.U(bits.W))
  private val overflowed = RegInit(false.B)
  private val full       = tail + 1.U === io.head
  private val appends    = io.append.valid && !full

  when(appends)(tail                       := tail + 1.U)
  when(io.clearOverflowed)(overflowed      := false.B)
  when(io.append.valid && full)(overflowed := true.B)
  io.tail       := tail
  io.overflowed := overflowed
  io.reached    := tail - io.head >= io.level

  private val memory = Module(new BlockRam(records, io.append.bits.getWidth))
  memory.io.clock        := clock
  memory.io.clear        := false.B
  memory.io.write        := appends
  memory.io.writeAddress := tail
  memory.io.writeData    := io.append.bits.asUInt
  memory.io.read         := io.read
  memory.io.readAddress  := io.word >> 1

  private val record = memory.io.readData.asTypeOf(new HotPage(config))
  io.data := Mux(RegEnable(io.word(0), io.read), record.count, record.page).pad(32)
}
