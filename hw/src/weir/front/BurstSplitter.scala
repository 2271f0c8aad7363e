// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** Splits a burst into its blocks, in the order of its beats; a WRAP burst that starts inside a block and is longer than
  * one visits that block twice. Blocks outside memory carry DECERR, a malformed burst is one block that carries SLVERR for
  * all of its beats. Blocks behind a 4 KiB boundary, which AXI4 forbids bursts to cross (A3.4.1), carry SLVERR too.
  *
  * Latency: a burst taken in one cycle gives its first block in the next, from a register that advances in place.
  * Throughput: one block per cycle, without a gap between bursts. `in.ready` follows `out.ready`.
  */
class BurstSplitter(config: WeirConfig) extends Module {
  val io = IO(new Bundle {
    val in  = Flipped(Decoupled(new Burst(config)))
    val out = Decoupled(new BlockAccess(config))
  })
  private val blocks = new Blocks(config)

  // The burst from the present block on. `room` and `last` are kept beside it, as all that is ready or moves hangs on them.
  private val valid = RegInit(false.B)
  private val burst = Reg(new Burst(config))
  private val first = Reg(Bool())
  private val room  = Reg(UInt(blocks.offsetBits.W)) // beats, less one, between the address and the end of the block
  private val last  = Reg(Bool())

  private val access = io.out.bits
  io.out.valid     := valid
  access.id        := burst.id
  access.block     := burst.block
  access.run.start := burst.offset
  access.run.size  := burst.size
  access.run.mask  := burst.mask(blocks.offsetBits - 1, 0)
  access.run.more  := Mux(last, burst.len, room)
  access.container := burst.wrap && burst.single
  access.first     := first
  access.last      := last
  access.response  := MuxCase(
    Response.okay,
    Seq(burst.malformed -> Response.subordinate, burst.outside -> Response.decode)
  )

  // What is left of the burst behind the present block: in its page, and in a WRAP burst in its container.
  private val pageBlockBits = 12 - blocks.offsetBits
  private val inPage        = burst.block(pageBlockBits - 1, 0)
  private val moving = Fill(pageBlockBits - Burst.containerBlockBits, !burst.wrap) ## (burst.mask >> blocks.offsetBits)
  private val rest   = WireInit(burst)
  rest.block     := Cat(burst.block >> pageBlockBits, inPage & ~moving | (inPage +% 1.U) & moving)
  rest.offset    := 0.U
  rest.len       := burst.len +% ~room.pad(8)
  rest.malformed := burst.malformed || inPage.andR && !burst.wrap

  private val takes    = !valid || last
  private val moves    = !valid || io.out.ready
  private val next     = Mux(takes, io.in.bits, rest)
  private val nextRoom = ~next.offset >> next.size
  private val fits     = !(next.len >> blocks.offsetBits).orR && next.len(blocks.offsetBits - 1, 0) <= nextRoom
  io.in.ready := moves && takes
  when(moves) {
    valid := io.in.valid || !takes
    burst := next
    first := takes
    room  := nextRoom
    last  := next.single || fits
  }
}
