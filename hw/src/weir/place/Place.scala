// SPDX-License-Identifier: Apache-2.0
package weir.place

import chisel3._
import chisel3.util._
import weir.config.WeirConfig
import weir.front.{LineRead, LineReturn, LineWrite}
import weir.place.map.{AddressMaps, FixedMap, MapInForce, MapOfRegisters, MapPort, PlaceBits, ProgrammableMap}
import weir.place.monitor.{HotMonitor, HotMonitorPort}
import weir.place.remap.{MovePort, RemapPort, RemapUnit}

/** Finds each line's place in DRAM, and brings it to the channel where that is. The only room that changes addresses.
  *
  * Reads and writes each pass the address map and then one register. The register takes the next line in the cycle in
  * which the channel takes the one it holds, so `ready` towards `front` follows from that of the channel in the same
  * cycle; a line that its channel does not take holds back those behind it, also those to the other channel. Reads
  * have that register with `Pipeline.place` only.
  *
  * Each line sees one map wholly, that which is in force in the cycle in which it is taken from `front`. The channels
  * know places only, so nothing else must agree on a map, and another one may be put in force at any time: what memory
  * holds, queued writes included, stays at its places, and has other addresses from then on.
  *
  * Latency: one cycle for writes and, with `Pipeline.place`, for reads; none for returns and accepted writes, but that of
  * two returns in the same cycle one waits ([[ReturnMerge]]), and that writes are reported in the order in which they
  * came ([[AcceptedInOrder]]). Throughput: one read, one write, one return per cycle over all channels.
  */
class Place(config: WeirConfig) extends Module {
  private val portBits = new PlacedWrite(config).port.getWidth

  val io = IO(new Bundle {
    val reads    = Flipped(Decoupled(new LineRead(config)))
    val writes   = Flipped(Decoupled(new LineWrite(config)))
    val returns  = Valid(new LineReturn(config))
    val accepted = Valid(UInt(portBits.W))
    val map      = Flipped(new MapPort(config))
    val remap    = Option.when(config.remapping.isDefined)(Flipped(new RemapPort(config)))
    val move     = Option.when(config.remapping.isDefined)(Flipped(new MovePort(config)))
    val hot      = config.hotMonitoring.map(_ => Flipped(new HotMonitorPort(config)))
    val channels = Vec(
      config.channels,
      new Bundle {
        val reads    = Decoupled(new PlacedRead(config))
        val writes   = Decoupled(new PlacedWrite(config))
        val returns  = Flipped(Valid(new LineReturn(config)))
        val accepted = Flipped(Valid(UInt(portBits.W)))
      }
    )
  })

  private val map: MapInForce = io.map.choice match {
    case Some(chosen) =>
      val programmable = Module(new ProgrammableMap(config))
      val choice       = programmable.io.choice
      choice.map           := chosen.judge.candidate(AddressMaps.numberBits - 1, 0)
      choice.masks         := VecInit(chosen.masks)
      choice.check         := chosen.judge.check
      choice.take          := chosen.taken
      chosen.judge.checked := choice.checked
      chosen.judge.passes  := choice.oneToOne
      new MapOfRegisters(config, programmable.io.state)
    case None =>
      new FixedMap(config, AddressMaps.named(config.placement.map).masks(new PlaceBits(config)))
  }
  for (port <- io.map.inForce) port.word := map.mask(port.index)

  /** An access with the channel that it goes to. */
  private class Routed[T <: Data](gen: T) extends Bundle {
    val channel = UInt(config.channelBits.W)
    val access  = gen.cloneType
  }

  private val remapUnit = Option.when(config.remapping.isDefined)(Module(new RemapUnit(config)))
  for (unit <- remapUnit) {
    unit.io.reads <> io.reads
    unit.io.writes <> io.writes
    unit.io.placed.returns  := io.channels.head.returns
    unit.io.placed.accepted := io.channels.head.accepted
    unit.io.move <> io.move.get
    unit.io.remap <> io.remap.get
  }
  private val linesRead    = remapUnit.map(_.io.placed.reads).getOrElse(io.reads)
  private val linesWritten = remapUnit.map(_.io.placed.writes).getOrElse(io.writes)

  private val reads = Wire(Decoupled(new Routed(new PlacedRead(config))))
  reads.valid     := linesRead.valid
  linesRead.ready := reads.ready
  private val readSite = map(linesRead.bits.line)
  reads.bits.channel         := readSite.channel
  reads.bits.access.location := readSite.location
  reads.bits.access.source   := linesRead.bits.source
  reads.bits.access.tag      := linesRead.bits.tag

  private val writes = Wire(Decoupled(new Routed(new PlacedWrite(config))))
  writes.valid       := linesWritten.valid
  linesWritten.ready := writes.ready
  private val writeSite = map(linesWritten.bits.line)
  writes.bits.channel         := writeSite.channel
  writes.bits.access.location := writeSite.location
  writes.bits.access.source   := linesWritten.bits.source
  writes.bits.access.port     := linesWritten.bits.port
  writes.bits.access.data     := linesWritten.bits.data
  writes.bits.access.strobe   := linesWritten.bits.strobe

  // ---- What is counted of the NVM region
  for (port <- io.hot) {
    val pages   = new PageNumbers(config)
    val monitor = Module(new HotMonitor(config))

    // through a register, so that counting lies on no path of the controller
    def taken(from: DecoupledIO[_ <: Data], line: UInt, write: Bool): Valid[MonitoredAccess] = {
      val page   = pages.page(line)
      val access = Wire(Valid(new MonitoredAccess(config)))
      access.valid           := RegNext(from.fire && pages.isInside(page), false.B)
      access.bits.page       := RegNext(page)
      access.bits.write      := write
      access.bits.redirected := false.B
      access
    }
    monitor.io.accesses := remapUnit
      .flatMap(_.io.accesses)
      .getOrElse(VecInit(taken(io.reads, io.reads.bits.line, false.B), taken(io.writes, io.writes.bits.line, true.B)))
    monitor.io.port <> port
  }

  /** One register; empties and fills in the same cycle, but where a line goes on every second cycle at most. One for each field,
    * as in [[weir.front.ReverseSlice]].
    */
  private def registered[T <: Data](in: DecoupledIO[T]): DecoupledIO[T] = {
    val out   = Wire(chiselTypeOf(in))
    val valid = RegInit(false.B)
    in.ready  := !valid || (if (config.halfRate) false.B else out.ready)
    out.valid := valid
    out.bits  := RegEnable(in.bits, in.ready)
    when(in.ready)(valid := in.valid).elsewhen(out.ready)(valid := false.B)
    out
  }

  private def toChannels[T <: Data](from: DecoupledIO[Routed[T]], to: Seq[DecoupledIO[T]]): Unit = {
    for ((channel, number) <- to.zipWithIndex) {
      channel.valid := from.valid && from.bits.channel === number.U
      channel.bits  := from.bits.access
    }
    from.ready := VecInit(to.map(_.ready))(from.bits.channel)
  }

  toChannels(if (config.pipeline.place) registered(reads) else reads, io.channels.map(_.reads))

  private val placedWrites = registered(writes)
  if (config.channels == 1) {
    toChannels(placedWrites, io.channels.map(_.writes))
    io.returns  := remapUnit.map(_.io.returns).getOrElse(io.channels.head.returns)
    io.accepted := remapUnit.map(_.io.accepted).getOrElse(io.channels.head.accepted)
  } else {
    val order = Module(new AcceptedInOrder(config))
    val sends = Wire(chiselTypeOf(placedWrites))
    toChannels(sends, io.channels.map(_.writes))
    sends.valid                := placedWrites.valid && order.io.sent.ready
    sends.bits                 := placedWrites.bits
    placedWrites.ready         := sends.ready && order.io.sent.ready
    order.io.sent.valid        := placedWrites.fire
    order.io.sent.bits.channel := placedWrites.bits.channel
    order.io.sent.bits.port    := placedWrites.bits.access.port
    order.io.in                := VecInit(io.channels.map(_.accepted.valid))
    io.accepted                := order.io.out

    val merge = Module(new ReturnMerge(config))
    merge.io.in.zip(io.channels).foreach { case (in, channel) => in := channel.returns }
    io.returns := merge.io.out
  }
}
