// SPDX-License-Identifier: Apache-2.0
package weir.place.monitor

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.place.PageNumbers

/** The superpages whose pages are counted one by one, a slot for each: the numbers of the top N hot superpages in
  * Rainbow's Table VI. All slots are empty after reset. Where two hold the same superpage, the lower one has it.
  *
  * Latency: `found` tells one cycle after `superpage` whether a slot holds it, and which. Throughput: one lookup per
  * cycle.
  */
class ChosenSuperpages(config: WeirConfig) extends Module {
  private val slots = config.hotMonitoring.get.chosen
  private val pages = new PageNumbers(config)

  val io = IO(new Bundle {
    val choose    = Flipped(Valid(new ChosenSuperpage(config)))
    val superpage = Flipped(Valid(UInt(pages.superpageBits.W)))
    val found     = Valid(UInt(log2Ceil(slots).W))
  })

  private val number = Reg(Vec(slots, UInt(pages.superpageBits.W)))
  private val holds  = RegInit(VecInit(Seq.fill(slots)(false.B)))
  for (slot <- 0 until slots) when(io.choose.valid && io.choose.bits.slot === slot.U) {
    number(slot) := io.choose.bits.superpage
    holds(slot)  := io.choose.bits.holds
  }

  private val hits =
    RegNext(VecInit(number.zip(holds).map { case (number, holds) => holds && number === io.superpage.bits }))
  io.found.valid := RegNext(io.superpage.valid, false.B) && hits.asUInt.orR
  io.found.bits  := PriorityEncoder(hits)
}

/** What is to be in a slot of [[ChosenSuperpages]]: a superpage by its number in the whole memory, or none. */
class ChosenSuperpage(config: WeirConfig) extends Bundle {
  val slot      = UInt(log2Ceil(config.hotMonitoring.get.chosen).W)
  val superpage = UInt(new PageNumbers(config).superpageBits.W)
  val holds     = Bool()
}
