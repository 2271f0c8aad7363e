// SPDX-License-Identifier: Apache-2.0
package weir.migrate

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.place.remap.{InternalPort, RemapBits}

/** Which bytes of the first line of a page are copied: all, or of the pages whose pointer stands in their home's first
  * 8 bytes those alone or all the others.
  */
object FirstLine extends ChiselEnum {
  val whole, head, tail = Value
}

/** A window of lines to be copied. */
class CopyRequest(config: WeirConfig) extends Bundle {
  private val bits = new RemapBits(config)
  val from, to     = UInt(bits.page.W)

  /** The window's first line in the page, a multiple of the window; those of its lines that are copied, not none. */
  val base  = UInt(bits.line.W)
  val lines = UInt(config.migration.get.window.W)
  val first = FirstLine()
}

/** Copies lines from one page to another, all lines of a window in flight at the same time. `done` is high for a cycle
  * when all writes of the window have been accepted; then every later read sees them.
  *
  * A line that was lost on its way is read again.
  *
  * Latency: that of a read and of a write of a line, and two cycles. Throughput: a line read and a line written per
  * cycle.
  */
class LineCopy(config: WeirConfig) extends Module {
  private val window = config.migration.get.window
  private val bits   = new RemapBits(config)
  private val bytes  = config.geometry.lineBytes

  val io = IO(new Bundle {
    val request = Flipped(Decoupled(new CopyRequest(config)))
    val done    = Output(Bool())
    val memory  = new InternalPort(config)

    /** Whether a line may be read now; one is. */
    val may    = Input(Bool())
    val begins = Output(Bool())
  })
  private val busy    = RegInit(false.B)
  private val request = Reg(new CopyRequest(config))
  private val unread  = RegInit(0.U(window.W))
  private val held    = RegInit(0.U(window.W))
  // writes not accepted
  private val left   = RegInit(0.U(window.W))
  private val buffer = Mem(window, UInt(config.geometry.lineBits.W))

  private def line(page: UInt, number: UInt): UInt =
    page ## request.base(bits.line - 1, log2Ceil(window)) ## number(log2Ceil(window) - 1, 0)

  private val reads     = io.memory.reads
  private val readsNext = PriorityEncoder(unread)
  reads.valid     := unread.orR && io.may
  reads.bits.line := line(request.from, readsNext)
  reads.bits.tag  := readsNext
  io.begins       := reads.fire

  private val returns = io.memory.returns
  private val slot    = returns.bits.tag(log2Ceil(window) - 1, 0)
  private val comes   = busy && returns.valid && !returns.bits.lost
  private val again   = busy && returns.valid && returns.bits.lost
  when(comes)(buffer.write(slot, returns.bits.data))

  private val writes     = io.memory.writes
  private val writesNext = PriorityEncoder(held)
  private val isFirst    = request.base === 0.U && writesNext === 0.U
  private val all        = ((BigInt(1) << bytes) - 1).U(bytes.W)
  private val head       = 0xff.U(bytes.W)
  writes.valid       := held.orR
  writes.bits.line   := line(request.to, writesNext)
  writes.bits.data   := buffer.read(writesNext)
  writes.bits.strobe := Mux(
    !isFirst || request.first === FirstLine.whole,
    all,
    Mux(request.first === FirstLine.head, head, all & ~head)
  )

  private def bit(set: Bool, number: UInt): UInt = Mux(set, UIntToOH(number, window), 0.U(window.W))
  io.request.ready := !busy
  io.done          := busy && io.memory.accepted && PopCount(left) === 1.U
  unread           := (unread & ~bit(reads.fire, readsNext)) | bit(again, slot)
  held             := (held | bit(comes, slot)) & ~bit(writes.fire, writesNext)
  // which of them is accepted does not matter, only how many
  when(busy && io.memory.accepted)(left := left & (left - 1.U))
  when(io.done)(busy                    := false.B)
  when(io.request.fire) {
    busy    := true.B
    request := io.request.bits
    unread  := io.request.bits.lines
    left    := io.request.bits.lines
  }
}
