// SPDX-License-Identifier: Apache-2.0
package weir.media

import chisel3._
import chisel3.util.{Valid, log2Ceil}
import weir.channel.{ChannelReturn, EmulatedPort, TimeScaleControl, TimingControl}
import weir.config.WeirConfig
import weir.device.NvmTiming
import weir.front.LineReturn

/** What makes the ranks of the NVM region ([[weir.config.NvmRegion]]) slower than DRAM: their timing class, which the channel
  * keeps between their commands beside the DRAM's own rules; what a line that was read comes later; and a bandwidth cap. The
  * only room where NVM is slow. Switched off, the region has the DRAM's timings and nothing more.
  *
  * Sources: Rainbow (sections III and IV-A, Table IV) and Rank Assignment (section II-G, Table II), whose PCM has row timings
  * of its own behind the same commands; the presets are in [[weir.device.NvmMedia]].
  *
  * Latency and throughput: none and one line per cycle for lines of DRAM; else as [[SlowReturns]] and [[BandwidthCap]] have
  * it. What changes is in force for commands as the channel has it, else three cycles later.
  */
class Media(config: WeirConfig) extends Module {
  private val phases    = config.phy.phases
  private val scaling   = config.policies.timeScaling
  private val delayBits = NvmTiming.bits + (if (scaling.isThere) log2Ceil(scaling.greatest) else 0)

  val io = IO(new Bundle {
    val control = Flipped(new NvmControl(config))
    val dram    = Input(new TimingControl(config))
    val scale   = Option.when(scaling.isThere)(Input(new TimeScaleControl(config)))
    val channel = Flipped(new EmulatedPort(config))
    val in      = Flipped(Valid(new ChannelReturn(config)))
    val out     = Valid(new LineReturn(config))
  })
  private val control = io.control
  private val factor  = io.scale.map(_.factor).getOrElse(1.U(1.W))

  for ((name, timing) <- io.channel.timing.elements) {
    // beside these the channel keeps DRAM's rules: the one between bank groups is as short as it may be
    val ofDram = name match {
      case "tWTR"         => io.dram.tWTR_S
      case "writeLatency" => 0.U
      case _              => io.dram(name)
    }
    timing := Mux(control.enable, control.timing(name), ofDram)
  }
  io.channel.hidesRefresh := control.enable

  private val cap = Module(new BandwidthCap(config))
  cap.io.control       := control.bandwidth
  cap.io.control.lines := Mux(control.enable, control.bandwidth.lines, 0.U)
  cap.io.factor        := factor
  cap.io.line          := io.channel.column.valid

  // in clocks times the factor, then in cycles
  private val clocks = RegNext(Mux(control.enable, control.timing.readLatency, 0.U) * factor, 0.U)
  private val slow   = Module(new SlowReturns(config, delayBits))
  private val delay  = RegNext(((clocks +& (phases - 1).U) >> log2Ceil(phases))(delayBits - 1, 0), 0.U)
  slow.io.delay := delay
  slow.io.read  := io.channel.column.valid && !io.channel.column.bits
  slow.io.in    := io.in
  io.out        := slow.io.out

  io.channel.mayRead  := cap.io.mayGo && slow.io.mayRead
  io.channel.mayWrite := cap.io.mayGo
  io.channel.anyRead  := slow.io.anyRead

  private val exposed = RegInit(0.U(32.W))
  exposed         := exposed + io.channel.exposed
  control.exposed := exposed
}
