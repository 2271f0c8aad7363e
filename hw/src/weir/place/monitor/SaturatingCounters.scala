// SPDX-License-Identifier: Apache-2.0
package weir.place.monitor

import chisel3._
import chisel3.util._
import weir.config.HotMonitoring
import weir.ram.BlockRam

/** Counters of 16 bits in block RAM, two in each word of 32 (the even one lower), that stay at their greatest value
  * instead of wrapping. With `flagged` a counter has 15 bits and above them a flag that it should have gone beyond.
  *
  *   - `add` adds to one counter in each cycle. The word is read, and in the next cycle added to and written; what the
  *     access right before has written is taken from a register instead of the memory, so that no count is lost.
  *   - `counted` tells a cycle after `add` what the counter's value was and becomes, without the flag.
  *   - `clear`, for one cycle, begins to set all counters to 0, a word in each cycle, while `clearing`.
  *   - `read` gives a word on `data` from the next cycle on, until there is another `read` or `add`.
  *
  * Between `clear` and the fall of `clearing` there must be no `add`; nor may `read` come with `add`, which goes first.
  * The counters are undefined before the first `clear`.
  */
class SaturatingCounters(count: Int, flagged: Boolean) extends Module {
  require(count >= 4 && count % 2 == 0, s"SaturatingCounters: $count counters: must be an even number from 4 on")
  private val words     = count / 2
  private val valueBits = if (flagged) 15 else 16

  val io = IO(new Bundle {
    val add = Flipped(Valid(new Bundle {
      val index  = UInt(log2Ceil(count).W)
      val amount = UInt(log2Ceil(HotMonitoring.greatestWeight + 1).W)
    }))
    val counted = Valid(new Bundle {
      val before, after = UInt(valueBits.W)
    })
    val clear    = Input(Bool())
    val clearing = Output(Bool())
    val read     = Input(Bool())
    val word     = Input(UInt(log2Ceil(words).W))
    val data     = Output(UInt(32.W))
  })

  private val memory = Module(new BlockRam(words, 32))

  // ---- the word is read
  private val address = (io.add.bits.index >> 1).asUInt
  memory.io.clock       := clock
  memory.io.clear       := false.B
  memory.io.read        := io.add.valid || io.read
  memory.io.readAddress := Mux(io.add.valid, address, io.word)
  io.data               := memory.io.readData

  // ---- and in the next cycle added to
  private val adding  = RegNext(io.add.valid, false.B)
  private val added   = RegEnable(io.add.bits, io.add.valid)
  private val at      = (added.index >> 1).asUInt
  private val written = Wire(UInt(32.W))
  // what this cycle writes, the memory does not give to a read in the same cycle
  private val again = RegNext(adding && at === address)
  private val last  = RegNext(written)
  private val word  = Mux(again, last, memory.io.readData)

  private val (low, high) = (word(15, 0), word(31, 16))
  private val old         = Mux(added.index(0), high, low)
  private val before      = old(valueBits - 1, 0)
  private val sum         = before +& added.amount
  private val beyond      = sum(valueBits)
  private val after       = Mux(beyond, Fill(valueBits, 1.U(1.W)), sum(valueBits - 1, 0))
  private val next        = if (flagged) (old(15) || beyond) ## after else after
  written := Mux(added.index(0), next ## low, high ## next)

  // ---- or all are cleared
  private val clearing  = RegInit(false.B)
  private val clearedAt = Reg(UInt(log2Ceil(words).W))
  when(clearing) {
    clearedAt := clearedAt + 1.U
    when(clearedAt === (words - 1).U)(clearing := false.B)
  }
  when(io.clear) {
    clearing  := true.B
    clearedAt := 0.U
  }
  io.clearing := clearing
  assert(!(clearing && adding), "SaturatingCounters: an access came while all were cleared")

  memory.io.write        := adding || clearing
  memory.io.writeAddress := Mux(clearing, clearedAt, at)
  memory.io.writeData    := Mux(clearing, 0.U, written)

  io.counted.valid       := adding
  io.counted.bits.before := before
  io.counted.bits.after  := after
}
