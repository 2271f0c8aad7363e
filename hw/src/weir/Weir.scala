// SPDX-License-Identifier: Apache-2.0
package weir

import chisel3._
import weir.channel.{Channel, ChannelControl}
import weir.config.WeirConfig
import weir.dfi.{CommandsToPhases, Dfi}
import weir.front.{Axi4, Front}
import weir.media.{Media, NvmControl}
import weir.migrate.{MoverPort, PageMover}
import weir.observe.{CounterPort, Observe}
import weir.place.Place
import weir.place.map.MapPort
import weir.place.monitor.HotMonitorPort
import weir.place.remap.{MovePort, RemapPort}
import weir.registers.RegisterBundle
import weir.regs.{AxiLite, RegisterMap, Registers}

import scala.reflect.ClassTag

/** The controller: AXI4 ports and an AXI4-Lite register port in, DFI out; one clock, synchronous reset. Instantiates the
  * rooms and connects them, nothing else. The DFI of the only channel is `dfi`, those of two are `dfi_0` and `dfi_1`.
  *
  * Latency of a read on an idle controller: from the AR handshake to its first DRAM command on the DFI, and from
  * `rddata_valid` to its first R beat, as [[weir.config.Pipeline]] has it: 1 and 1, or with a register at each step 6 and 2.
  */
class Weir(config: WeirConfig) extends Module {
  override def desiredName = "Weir"

  val s_axi  = IO(Vec(config.axi.ports, Flipped(new Axi4(config.axi))))
  val s_axil = IO(Flipped(new AxiLite(RegisterMap.addressBits)))

  /** The DFI of each channel. */
  val dfi: Seq[Dfi] = Seq.tabulate(config.channels) { number =>
    IO(new Dfi(config)).suggestName(if (config.channels == 1) "dfi" else s"dfi_$number")
  }

  private val front     = Module(new Front(config))
  private val place     = Module(new Place(config))
  private val channels  = Seq.fill(config.channels)(Module(new Channel(config)))
  private val media     = config.nvm.map(_ => Module(new Media(config)))
  private val registers = Module(new Registers(RegisterRooms(config)))

  /** High while something that software has asked to be interrupted for is pending; in configs that have such. */
  val interrupt: Option[Bool] = registers.io.interrupt.map { inner =>
    val outer = IO(Output(Bool())).suggestName("interrupt")
    outer := inner
    outer
  }

  private def registersOf[T <: RegisterBundle: ClassTag]: Option[T] = registers.io.room[T]
  private val control                                               = registersOf[ChannelControl].get

  front.io.axi.zip(s_axi).foreach { case (inner, outer) => inner <> outer }
  place.io.reads <> front.io.reads
  place.io.writes <> front.io.writes
  front.io.returns       := place.io.returns
  front.io.writeAccepted := place.io.accepted

  for (((channel, placed), dfi) <- channels.zip(place.io.channels).zip(dfi)) {
    val phases = Module(new CommandsToPhases(config))
    channel.io.reads <> placed.reads
    channel.io.writes <> placed.writes
    media match {
      case None        => placed.returns := channel.io.returns
      case Some(media) =>
        media.io.in    := channel.io.returns
        placed.returns := media.io.out
        media.io.channel <> channel.io.emulated.get
    }
    placed.accepted     := channel.io.accepted
    channel.io.control  := control
    phases.io.commands  := channel.io.commands
    phases.io.writeData := channel.io.writeData
    phases.io.writeMask := channel.io.writeMask
    channel.io.readData := phases.io.readData
    channel.io.wanted   := phases.io.wanted
    phases.io.released  := channel.io.released
    phases.io.dfi <> dfi
  }

  for ((turns, number) <- channels.flatMap(_.io.turns).zipWithIndex) {
    val others = channels.patch(number, Nil, 1).flatMap(_.io.turns)
    turns.channel   := number.U
    turns.othersOwe := RegNext(others.map(_.owes).reduce(_ && _), false.B)
  }

  registers.io.axil <> s_axil
  for ((media, nvm) <- media.zip(registersOf[NvmControl])) {
    media.io.control <> nvm
    media.io.dram := control.timing
    media.io.scale.zip(control.timeScale).foreach { case (inner, outer) => inner := outer }
  }
  place.io.map <> registersOf[MapPort].get
  place.io.remap.zip(registersOf[RemapPort]).foreach { case (inner, outer) => inner <> outer }
  place.io.move.foreach { port =>
    if (config.migration.isEmpty) MovePort.idle(port)
    else {
      val mover = Module(new PageMover(config))
      mover.io.place <> port
      registersOf[MoverPort].foreach(_ <> mover.io.registers)
      registersOf[RemapPort].foreach(mover.io.control := _.control)
      for (fence <- channels.head.io.fence) {
        fence.mark       := mover.io.mark
        mover.io.pending := fence.pending
      }
    }
  }
  place.io.hot.zip(registersOf[HotMonitorPort]).foreach { case (inner, outer) => inner <> outer }
  if (config.observation.counters) {
    val observe = Module(new Observe(config))
    observe.io.events := VecInit(channels.map(_.io.events))
    observe.io.began.zip(front.io.began).foreach { case (inner, outer) => inner := outer }
    observe.io.counters <> registersOf[CounterPort].get
  }
}
