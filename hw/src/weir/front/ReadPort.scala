// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** The read half of a port: bursts in, line reads out, lines back, R beats out.
  *
  * Latency: a burst taken in one cycle has its first line read on `reads` in the same, with `Pipeline.burst` in the next; [[ReadBuffer]] says how soon a line
  * that came back is on R. Throughput: a line read per cycle, also for bursts of one line.
  */
class ReadPort(config: WeirConfig) extends Module {
  private val blocks = new Blocks(config)
  val io             = IO(new Bundle {

    /** This port's number. */
    val port    = Input(UInt(log2Ceil(config.axi.ports).W))
    val bursts  = Flipped(Decoupled(new Burst(config)))
    val reads   = Decoupled(new LineRead(config))
    val returns = Flipped(Valid(new LineReturn(config)))
    val beats   = Decoupled(new ReadBeat(config))

    /** The address of a burst is taken from its manager. */
    val asked = Input(Bool())

    /** The answer of a burst begins. */
    val began = Option.when(config.observation.explains)(Valid(new BegunRead(config)))
  })
  private val splitter = Module(new BurstSplitter(config, passes = !config.pipeline.burst))
  private val buffer   = Module(new ReadBuffer(config))
  private val lines    = Module(new BlockSplitter(blocks.lines))

  splitter.io.in <> io.bursts
  buffer.io.returns := io.returns
  io.beats <> buffer.io.beats

  // A slot is opened with the first line of a block, and serves all of its lines.
  private val access   = splitter.io.out.bits
  private val opening  = lines.io.first
  private val openSlot = RegEnable(buffer.io.free.bits, buffer.io.opened.valid)
  private val slot     = if (blocks.lines == 1) buffer.io.free.bits else Mux(opening, buffer.io.free.bits, openSlot)
  private val proceeds = !opening || buffer.io.free.valid && !buffer.io.hold
  private val touched  = BlockSplitter.touched(config, access)

  lines.io.needed.valid := splitter.io.out.valid && !access.failed && proceeds
  lines.io.needed.bits  := touched

  io.reads.valid         := lines.io.line.valid
  io.reads.bits.line     := (if (blocks.lines == 1) access.block else Cat(access.block, lines.io.line.bits))
  io.reads.bits.source   := SourceTag(config, io.port, access.id)
  io.reads.bits.tag.port := io.port
  io.reads.bits.tag.slot := (if (blocks.lines == 1) slot else Cat(slot, lines.io.line.bits))
  lines.io.line.ready    := io.reads.ready

  splitter.io.out.ready := proceeds && (access.failed || lines.io.needed.ready)

  private val opens = opening && Mux(access.failed, splitter.io.out.fire, lines.io.line.fire)
  buffer.io.free.ready         := opens
  buffer.io.opened.valid       := opens
  buffer.io.opened.bits.slot   := buffer.io.free.bits
  buffer.io.opened.bits.access := access
  buffer.io.opened.bits.lines  := Mux(access.failed, 0.U, touched)

  for (began <- io.began) {
    val ages = Module(new ReadAges(config))
    ages.io.asked              := io.asked
    ages.io.opened.valid       := opens && access.first
    ages.io.opened.bits        := buffer.io.free.bits
    ages.io.begins.valid       := buffer.io.begins.valid
    ages.io.begins.bits.slot   := buffer.io.begins.bits.slot
    ages.io.begins.bits.source := SourceTag(config, io.port, buffer.io.begins.bits.id)
    began                      := ages.io.began
  }
}
