// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._

/** The order in which slots must leave: for each id a chain from the oldest slot, the head, to the youngest.
  *
  * A slot holds a link to its successor. The youngest slot of an id is found through a table with an entry for each id; the
  * entry counts only while the slot it names is in use by that same id, so the table needs no reset. Nothing compares all
  * slots with each other: area grows with `slots` + 2^`idBits`.
  *
  * Throughput: one slot appended and one released per cycle. An appended slot is in `heads` from the next cycle on; so is
  * the successor of a released one.
  */
class IdChains(slots: Int, idBits: Int) extends Module {
  private val slotBits = log2Ceil(slots)
  val io               = IO(new Bundle {

    /** A slot comes into use as the youngest of its id. */
    val append = Flipped(Valid(new Bundle {
      val slot = UInt(slotBits.W)
      val id   = UInt(idBits.W)
    }))

    /** Slots, a bit for each, that are the oldest of their id and have not been taken. */
    val heads = Output(UInt(slots.W))

    /** Heads, a bit for each, that are taken into service in this cycle. */
    val take = Input(UInt(slots.W))

    /** The slot in service and the slot behind it in its chain. */
    val slot      = Input(UInt(slotBits.W))
    val successor = Output(Valid(UInt(slotBits.W)))

    /** `slot` leaves; with `pass` its successor is taken into service at once. */
    val release = Input(Bool())
    val pass    = Input(Bool())
  })
  private val used  = RegInit(0.U(slots.W))
  private val heads = RegInit(0.U(slots.W))
  private val ahead = Reg(UInt(slots.W)) // slots that have a successor
  private val next  = Mem(slots, UInt(slotBits.W))
  private val owner = Mem(slots, UInt(idBits.W))
  private val tails = Mem(1 << idBits, UInt(slotBits.W))

  private def mask(condition: Bool, slot: UInt): UInt = Mux(condition, UIntToOH(slot, slots), 0.U)

  io.heads           := heads
  io.successor.valid := ahead(io.slot)
  io.successor.bits  := next(io.slot)

  private val added   = io.append.bits
  private val tail    = tails(added.id)
  private val leaving = io.release && io.slot === tail
  private val follows = used(tail) && owner(tail) === added.id && !leaving
  private val adds    = io.append.valid

  when(adds) {
    tails(added.id)   := added.slot
    owner(added.slot) := added.id
  }
  when(adds && follows)(next(tail) := added.slot)

  used  := used & ~mask(io.release, io.slot) | mask(adds, added.slot)
  heads := heads & ~io.take |
    mask(adds && !follows, added.slot) |
    mask(io.release && !io.pass && io.successor.valid, io.successor.bits)
  ahead := ahead & ~mask(adds, added.slot) | mask(adds && follows, tail)
}
