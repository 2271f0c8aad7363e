// SPDX-License-Identifier: Apache-2.0
package weir.front

import chisel3._
import chisel3.util._
import weir.config.WeirConfig

/** The front room: AXI4 ports to accesses of lines. The only room that understands AXI.
  *
  * Each port keeps the order that AXI asks for within an id and none between ids. Ports share `reads` and `writes` in turn;
  * reads and writes are apart, so that full write queues never hold back reads.
  *
  *   - `axi`: one AXI4 port each, see [[Axi4]]; an address outside memory is answered DECERR, a malformed burst (see
  *     [[Burst]]) SLVERR, on every beat; so are beats behind a 4 KiB boundary that a burst crosses, which AXI4 forbids.
  *   - `reads`, `writes`: lines to read and to write; a write goes out with its last W beat.
  *   - `returns`: lines read, in any order, never refused, at the earliest two cycles after their read was taken.
  *   - `began`: the answer of a read burst of the port begins, for `observe` to count.
  *   - `writeAccepted`: the oldest line write of that port that was not yet so reported is now seen by every later read.
  *
  * Latency in cycles: ARVALID and ARREADY to `reads.valid` 0, with `Pipeline.burst` 1; `returns.valid` to RVALID 1 where R
  * is idle, 2 with `Pipeline.answer`, and 3 for bursts of several blocks that must stay whole and do not come alone
  * ([[BurstGate]]); the later of AW's and the last W beat's handshake to `writes.valid` 1; `writeAccepted` to BVALID 1.
  *
  * Throughput: one line read, one line write per cycle over all ports; one R beat, one W beat per port and cycle.
  *
  * No path leads from RREADY or BREADY to a `ready` of `axi`, nor from `ready` of `reads` or `writes`, but where a line goes
  * on every second cycle at most (`WeirConfig.halfRate`): there the one of `reads` leads to ARREADY and the one of `writes`
  * to AWREADY and WREADY. Without `Pipeline.burst` the gates of ARREADY hang on AR's payload too, for which it never changes.
  * With `Pipeline.request` what AW, W and AR bring is seen a cycle later, so that `reads.valid` and `writes.valid` are one cycle
  * later, and no path leads from their `valid` and payload to anything but a register.
  */
class Front(config: WeirConfig) extends Module {
  private val count = config.axi.ports
  val io            = IO(new Bundle {
    val axi           = Vec(count, Flipped(new Axi4(config.axi)))
    val reads         = Decoupled(new LineRead(config))
    val writes        = Decoupled(new LineWrite(config))
    val returns       = Flipped(Valid(new LineReturn(config)))
    val writeAccepted = Flipped(Valid(UInt(log2Ceil(LineTag.ports(config)).W)))
    val began         = Option.when(config.observation.explains)(Vec(count, Valid(new BegunRead(config))))
  })
  private val ports = Seq.tabulate(count) { i =>
    val port = Module(new Port(config))
    port.io.port := i.U(log2Ceil(count).W)
    port.io.axi <> (if (config.pipeline.request) RequestSlice(config.axi, io.axi(i)) else io.axi(i))
    port.io.returns                                           := io.returns
    port.io.returns.valid                                     := io.returns.valid && io.returns.bits.tag.port === i.U
    port.io.accepted                                          := io.writeAccepted.valid && io.writeAccepted.bits === i.U
    port.io.asked                                             := io.axi(i).arvalid && io.axi(i).arready
    for (began <- io.began; ofPort <- port.io.began) began(i) := ofPort
    port
  }
  io.reads <> sliced(inTurn(ports.map(_.io.reads)))
  io.writes <> sliced(inTurn(ports.map(_.io.writes)))

  // where a line goes on every second cycle at most, `place` answers from a register itself
  private def sliced[T <: Data](from: DecoupledIO[T]): DecoupledIO[T] =
    if (config.halfRate) from else ReverseSlice(from)

  private def inTurn[T <: Data](sources: Seq[DecoupledIO[T]]): DecoupledIO[T] =
    if (sources.size == 1) sources.head
    else {
      val arbiter = Module(new RRArbiter(chiselTypeOf(sources.head.bits), sources.size))
      for ((input, source) <- arbiter.io.in.zip(sources)) input <> source
      arbiter.io.out
    }
}
