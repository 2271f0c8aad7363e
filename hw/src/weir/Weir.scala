// SPDX-License-Identifier: Apache-2.0
package weir

import chisel3._
import weir.channel.Channel
import weir.config.{InterruptSource, WeirConfig}
import weir.dfi.{CommandsToPhases, Dfi}
import weir.front.{Axi4, Front}
import weir.media.Media
import weir.migrate.PageMover
import weir.observe.Observe
import weir.place.{MovePort, Place}
import weir.regs.{AxiLite, RegisterMap, Registers}

/** The controller: AXI4 ports and an AXI4-Lite register port in, DFI out; one clock, synchronous reset. Instantiates the
  * rooms and connects them, nothing else. The DFI of the only channel is `dfi`, those of two are `dfi_0` and `dfi_1`.
  *
  * Latency of a read on an idle controller, in controller cycles from the AR handshake: its first DRAM command is on the
  * DFI after 1 with `fastReads`, else after 6; the first R beat follows `rddata_valid` by 1, without `fastReads` by 3.
  * With `requestSlice` each command is one cycle later.
  */
class Weir(config: WeirConfig) extends Module {
  override def desiredName = "Weir"

  val s_axi  = IO(Vec(config.axi.ports, Flipped(new Axi4(config.axi))))
  val s_axil = IO(Flipped(new AxiLite(RegisterMap.addressBits)))

  /** The DFI of each channel. */
  val dfi: Seq[Dfi] = Seq.tabulate(config.channels) { number =>
    IO(new Dfi(config)).suggestName(if (config.channels == 1) "dfi" else s"dfi_$number")
  }

  /** High while something that software has asked to be interrupted for is pending; in configs that have such. */
  val interrupt: Option[Bool] =
    Option.when(InterruptSource.of(config).nonEmpty)(IO(Output(Bool())).suggestName("interrupt"))

  private val front     = Module(new Front(config))
  private val place     = Module(new Place(config))
  private val channels  = Seq.fill(config.channels)(Module(new Channel(config)))
  private val media     = config.nvm.map(_ => Module(new Media(config)))
  private val registers = Module(new Registers(config))

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
        media.io.channel <> channel.io.region.get
    }
    placed.accepted     := channel.io.accepted
    channel.io.control  := registers.io.control
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
  for ((media, nvm) <- media.zip(registers.io.nvm)) {
    media.io.control := nvm.control
    media.io.dram    := registers.io.control.timing
    nvm.exposed      := media.io.exposed
    media.io.scale.zip(registers.io.control.timeScale).foreach { case (inner, outer) => inner := outer }
  }
  place.io.map.zip(registers.io.map).foreach { case (inner, outer) => inner <> outer }
  place.io.remap.zip(registers.io.remap).foreach { case (inner, outer) => inner <> outer }
  place.io.move.foreach { port =>
    if (config.migration.isEmpty) MovePort.idle(port)
    else {
      val mover = Module(new PageMover(config))
      mover.io.place <> port
      registers.io.mover.foreach(_ <> mover.io.registers)
      registers.io.moveCompleted.foreach(_ := mover.io.completed)
      registers.io.remap.foreach(mover.io.control := _.control)
      for (fence <- channels.head.io.fence) {
        fence.mark       := mover.io.mark
        mover.io.pending := fence.pending
      }
    }
  }
  place.io.hot.zip(registers.io.hot).foreach { case (inner, outer) => inner <> outer }
  interrupt.zip(registers.io.interrupt).foreach { case (outer, inner) => outer := inner }
  registers.io.counters.foreach { counters =>
    val observe = Module(new Observe(config))
    observe.io.events := VecInit(channels.map(_.io.events))
    observe.io.began.zip(front.io.began).foreach { case (inner, outer) => inner := outer }
    observe.io.counters <> counters
  }
}
