// SPDX-License-Identifier: Apache-2.0
package weir.place

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.front.{LineRead, LineWrite}

/** Finds each line's place in DRAM. The only room that changes addresses.
  *
  * Latency: one cycle. Throughput: one read and one write per cycle. No combinational path from `ready` to `ready`.
  */
class Place(config: WeirConfig) extends Module {
  val io = IO(new Bundle {
    val reads        = Flipped(Decoupled(new LineRead(config)))
    val writes       = Flipped(Decoupled(new LineWrite(config)))
    val placedReads  = Decoupled(new PlacedRead(config))
    val placedWrites = Decoupled(new PlacedWrite(config))
  })

  private val map: AddressMap = RowRankBankColumn

  private val reads = Wire(Decoupled(new PlacedRead(config)))
  reads.valid         := io.reads.valid
  reads.bits.location := map(config.geometry, io.reads.bits.line)
  reads.bits.source   := io.reads.bits.source
  reads.bits.tag      := io.reads.bits.tag
  io.reads.ready      := reads.ready
  io.placedReads <> (if (config.policies.fastReads) reads else Queue(reads, 1, pipe = true))

  private val writes = Wire(Decoupled(new PlacedWrite(config)))
  writes.valid         := io.writes.valid
  writes.bits.location := map(config.geometry, io.writes.bits.line)
  writes.bits.source   := io.writes.bits.source
  writes.bits.port     := io.writes.bits.port
  writes.bits.data     := io.writes.bits.data
  writes.bits.strobe   := io.writes.bits.strobe
  io.writes.ready      := writes.ready
  io.placedWrites <> Queue(writes, 1, pipe = true)
}
