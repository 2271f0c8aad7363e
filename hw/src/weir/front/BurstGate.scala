// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** Tells when a burst may start on R where beats of different bursts must not mix (`Axi.interleave` is false).
  *
  * Once a burst has started, R belongs to it to its end. So a burst that started with a line still on its way would hold
  * back every other id until that line came. Therefore a burst starts only when all of its blocks have come: from then on
  * it needs nothing but RREADY, and a late line of one burst never holds back another id's finished burst.
  *
  * A burst of more blocks than half of the slots cannot be gathered whole, as it might need more slots than there are; it
  * starts when the first half of the slots' worth of its blocks has come, and can hold others back. It cannot lock up: other
  * bursts that hold slots are older, hence wholly in slots, hence they finish; and a long burst holds two slots or more when
  * it starts, and each that it frees goes to its own next block, as blocks are given slots in order of their bursts.
  *
  * A burst that finds no other in the slots starts with its first block, as it need not wait for itself. It holds others
  * back too, for as long as its lines come later than those of bursts that were asked for after it.
  *
  * Counting: blocks are counted in the slot of their burst's first block. Only blocks that the start waits for are counted,
  * so the first slot cannot be given to another burst while one that counts is on its way.
  *
  * Latency: a burst that waits for one block may start in the cycle in which that comes; any other in the cycle after its
  * last block that counts has come.
  */
class BurstGate(config: WeirConfig) extends Module {
  private val blocks = new Blocks(config)
  private val slots  = blocks.slots

  /** Blocks that a start waits for at most. */
  private val enough    = (slots / 2).max(2)
  private val countBits = log2Ceil(enough + 1)
  private val never     = enough.U(countBits.W)

  val io = IO(new Bundle {

    /** A slot is given to a block. */
    val opened = Flipped(Valid(new OpenedBlock(config)))

    /** No other slot is in use. */
    val alone = Input(Bool())

    /** Whether no block may be given a slot in this cycle: a failed one, which never arrives, is being counted, or it is one
      * of the first cycles after reset.
      */
    val hold = Output(Bool())

    /** A block has come; not in the same cycle as its slot is given. */
    val arrives = Flipped(Valid(UInt(blocks.slotBits.W)))

    /** Whether the block that comes is all that its burst waits for. */
    val whole = Output(Bool())

    /** First slots, a bit for each, of the bursts that may start. A bit stays until its slot is given again. */
    val startable = Output(UInt(slots.W))
  })
  private class Membership extends Bundle {
    val first  = UInt(blocks.slotBits.W)
    val counts = Bool()
  }
  private val members = Mem(slots, new Membership)
  private val wholes  = Mem(slots, Bool())
  private val lacks   = Mem(slots, UInt(countBits.W)) // blocks that the start waits for, less one, once they are given
  private val came    = Mem(slots, UInt(countBits.W))

  private val startable = RegInit(0.U(slots.W))

  private def mask(condition: Bool, slot: UInt): UInt = Mux(condition, UIntToOH(slot, slots), 0.U)

  // A slot is given.
  private val opened     = io.opened.bits
  private val access     = opened.access
  private val firstSlot  = Reg(UInt(blocks.slotBits.W))
  private val blockIndex = Reg(UInt(countBits.W))
  private val index      = Mux(access.first, 0.U, blockIndex)
  private val lone       = RegInit(false.B)
  private val startsLone = access.first && io.alone
  private val counts     = index < enough.U && (access.first || !lone)
  private val joins      = Wire(new Membership)
  joins.first  := Mux(access.first, opened.slot, firstSlot)
  joins.counts := counts

  private val opensBurst = io.opened.valid && access.first
  private val closes     = access.last || startsLone || index === (enough - 1).U
  when(io.opened.valid) {
    members(opened.slot) := joins
    wholes(opened.slot)  := access.first && (access.last || io.alone)
    when(access.first)(lone := io.alone)
    firstSlot            := joins.first
    blockIndex           := Mux(counts, index + 1.U, index)
  }
  when(io.opened.valid && counts)(lacks(joins.first) := Mux(closes, index, never))

  // A failed block is counted as soon as no other arrives.
  private val owes  = RegInit(false.B)
  private val owed  = RegEnable(joins, io.opened.valid)
  private val fails = io.opened.valid && access.failed
  owes := fails || owes && io.arrives.valid

  // A block has come. As no more than the needed ones count, the count is zero again when the burst starts. After reset it
  // is cleared in all slots.
  private val cleared  = RegInit(0.U((blocks.slotBits + 1).W))
  private val clearing = !cleared(blocks.slotBits)
  private val member   = Mux(io.arrives.valid, members(io.arrives.bits), owed)
  private val counted  = (io.arrives.valid || owes) && member.counts
  private val earlier  = came(member.first)
  private val starts   = counted && earlier === lacks(member.first)
  when(clearing)(cleared := cleared + 1.U)
  when(clearing || counted)(
    came(Mux(clearing, cleared(blocks.slotBits - 1, 0), member.first)) := Mux(clearing || starts, 0.U, earlier +% 1.U)
  )
  startable    := startable & ~mask(opensBurst, opened.slot) | mask(starts, member.first)
  io.startable := startable
  io.whole     := wholes(io.arrives.bits)
  io.hold      := owes || fails || clearing
}
