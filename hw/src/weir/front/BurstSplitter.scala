// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** Splits a burst into its blocks, in the order of its beats; a WRAP burst that starts inside a block and is longer than
  * one visits that block twice. Blocks outside memory carry DECERR, a malformed burst is one block that carries SLVERR for
  * all of its beats. Blocks behind a 4 KiB boundary, which AXI4 forbids bursts to cross (A3.4.1), carry SLVERR too.
  *
  * Latency: a burst taken in one cycle gives its first block in the next, from a register that advances in place; with
  * `passes` it gives it at once where no other is in the register. Throughput: one block per cycle, without a gap between
  * bursts. `in.ready` follows `out.ready`.
  *
  * @param passes whether a burst passes an empty register, which puts a path from `in` to `out`
  */
class BurstSplitter(config: WeirConfig, passes: Boolean) extends Module {
  val io = IO(new Bundle {
    val in  = Flipped(Decoupled(new Burst(config)))
    val out = Decoupled(new BlockAccess(config))
  })
  private val blocks = new Blocks(config)

  /** A burst from the present block on. */
  private class Rest extends Bundle {
    val burst = new Burst(config)
    val first = Bool()
    val room  = UInt(blocks.offsetBits.W) // beats, less one, between the address and the end of the block
    val last  = Bool()
  }

  /** `room` and `last` are found out beforehand, as all that is ready or moves hangs on them. */
  private def rest(burst: Burst, first: Bool): Rest = {
    val rest = Wire(new Rest)
    val fits = !(burst.len >> blocks.offsetBits).orR && burst.len(blocks.offsetBits - 1, 0) <= rest.room
    rest.burst := burst
    rest.first := first
    rest.room  := ~burst.offset >> burst.size
    rest.last  := burst.single || fits
    rest
  }

  private val valid = RegInit(false.B)
  private val kept  = Reg(new Rest)
  private val comes = rest(io.in.bits, first = true.B)
  private val now   = if (passes) Mux(valid, kept, comes) else kept
  private val burst = now.burst
  private val last  = now.last

  private val access = io.out.bits
  io.out.valid     := (if (passes) valid || io.in.valid else valid)
  access.id        := burst.id
  access.block     := burst.block
  access.run.start := burst.offset
  access.run.size  := burst.size
  access.run.mask  := burst.mask(blocks.offsetBits - 1, 0)
  access.run.more  := Mux(last, burst.len, now.room)
  access.container := burst.wrap && burst.single
  access.first     := now.first
  access.last      := last
  access.response  := MuxCase(
    Response.okay,
    Seq(burst.malformed -> Response.subordinate, burst.outside -> Response.decode)
  )

  // What is left of the burst behind the present block: in its page, and in a WRAP burst in its container.
  private val pageBlockBits = 12 - blocks.offsetBits
  private val inPage        = burst.block(pageBlockBits - 1, 0)
  private val moving = Fill(pageBlockBits - Burst.containerBlockBits, !burst.wrap) ## (burst.mask >> blocks.offsetBits)
  private val behind = WireInit(burst)
  behind.block     := Cat(burst.block >> pageBlockBits, inPage & ~moving | (inPage +% 1.U) & moving)
  behind.offset    := 0.U
  behind.len       := burst.len +% ~now.room.pad(8)
  behind.malformed := burst.malformed || inPage.andR && !burst.wrap
  if (passes) {
    io.in.ready := !valid || io.out.ready && last
    when(io.out.fire) {
      valid := !last
      kept  := rest(behind, first = false.B)
    }
    when(io.in.fire && (valid || !io.out.ready)) {
      valid := true.B
      kept  := comes
    }
  } else {
    val takes = !valid || last
    val moves = !valid || io.out.ready
    io.in.ready := moves && takes
    when(moves) {
      valid := io.in.valid || !takes
      kept  := rest(Mux(takes, io.in.bits, behind), takes)
    }
  }
}
