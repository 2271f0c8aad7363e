// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.place.{Location, PlacedRead, PlacedWrite}

/** Where accesses come into the channel: one in each cycle, a read or a write in turn where both wait, is looked up among
  * the queued writes and then goes its way.
  *
  *   - A write of a line that waits already is merged into it, so that no two queued writes are of one line; any other is
  *     queued.
  *   - A read of a line that waits whole is answered from there (`forward`); of one that waits in part it is held, and its
  *     rank drains (`hazard`), until the write has gone; any other is queued.
  *   - Without forwarding all accesses to a line that waits are held like that.
  *
  * A held read does not hold writes back, nor a held write reads. The data bus carries at most one line in a cycle, so one
  * lookup in a cycle is enough.
  *
  * Latency and throughput: none and one access per cycle; with `Pipeline.arrival` one cycle from the lookup to the queue,
  * and a read and a write in two cycles.
  */
class Arrivals(config: WeirConfig) extends Module {
  private val geometry   = config.geometry
  private val depth      = config.policies.writeQueue
  private val forwarding = config.policies.forwarding

  /** An access on its way into its queue, with the slots of queued writes of its line. */
  private class Looked[T <: Data](gen: T) extends Bundle {
    val access = gen.cloneType
    val found  = UInt(depth.W)
  }

  val io = IO(new Bundle {
    val reads  = Flipped(Decoupled(new PlacedRead(config)))
    val writes = Flipped(Decoupled(new PlacedWrite(config)))

    /** The line that is looked up, and the slots of its queued writes. */
    val search = Output(new Location(geometry))
    val found  = Input(UInt(depth.W))

    /** Slots of queued writes, those of them that hold a whole line, and the slot that the next queued write gets. */
    val queued = Input(UInt(depth.W))
    val whole  = Input(UInt(depth.W))
    val next   = Input(UInt(depth.W))

    /** To the queues; for a merge the write is on `write` but not for the queue. */
    val read                  = Decoupled(new PlacedRead(config))
    val write                 = Decoupled(new PlacedWrite(config))
    val merge                 = Output(Bool())
    val forward               = Decoupled(new PlacedRead(config))
    val foundRead, foundWrite = Output(UInt(depth.W))

    /** The read on `read` waits for a queued write of its line. */
    val heldRead = Output(Bool())

    /** Ranks of which an access waits for a queued write (from a register). */
    val hazard = Output(UInt(geometry.ranks.W))
  })

  // --- lookup: one access in each cycle
  private val writeNext    = RegInit(false.B)
  private val looksUpWrite = io.writes.valid && (writeNext || !io.reads.valid)
  private val looksUpRead  = io.reads.valid && !looksUpWrite
  writeNext := !looksUpWrite
  io.search := Mux(looksUpWrite, io.writes.bits.location, io.reads.bits.location)

  private def looked[T <: Data](from: DecoupledIO[T], chosen: Bool): DecoupledIO[Looked[T]] = {
    val now = Wire(Decoupled(new Looked(chiselTypeOf(from.bits))))
    now.valid       := chosen
    now.bits.access := from.bits
    now.bits.found  := io.found
    from.ready      := chosen && now.ready
    if (!config.pipeline.arrival) now
    else {
      val later = Wire(chiselTypeOf(now))
      val valid = RegInit(false.B)
      val bits  = Reg(chiselTypeOf(now.bits))
      // from a register, so that no path goes from the queues back to front; the DRAM takes no more of one class than a
      // line in two cycles where this is used
      now.ready        := !valid
      valid            := now.fire || (valid && !later.ready)
      later.valid      := valid
      later.bits       := bits
      later.bits.found := bits.found & io.queued
      bits.found       := later.bits.found
      when(now.fire) {
        bits.access := now.bits.access
        // what is queued in this very cycle is not among the slots yet
        val sameLine = AddressHash(config, io.search) === AddressHash(config, io.write.bits.location)
        bits.found := io.found | Mux(io.write.fire && !io.merge && sameLine, io.next, 0.U)
      }
      later
    }
  }
  private val read  = looked(io.reads, looksUpRead)
  private val write = looked(io.writes, looksUpWrite)

  // --- writes
  private val waits = write.bits.found.orR
  io.merge       := (if (forwarding) write.valid && waits else false.B)
  io.write.valid := write.valid && (if (forwarding) true.B else !waits)
  io.write.bits  := write.bits.access
  io.foundWrite  := write.bits.found
  write.ready    := (if (forwarding) waits || io.write.ready else !waits && io.write.ready)

  // --- reads
  private val hits  = read.bits.found.orR
  private val whole = if (forwarding) (read.bits.found & io.whole).orR else false.B
  io.read.valid    := read.valid && !hits
  io.read.bits     := read.bits.access
  io.foundRead     := read.bits.found
  io.forward.valid := read.valid && whole
  io.forward.bits  := read.bits.access
  read.ready       := Mux(hits, whole && io.forward.ready, io.read.ready)

  private def rankOf(waits: Bool, location: Location): UInt =
    Mux(waits, UIntToOH(location.rank, geometry.ranks), 0.U(geometry.ranks.W))
  io.heldRead := read.valid && hits && !whole
  private val heldRead  = rankOf(io.heldRead, read.bits.access.location)
  private val heldWrite =
    if (forwarding) 0.U else rankOf(write.valid && waits, write.bits.access.location)
  io.hazard := RegNext(heldRead | heldWrite, 0.U)
}
