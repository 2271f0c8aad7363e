// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._

/** The order in which slots must leave: for each id a chain from the oldest slot, the head, to the youngest.
  *
  * A slot holds a link to its successor, an id its youngest slot and whether it has any. Nothing compares slots with each
  * other: area grows with `slots` + 2^`idBits`.
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

    /** The slot in service, its id, and the slot behind it in its chain. */
    val slot      = Input(UInt(slotBits.W))
    val id        = Input(UInt(idBits.W))
    val successor = Output(Valid(UInt(slotBits.W)))

    /** `slot` leaves; with `pass` its successor is taken into service at once. */
    val release = Input(Bool())
    val pass    = Input(Bool())
  })
  private val heads    = RegInit(0.U(slots.W))
  private val live     = RegInit(0.U((1 << idBits).W)) // ids that have a slot
  private val next     = Mem(slots, UInt(slotBits.W))
  private val youngest = Mem(1 << idBits, UInt(slotBits.W))

  private def slotMask(condition: Bool, slot: UInt): UInt = Mux(condition, UIntToOH(slot, slots), 0.U)
  private def idMask(condition: Bool, id: UInt): UInt     = Mux(condition, UIntToOH(id, 1 << idBits), 0.U)

  io.heads           := heads
  io.successor.valid := youngest(io.id) =/= io.slot
  io.successor.bits  := next(io.slot)

  private val empties = io.release && !io.successor.valid
  private val adds    = io.append.valid
  private val added   = io.append.bits
  private val follows = live(added.id) && !(empties && io.id === added.id)

  when(adds)(youngest(added.id)                  := added.slot)
  when(adds && follows)(next(youngest(added.id)) := added.slot)

  live  := live & ~idMask(empties, io.id) | idMask(adds, added.id)
  heads := heads & ~io.take |
    slotMask(adds && !follows, added.slot) |
    slotMask(io.release && !io.pass && io.successor.valid, io.successor.bits)
}
