// SPDX-License-Identifier: Apache-2.0
package weir.place.remap

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.front.LineTag
import weir.place.Fence

/** Tells when all demand accesses are done that were sent before: reads of the region have returned, writes, of whatever, are
  * accepted, which they are in order.
  *
  * `begin`, for a cycle, means those that were sent in an earlier cycle; `done`, not before the cycle after, until the next one.
  */
class AccessFence(config: WeirConfig) extends Module {
  private val slots = config.axi.readSlots
  private val reads = config.axi.ports * slots

  /** More writes than can be between here and the channel's queue. */
  private val writes = 8

  val io = IO(new Bundle {
    val begin    = Input(Bool())
    val done     = Output(Bool())
    val read     = Flipped(Valid(new LineTag(config)))
    val returned = Flipped(Valid(new LineTag(config)))
    val wrote    = Input(Bool())
    val accepted = Input(Bool())
  })

  private def bit(tag: Valid[LineTag]): UInt =
    Mux(tag.valid, UIntToOH(tag.bits.port * slots.U + tag.bits.slot, reads), 0.U(reads.W))
  private val underWay = RegInit(0.U(reads.W))
  private val left     = underWay & ~bit(io.returned)
  underWay := left | bit(io.read)

  private val unaccepted = RegInit(0.U(log2Ceil(writes).W))
  private val remaining  = unaccepted - io.accepted
  unaccepted := remaining + io.wrote
  assert(
    !(unaccepted.andR && io.wrote && !io.accepted),
    "AccessFence: more writes between place and channel than expected"
  )

  private val waitsReads  = Fence(io.begin, left)
  private val waitsWrites = RegInit(0.U(log2Ceil(writes).W))
  waitsWrites := Mux(io.begin, remaining, Mux(waitsWrites === 0.U, 0.U, waitsWrites - io.accepted))
  io.done     := waitsReads === 0.U && waitsWrites === 0.U
}
