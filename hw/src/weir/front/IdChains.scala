// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._

/** The order in which slots must leave: for each id a chain from the oldest slot, the head, to the youngest.
  *
  * A slot holds its id and a link to its successor, an id the slot that was appended last, which is its youngest if it is
  * still in use under that id. Nothing compares slots with each other.
  *
  * Throughput: one slot appended and one released per cycle. An appended slot is in `heads` from the next cycle on; so is
  * the successor of a released one.
  */
class IdChains(slots: Int, idBits: Int) extends Module {
  private val slotBits = log2Ceil(slots)
  val io               = IO(new Bundle {

    /** Slots in use, a bit for each: from the cycle in which they are appended, or earlier, until they are released. */
    val used = Input(UInt(slots.W))

    /** A slot comes into use as the youngest of its id. */
    val append = Flipped(Valid(new Bundle {
      val slot = UInt(slotBits.W)
      val id   = UInt(idBits.W)
    }))

    /** Slots, a bit for each, that are the oldest of their id. */
    val heads = Output(UInt(slots.W))

    /** A head, and the slot behind it in its chain. */
    val slot      = Input(UInt(slotBits.W))
    val successor = Output(Valid(UInt(slotBits.W)))

    /** `slot` leaves. */
    val release = Input(Bool())
  })
  private val heads    = RegInit(0.U(slots.W))
  private val followed = Reg(UInt(slots.W)) // slots whose link leads to a successor
  private val ids      = Mem(slots, UInt(idBits.W))
  private val next     = Mem(slots, UInt(slotBits.W))
  private val youngest = Mem(1 << idBits, UInt(slotBits.W))

  private def at(slot: UInt): UInt = UIntToOH(slot, slots)

  io.heads           := heads
  io.successor.valid := followed(io.slot)
  io.successor.bits  := next(io.slot)

  // `ids` still holds what the added slot was before.
  private val adds    = io.append.valid
  private val added   = io.append.bits
  private val before  = youngest(added.id)
  private val follows = io.used(before) && ids(before) === added.id && before =/= added.slot &&
    !(io.release && before === io.slot)

  when(adds) {
    ids(added.slot)    := added.id
    youngest(added.id) := added.slot
  }
  when(adds && follows)(next(before) := added.slot)

  followed := followed & ~Mux(adds, at(added.slot), 0.U) | Mux(adds && follows, at(before), 0.U)

  // `release` comes late.
  private val left = heads & ~at(io.slot) | Mux(io.successor.valid, at(io.successor.bits), 0.U)
  heads := Mux(io.release, left, heads) | Mux(adds && !follows, at(added.slot), 0.U)
}
