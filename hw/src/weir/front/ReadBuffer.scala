// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** A block that was given a slot of the read buffer. */
class OpenedBlock(config: WeirConfig) extends Bundle {
  private val blocks = new Blocks(config)
  val slot           = UInt(blocks.slotBits.W)
  val access         = new BlockAccess(config)

  /** Lines of the block that will come, a bit for each; none for a failed block. */
  val lines = UInt(blocks.lines.W)
}

/** A beat of the R channel. */
class ReadBeat(config: WeirConfig) extends Bundle {
  val id       = UInt(config.axi.idBits.W)
  val data     = UInt(config.axi.dataBits.W)
  val response = UInt(2.W)
  val last     = Bool()
}

/** Holds the blocks of reads from the moment they are asked for until their last beat has gone out on R.
  *
  * Order: [[IdChains]] keeps it within an id. Among ids the next block is, in this order, the successor inside the running
  * burst (only without interleaving), a block that waits (by [[RotatingChoice]], so each waits for at most one block of
  * every other id and one that passes straight through), the successor of the block that ends, a block that just comes.
  * With interleaving any head whose lines have come may go, and bursts mix at block boundaries; without, [[BurstGate]] says
  * which burst may start.
  *
  * Latency: a line that completes the head of its chain, with nothing else in service, gives `beats.valid` in the next
  * cycle, past the buffer; with `Pipeline.answer` in the cycle after that. So it is without interleaving where [[BurstGate]]
  * waits for one block of the burst; else `beats.valid` comes three cycles after the last line that it waits for. A block that
  * had to wait is chosen while the block before it goes out. Throughput: one beat per cycle without a gap between blocks.
  * `returns` are always taken, whatever `beats.ready` does. A slot is free again in the cycle after its last beat left it.
  *
  * A line returns at the earliest two cycles after its slot was opened.
  */
class ReadBuffer(config: WeirConfig) extends Module {
  private val blocks   = new Blocks(config)
  private val slots    = blocks.slots
  private val slotBits = blocks.slotBits
  private val mixes    = config.axi.interleave

  val io = IO(new Bundle {

    /** A free slot. */
    val free = Decoupled(UInt(slotBits.W))

    /** Whether no slot may be opened in this cycle. */
    val hold    = Output(Bool())
    val opened  = Flipped(Valid(new OpenedBlock(config)))
    val returns = Flipped(Valid(new LineReturn(config)))
    val beats   = Decoupled(new ReadBeat(config))

    /** The slot of a burst whose first beat is on `beats` from the next cycle on, and the burst's id. */
    val begins = Valid(new Bundle {
      val slot = UInt(slotBits.W)
      val id   = UInt(config.axi.idBits.W)
    })
  })

  /** What R must know of a block. */
  private class Entry extends Bundle {
    val run         = new BeatRun(config)
    val id          = UInt(config.axi.idBits.W)
    val response    = UInt(2.W)
    val first, last = Bool()
    val lines       = Option.when(blocks.lines > 1)(UInt(blocks.lines.W))
  }
  private val entries = Mem(slots, new Entry)
  private val data    = Module(new ReadData(config))
  private val chains  = Module(new IdChains(slots, config.axi.idBits))
  private val pool    = Module(new SlotPool(slots))
  private val choice  = Module(new RotatingChoice(slots))
  io.free <> pool.io.take

  private def mask(condition: Bool, slot: UInt): UInt = Mux(condition, UIntToOH(slot, slots), 0.U)

  // ---- A slot is opened: a register first, as the search for the id's youngest slot follows.
  private val opened = Pipe(io.opened)
  private val access = opened.bits.access
  when(opened.valid) {
    val entry = Wire(new Entry)
    entry.run      := access.run
    entry.id       := access.id
    entry.response := access.response
    entry.first    := access.first
    entry.last     := access.last
    entry.lines.foreach(_ := opened.bits.lines)
    entries(opened.bits.slot) := entry
  }
  chains.io.used             := pool.io.used
  chains.io.append.valid     := opened.valid
  chains.io.append.bits.slot := opened.bits.slot
  chains.io.append.bits.id   := access.id

  // ---- A line comes back.
  private val backSlot = (io.returns.bits.tag.slot >> blocks.lineBits).pad(slotBits)
  private val backLine =
    if (blocks.lines == 1) 1.U(1.W) else UIntToOH(io.returns.bits.tag.slot(blocks.lineBits - 1, 0), blocks.lines)
  data.io.write.valid     := io.returns.valid
  data.io.write.bits.slot := backSlot
  data.io.write.bits.line := backLine
  data.io.write.bits.data := io.returns.bits.data
  data.io.write.bits.lost := io.returns.bits.lost

  private val arrives =
    if (blocks.lines == 1) io.returns.valid
    else {
      val awaited     = Reg(Vec(slots, UInt(blocks.lines.W)))
      val left        = awaited(backSlot) & ~backLine
      when(io.returns.valid)(awaited(backSlot)     := left)
      when(opened.valid)(awaited(opened.bits.slot) := opened.bits.lines)
      io.returns.valid && left === 0.U
    }

  /** Slots whose block is complete. */
  private val complete = Reg(UInt(slots.W))
  complete := complete & ~mask(opened.valid && !access.failed, opened.bits.slot) |
    mask(opened.valid && access.failed, opened.bits.slot) |
    mask(arrives, backSlot)

  // ---- Which heads may be taken into service, and whether the block that comes needs no other.
  private val eligible = Wire(UInt(slots.W))
  private val suffices = Wire(Bool())
  if (mixes) {
    eligible := complete
    suffices := arrives
    io.hold  := false.B
  } else {
    val gate = Module(new BurstGate(config))
    gate.io.opened        := opened
    gate.io.alone         := !(pool.io.used & ~UIntToOH(opened.bits.slot, slots)).orR
    gate.io.arrives.valid := arrives
    gate.io.arrives.bits  := backSlot
    eligible              := gate.io.startable
    suffices              := arrives && gate.io.whole
    io.hold               := gate.io.hold
  }
  // ---- The block in service: the selected one or, where none is, without `Pipeline.answer`, one that comes in this cycle and
  // needs no other.
  private val selected     = RegInit(false.B)
  private val selectedSlot = Reg(UInt(slotBits.W))
  private val cursor       = Module(new BeatCursor(config))

  private val slot      = if (config.pipeline.answer) selectedSlot else Mux(selected, selectedSlot, backSlot)
  private val entry     = entries(slot)
  private val successor = chains.io.successor
  private val comes     = suffices && chains.io.heads(backSlot)

  // Without interleaving a running burst may wait for a late line, and its youngest slot for the next one: where a burst is
  // not yet wholly in slots, its youngest is the one opened last.
  private val hasNext: UInt => Bool =
    if (mixes) _ => true.B
    else {
      val newest     = RegEnable(opened.bits.slot, opened.valid)
      val unfinished = RegEnable(!access.last, false.B, opened.valid)
      slot => !(unfinished && newest === slot)
    }
  private val passing  = if (config.pipeline.answer) false.B else arrives && (!selected || backSlot === selectedSlot)
  private val supplied = if (mixes) true.B else (complete(selectedSlot) || passing) && hasNext(selectedSlot)
  private val passes   = if (config.pipeline.answer) false.B else comes && hasNext(backSlot)
  private val ready    = Mux(selected, supplied, passes)

  private val outId       = Reg(UInt(config.axi.idBits.W))
  private val outResponse = Reg(UInt(2.W))
  private val outLast     = Reg(Bool())
  private val outValid    = RegInit(false.B)
  private val load        = !outValid || io.beats.ready
  private val serves      = ready && load

  private val releases = serves && cursor.io.last
  cursor.io.run  := entry.run
  cursor.io.step := serves

  data.io.load.valid       := load
  data.io.load.bits.slot   := slot
  data.io.load.bits.word   := cursor.io.word
  data.io.load.bits.lines  := entry.lines.getOrElse(1.U)
  data.io.load.bits.passes := passing
  data.io.load.bits.failed := entry.response =/= Response.okay
  when(load) {
    outValid    := ready
    outId       := entry.id
    outResponse := entry.response
    outLast     := entry.last && cursor.io.last
  }
  io.beats.valid         := outValid
  io.beats.bits.id       := outId
  io.beats.bits.data     := data.io.data
  io.beats.bits.response := outResponse | Mux(data.io.lost, Response.subordinate, Response.okay)
  io.beats.bits.last     := outLast

  io.begins.valid     := serves && entry.first && !cursor.io.begun
  io.begins.bits.slot := slot
  io.begins.bits.id   := entry.id

  chains.io.slot     := slot
  chains.io.release  := releases
  pool.io.give.valid := releases
  pool.io.give.bits  := slot

  // ---- The block in service next. `releases` and `serves` come late.
  private val goesOn    = if (mixes) false.B else !entry.last
  private val continues = successor.valid && (eligible(successor.bits) || suffices && backSlot === successor.bits)
  choice.io.requests := chains.io.heads & eligible & ~mask(selected, selectedSlot)
  choice.io.take     := Mux(releases, !goesOn, !selected && !serves)

  private val other = choice.io.any
  selected := Mux(releases, goesOn || other || continues || selected && comes, selected || other || comes)
  when(releases || !selected) {
    selectedSlot := Mux(
      releases,
      Mux(goesOn || !other && continues, successor.bits, Mux(other, choice.io.index, backSlot)),
      Mux(serves || !other, backSlot, choice.io.index)
    )
  }
}
