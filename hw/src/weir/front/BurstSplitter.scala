// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** Splits a burst into its blocks, in the order of its beats; a WRAP burst that starts inside a block and is longer than
  * one visits that block twice. Blocks outside memory carry DECERR, a malformed burst is one block that carries SLVERR for
  * all of its beats.
  *
  * Latency: a burst taken in one cycle gives its first block in the next, from a register that advances in place.
  * Throughput: one block per cycle, without a gap between bursts. `in.ready` comes from a register.
  */
class BurstSplitter(config: WeirConfig) extends Module {
  val io = IO(new Bundle {
    val in  = Flipped(Decoupled(new Burst(config)))
    val out = Decoupled(new BlockAccess(config))
  })
  private val blocks  = new Blocks(config)
  private val arrived = ReverseSlice(io.in)

  private val valid = RegInit(false.B)
  private val first = Reg(Bool())
  private val burst = Reg(new Burst(config))

  private val offset  = burst.address(blocks.offsetBits - 1, 0)
  private val block   = burst.address >> blocks.offsetBits
  private val outside = (block >> blocks.numberBits).orR

  // Beats, less one, that fit between the offset and the end of the block.
  private val room = (~offset >> burst.size).pad(8)
  private val last = burst.single || burst.len <= room

  private val access = io.out.bits
  io.out.valid     := valid
  access.id        := burst.id
  access.block     := block(blocks.numberBits - 1, 0)
  access.run.start := offset
  access.run.size  := burst.size
  access.run.mask  := burst.mask(blocks.offsetBits - 1, 0)
  access.run.more  := Mux(last, burst.len, room)
  access.run.one   := burst.len === 0.U || !burst.single && room === 0.U
  access.container := burst.wrap && burst.single
  access.first     := first
  access.last      := last
  access.remaining := burst.len
  access.response  := MuxCase(
    Response.okay,
    Seq(burst.malformed -> Response.subordinate, outside -> Response.decode)
  )

  // In a WRAP burst only the container's bits of the block number advance.
  private val containerBits = Burst.containerBlockBits
  private val moving        = burst.mask >> blocks.offsetBits
  private val increment     = block +% 1.U
  private val nextBlock     = Cat(
    Mux(burst.wrap, block >> containerBits, increment >> containerBits),
    block(containerBits - 1, 0) & ~moving | increment(containerBits - 1, 0) & moving
  )

  arrived.ready := !valid || io.out.ready && last
  valid         := arrived.valid || valid && !(io.out.ready && last)
  when(arrived.fire) {
    burst := arrived.bits
    first := true.B
  }.elsewhen(io.out.fire) {
    burst.address := nextBlock << blocks.offsetBits
    burst.len     := burst.len +% ~room
    first         := false.B
  }
}
