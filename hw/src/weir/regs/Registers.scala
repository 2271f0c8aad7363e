// SPDX-License-Identifier: Apache-2.0
package weir.regs

import chisel3._
import chisel3.util._
import weir.channel.ChannelControl
import weir.config.{InterruptSource, WeirConfig}
import weir.media.NvmControl
import weir.migrate.{MoveOperation, MoverPort}
import weir.observe.CounterPort
import weir.place.{HotMonitorPort, MapPort, RemapPort}

/** The registers of [[RegisterMap]] on AXI4-Lite: one write and one read at a time, address and data of a write in any
  * order, every access answered.
  *
  * A write without a strobe is answered OKAY at every address and does nothing: a bridge from a wider bus sends such writes
  * to the words beside the one that is written. Any other write changes the bytes whose strobe is set and is then judged as
  * a whole; what a write starts (a command, another address map, the next slot of chosen superpages) is started only if one
  * of these bytes holds a field of the register. A write is refused, with SLVERR, the first
  * cause kept in the `error` register and nothing changed, if the address is unaligned or has no register, if the
  * register has nothing to write, if a field would leave its range or have a value without a meaning, if a reserved bit
  * is 1, if a relation would break, or if an address map would not be one to one (the check of which makes the answer
  * wait as many cycles as a line's number has bits), or if the hot list would be read further than it goes. Read-only
  * fields beside writable ones ignore what is written. A read gives SLVERR and zero where the address is unaligned or has
  * no register, and where what stands behind the register cannot be read now. Protection bits are ignored.
  */
class Registers(config: WeirConfig, map: RegisterMap) extends Module {
  def this(config: WeirConfig) = this(config, new RegisterMap(config))

  import RegisterMap.addressBits

  val io = IO(new Bundle {
    val axil     = Flipped(new AxiLite(addressBits))
    val control  = Output(new ChannelControl(config))
    val counters = Option.when(config.observation.counters)(new CounterPort(config))
    val map      = Option.when(config.placement.readable)(new MapPort(config))
    val nvm      = Option.when(config.nvm.isDefined)(new Bundle {
      val control = Output(new NvmControl)
      val exposed = Input(UInt(32.W))
    })
    val remap = Option.when(config.remapping.isDefined)(new RemapPort(config))
    val mover = Option.when(config.migration.nonEmpty)(new MoverPort)
    val hot   = config.hotMonitoring.map(_ => new HotMonitorPort(config))

    /** The mover has completed or refused a command, for one cycle. */
    val moveCompleted = Option.when(config.migration.nonEmpty)(Input(Bool()))

    val interrupt = Option.when(InterruptSource.of(config).nonEmpty)(Output(Bool()))
  })

  private def full(register: Register, field: Field): String = s"${register.name}.${field.name}"

  /** Whether what is written stays in a register here. */
  private def isKept(field: Field): Boolean = field.access == Access.ReadWrite || field.access == Access.Position

  // ---- Write: address and data are held until the answer is taken
  private val writeAddress = Reg(UInt(addressBits.W))
  private val hasAddress   = RegInit(false.B)
  private val writeData    = Reg(UInt(32.W))
  private val writeStrobe  = Reg(UInt(4.W))
  private val hasData      = RegInit(false.B)
  private val answered     = RegInit(false.B)
  private val answer       = Reg(UInt(2.W))
  private val selected     = map.registers.map(register => register -> (writeAddress === register.offset.U)).toMap

  /** Whether what is written is a byte that holds a field of the register; never, if the config has no such register. */
  private def reaches(name: String): Bool = map.registers
    .find(_.name == name)
    .map { register =>
      val bytes = register.fields.flatMap(field => field.low / 8 to field.high / 8).distinct
      selected(register) && bytes.map(writeStrobe(_)).reduce(_ || _)
    }
    .getOrElse(false.B)

  io.axil.awready := !hasAddress
  when(io.axil.awvalid && io.axil.awready) {
    hasAddress   := true.B
    writeAddress := io.axil.awaddr
  }
  io.axil.wready := !hasData
  when(io.axil.wvalid && io.axil.wready) {
    hasData     := true.B
    writeData   := io.axil.wdata
    writeStrobe := io.axil.wstrb
  }

  /** The relations take a cycle, from the first cycle that holds both address and data; an address map takes longer. */
  private val held      = hasAddress && hasData && !answered
  private val mapChoice = io.map.flatMap(_.choice)
  private val ofMap     = reaches("address_map")
  private val mapJudged = mapChoice.map(choice => !ofMap || choice.checked).getOrElse(true.B)
  private val judge     = held && RegNext(held, false.B) && mapJudged

  // ---- What is written, as it would become
  private val written = FillInterleaved(8, writeStrobe)

  private val state: Map[String, UInt] = (for {
    register <- map.registers
    field    <- register.fields if isKept(field)
  } yield full(register, field) -> RegInit(field.reset.U(field.bits.W))
    .suggestName(s"${register.name}_${field.name}")).toMap

  private val candidate: Map[String, UInt] = (for (register <- map.registers; field <- register.fields) yield {
    val name = full(register, field)
    val mask = written(field.high, field.low)
    val data = writeData(field.high, field.low)
    name -> (field.access match {
      case Access.ReadWrite | Access.Position =>
        Mux(selected(register), (state(name) & ~mask) | (data & mask), state(name))
      case Access.ReadOnly => field.reset.U(field.bits.W)
      case _               => Mux(selected(register), data & mask, 0.U)
    })
  }).toMap

  // ---- Judgement
  private def anyField(refused: (Register, Field) => Bool): Bool =
    (for (register <- map.registers; field <- register.fields if isKept(field))
      yield refused(register, field)).foldLeft(false.B)(_ || _)

  private def isOneOf(value: UInt, those: Seq[BigInt]): Bool = those.map(value === _.U).foldLeft(false.B)(_ || _)

  private val readOnly = map.registers.filter(_.isReadOnly).map(selected).reduce(_ || _) || isInBlock(writeAddress)
  private val tooLow   = anyField((register, field) => candidate(full(register, field)) < field.minimum.U)
  private val tooHigh  = anyField((register, field) => candidate(full(register, field)) > field.maximum.U)
  private val unnamed  = anyField((register, field) => isOneOf(candidate(full(register, field)), field.unnamed))
  private val reserved = map.registers
    .filter(!_.isReadOnly)
    .map { register =>
      val used = register.fields.map(field => ((BigInt(1) << field.bits) - 1) << field.low).reduce(_ | _)
      selected(register) && (writeData & written & (~used.U(32.W)).asUInt).orR
    }
    .reduce(_ || _)
  private val changesLocked = Option.when(config.remapping.isDefined) {
    state("remap_control.enable").asBool && RemapRegisters.locked
      .map(name => candidate(name) =/= state(name))
      .reduce(_ || _)
  }

  /** The hot list's records between head and tail are all that can have been read. */
  private val tooFar = io.hot.map { hot =>
    val head = state("hot_list_head.record")
    candidate("hot_list_head.record") - head > hot.listTail - head
  }
  private val unrelated =
    (map.relations.map(!_.holdsNext(candidate)) ++ tooFar).foldLeft(changesLocked.getOrElse(false.B))(_ || _)

  // the mover has no room for the command, or is not done when remapping is to be disabled
  private val givesMove    = reaches(MigrationRegisters.command)
  private val againstMover = io.mover.map { mover =>
    val disables = state("remap_control.enable").asBool && !candidate("remap_control.enable").asBool
    givesMove && !mover.room || disables && mover.issued =/= mover.completed
  }

  private val cause = MuxCase(
    WriteError.none,
    Seq(
      (writeAddress(1, 0) =/= 0.U)                              -> WriteError.unaligned,
      !(map.registers.map(selected).reduce(_ || _) || readOnly) -> WriteError.absent,
      readOnly                                                  -> WriteError.readOnly,
      reserved                                                  -> WriteError.aboveMaximum,
      tooLow                                                    -> WriteError.belowMinimum,
      tooHigh                                                   -> WriteError.aboveMaximum,
      unnamed                                                   -> WriteError.unnamed,
      againstMover.foldLeft(unrelated)(_ || _)                  -> WriteError.relation,
      mapChoice.map(ofMap && !_.oneToOne).getOrElse(false.B)    -> WriteError.notOneToOne
    )
  )
  private val refused  = writeStrobe.orR && cause =/= WriteError.none
  private val accepted = judge && !refused

  when(accepted) {
    for ((name, register) <- state) register := candidate(name)
  }
  when(judge) {
    answered := true.B
    answer   := Mux(refused, AxiLite.slverr, AxiLite.okay)
  }
  io.axil.bvalid := answered
  io.axil.bresp  := answer
  when(answered && io.axil.bready) {
    answered   := false.B
    hasAddress := false.B
    hasData    := false.B
  }

  /** One cycle when a 1 is written to a bit that is cleared or that starts something. */
  private def pulse(name: String): Bool = accepted && candidate(name).asBool

  /** One cycle when a register is written. */
  private def wrote(name: String): Bool = accepted && reaches(name)

  // ---- What is driven by hardware
  private val errorPending = RegInit(false.B)
  private val errorCause   = RegInit(WriteError.none)
  private val errorAddress = RegInit(0.U(addressBits.W))
  when(judge && refused && !errorPending) {
    errorPending := true.B
    errorCause   := cause
    errorAddress := writeAddress
  }
  when(pulse("error.pending")) {
    errorPending := false.B
    errorCause   := WriteError.none
    errorAddress := 0.U
  }

  /** What raises each source of [[InterruptSource]], in a cycle or as long as it is so. */
  private val raised: Map[String, Bool] =
    (io.hot.toSeq.flatMap(hot => Seq("interval_ended" -> hot.ended, "hot_list" -> hot.listReached)) ++
      io.moveCompleted.map("move_completed" -> _)).toMap

  private val pending: Seq[(String, Bool)] = InterruptSource.of(config).map { source =>
    val name         = s"interrupt_pending.${source.name}"
    val is           = RegInit(false.B)
    when(pulse(name))(is         := false.B)
    when(raised(source.name))(is := true.B)
    name -> is
  }
  // not through a register: once a write that clears it is answered it is low
  for (interrupt <- io.interrupt)
    interrupt := InterruptSource
      .of(config)
      .zip(pending)
      .map { case (source, (_, is)) => is && state(s"interrupt_enable.${source.name}").asBool }
      .reduce(_ || _)

  private val driven: Map[String, UInt] =
    Map("error.pending" -> errorPending, "error.cause" -> errorCause.asUInt, "error.address" -> errorAddress) ++
      io.counters.map(counters => "counters_status.wrapped" -> counters.wrapped) ++
      io.nvm.map(nvm => "nvm_refresh_exposed.cycles" -> nvm.exposed) ++
      io.mover.toSeq.flatMap(mover =>
        Seq(
          "move_status.issued"    -> mover.issued,
          "move_status.completed" -> mover.completed,
          "move_lines.count"      -> mover.lines
        ) ++
          mover.results.zipWithIndex.map { case (result, place) =>
            s"move_results_${if (place < mover.results.size / 2) "low" else "high"}.result$place" -> result
          }
      ) ++
      io.remap.toSeq.flatMap(driveRemap) ++
      io.hot.toSeq.flatMap { hot =>
        Seq(
          "hot_status.state"               -> hot.state.asUInt,
          "hot_status.hot_list_overflowed" -> hot.listOverflowed,
          "hot_list_tail.record"           -> hot.listTail,
          "hot_uncounted.accesses"         -> hot.uncounted,
          "hot_dropped.accesses"           -> hot.dropped
        )
      } ++ pending

  private def driveRemap(remap: RemapPort): Seq[(String, UInt)] = {
    val badPointer = RegInit(false.B)
    badPointer := remap.badPointer || badPointer && !pulse("remap_status.bad_pointer")
    val counter = remap.counters(state("remap_counter_index.counter"))
    Seq(
      "remap_status.busy"         -> remap.busy,
      "remap_status.bad_pointer"  -> badPointer,
      "remap_frame_states.states" -> remap.states.bits,
      "remap_counter.count"       -> counter
    )
  }

  for (counters <- io.counters) {
    counters.latch        := pulse("counters_latch.latch")
    counters.clearWrapped := pulse("counters_status.wrapped")
  }

  // a cycle after the write was judged, from registers
  for (mover <- io.mover) {
    mover.give        := RegNext(wrote(MigrationRegisters.command), false.B)
    mover.operation   := MoveOperation.safe(state(MigrationRegisters.operation))._1
    mover.page        := state("move_page_high.address") ## state("move_page_low.address")
    mover.frame       := state("move_frame_high.address") ## state("move_frame_low.address")
    mover.rate.lines  := state("move_rate.lines")
    mover.rate.cycles := state("move_rate.cycles")
  }
  for (hot <- io.hot) {
    hot.superpages := state("hot_control.superpages")
    hot.pages      := state("hot_control.pages")
    hot.redirected := state("hot_control.redirected")
    hot.periodic   := state("hot_control.periodic")
    // what is written with them holds for the interval that begins
    hot.start                 := RegNext(pulse("hot_control.start"), false.B)
    hot.stop                  := RegNext(pulse("hot_control.stop"), false.B)
    hot.interval              := state("hot_interval.cycles")
    hot.superpageWriteWeight  := state("hot_weights.superpage_write")
    hot.pageWriteWeight       := state("hot_weights.page_write")
    hot.threshold             := state("hot_threshold.count")
    hot.listLevel             := state("hot_list_level.records")
    hot.listHead              := state("hot_list_head.record")
    hot.clearListOverflowed   := pulse("hot_status.hot_list_overflowed")
    hot.choose.valid          := wrote(HotMonitorRegisters.chosen)
    hot.choose.bits.slot      := state("hot_slot.slot")
    hot.choose.bits.superpage := candidate(s"${HotMonitorRegisters.chosen}.superpage")
    hot.choose.bits.holds     := candidate(s"${HotMonitorRegisters.chosen}.holds")
    when(hot.choose.valid) {
      val slot = state("hot_slot.slot")
      slot := Mux(slot === (config.hotMonitoring.get.chosen - 1).U, 0.U, slot + 1.U)
    }
  }

  for (choice <- mapChoice) {
    choice.map   := candidate("address_map.map")
    choice.masks := VecInit(
      MapRegisters.maskFields(config).map(_.map { case (name, _) => state(name) }.reduce((a, b) => b ## a))
    )
    choice.check := held && ofMap
    choice.take  := accepted && ofMap
  }

  // ---- Read: the answer stands in registers a cycle after the address; with counters, which take one, two
  private val readAddress = Reg(UInt(addressBits.W))
  private val reading     = RegInit(false.B)
  private def asked: Bool = if (io.counters.isDefined || io.hot.isDefined) RegNext(reading, false.B) else reading
  // states of frames are gathered first, and meanwhile no other read is taken
  private val gathers = io.remap.map(_ => readAddress === RemapRegisters.framesOffset.U)
  private val answers = io.remap.zip(gathers) match {
    case Some((remap, mine)) => Mux(mine, remap.states.valid, asked)
    case None                => asked
  }
  private val hasRead    = RegInit(false.B)
  private val readData   = Reg(UInt(32.W))
  private val readAnswer = Reg(UInt(2.W))

  private def isCounter(address: UInt): Bool = address >= RegisterMap.countersOffset.U && address < map.end.U
  private def isMask(address: UInt): Bool    = map.masks
    .flatMap(block => block.offset until block.offset + block.bytes by 8)
    .map(mask => address(addressBits - 1, 3) === (mask / 8).U)
    .foldLeft(false.B)(_ || _)
  private def isInBlock(address: UInt): Bool = isCounter(address) || isMask(address)

  private val words = map.registers.map { register =>
    val bits = register.fields.map { field =>
      val name  = full(register, field)
      val value = field.access match {
        case Access.ReadWrite | Access.Position => state(name)
        case Access.Command                     => 0.U
        case _                                  => driven.getOrElse(name, field.reset.U(field.bits.W))
      }
      (value << field.low).pad(32)(31, 0)
    }
    register.offset.U(addressBits.W) -> bits.reduce(_ | _)
  }
  private val isRegister  = words.map(_._1 === readAddress).reduce(_ || _)
  private val counterWord = io.counters
    .map { counters =>
      val number = readAddress(addressBits - 1, 3) - (RegisterMap.countersOffset / 8).U
      counters.index := number.pad(counters.index.getWidth)(counters.index.getWidth - 1, 0)
      val value = counters.value.pad(64)
      Mux(readAddress(2), value(63, 32), value(31, 0))
    }
    .getOrElse(0.U)

  private val maskWord = io.map
    .map { port =>
      port.number := ((readAddress - MapRegisters.inForceOffset.U) >> 3)(port.number.getWidth - 1, 0)
      Mux(readAddress(2), port.mask(63, 32), port.mask(31, 0))
    }
    .getOrElse(0.U)

  private val gathering = io.remap.zip(gathers).map { case (remap, mine) =>
    val gathering = RegInit(false.B)
    gathering := reading && mine || gathering && !remap.states.valid
    gathering
  }

  /** What is read in a burst: whether it is asked for, its word, and whether it can be read now. */
  private val hotWord = io.hot.map { hot =>
    val offset  = map.registers.find(_.name == HotMonitorRegisters.data).get.offset
    val asked   = readAddress === offset.U
    val allowed = RegNext(hot.readable)
    val word    = state("hot_index.word")
    hot.read  := reading && asked
    hot.store := state("hot_index.store")
    hot.word  := word
    when(answers && asked && allowed && !wrote("hot_index"))(word := Mux(hot.isLast, 0.U, word + 1.U))
    (asked, hot.data, allowed)
  }

  io.axil.arready := gathering.foldLeft(!reading && !answers && !hasRead)(_ && !_)
  when(io.axil.arvalid && io.axil.arready) {
    reading     := true.B
    readAddress := io.axil.araddr
  }
  when(reading)(reading := false.B)
  when(answers) {
    hasRead  := true.B
    readData := Mux(
      isCounter(readAddress),
      counterWord,
      Mux(isMask(readAddress), maskWord, MuxLookup(readAddress, 0.U)(words))
    )
    readAnswer := Mux(isInBlock(readAddress) || isRegister, AxiLite.okay, AxiLite.slverr)
    for ((asked, word, allowed) <- hotWord) when(asked) {
      readData   := Mux(allowed, word, 0.U)
      readAnswer := Mux(allowed, AxiLite.okay, AxiLite.slverr)
    }
    when(readAddress(1, 0) =/= 0.U) {
      readData   := 0.U
      readAnswer := AxiLite.slverr
    }
  }
  io.axil.rvalid := hasRead
  io.axil.rdata  := readData
  io.axil.rresp  := readAnswer
  when(hasRead && io.axil.rready)(hasRead := false.B)

  // ---- What the channel gets
  private val settings: Map[String, UInt] =
    (for (register <- map.registers; field <- register.fields) yield {
      val name = full(register, field)
      name -> state.getOrElse(name, field.reset.U(field.bits.W))
    }).toMap
  private val presets = config.timing.productElementNames.zip(config.timing.productIterator).toMap
  for ((name, timing) <- io.control.timing.elements)
    timing := settings.getOrElse(s"$name.value", presets(name).asInstanceOf[Int].U)

  io.control.highWaterMark   := settings("water_marks.high")
  io.control.lowWaterMark    := settings("water_marks.low")
  io.control.ageLimit        := settings("age_limit.value")
  io.control.refreshPostpone := settings("refresh_postpone.value")

  io.control.draining.sharedMarks   := settings("drain_policy.marks")
  io.control.draining.together      := settings("drain_policy.ranks")
  io.control.draining.equalPriority := settings("drain_policy.priority")
  io.control.draining.atHighMark    := settings("drain_policy.start")
  io.control.draining.readsAhead    := settings.getOrElse("drain_policy.reads", false.B)
  io.control.rows.policy            := settings("row_policy.value")
  io.control.rows.timeout           := settings("row_timeout.value")
  io.control.refreshPolicy          := settings("refresh_policy.value")
  io.control.refreshPullIn          := settings("refresh_pull_in.value")
  io.control.refreshIdle            := settings("refresh_idle.value")
  io.control.refreshGranularity     := settings("refresh_granularity.value")
  io.control.refreshDrainAhead      := settings("refresh_drain_ahead.value")
  for (remap <- io.remap) {
    remap.control.enable      := settings("remap_control.enable")
    remap.control.table       := settings("remap_control.pointers")
    remap.control.bitmapBase  := settings("remap_bitmap_base.page")
    remap.control.pointerBase := settings("remap_pointer_base.page")
    remap.control.frameBase   := settings("remap_frame_base.page")
    remap.control.frameCount  := settings("remap_frame_count.frames")
    val block = state("remap_frame_index.block")
    remap.read.valid       := reading && gathers.get
    remap.read.bits.frames := block
    remap.read.bits.dirty  := state("remap_frame_index.state")
    when(remap.states.valid && !wrote("remap_frame_index"))(
      block := Mux(block === (config.remapping.get.frames / 32 - 1).U, 0.U, block + 1.U)
    )
  }
  for (scale <- io.control.timeScale) {
    scale.factor     := settings("time_scale.factor")
    scale.slowMemory := settings("time_scale.slow_memory")
  }
  for (nvm <- io.nvm.map(_.control)) {
    nvm.enable                                         := settings("nvm_control.enable")
    nvm.readLatency                                    := settings(s"${NvmRegisters.ofTime("readLatency")}.value")
    nvm.bandwidth.lines                                := settings("nvm_bandwidth.lines")
    nvm.bandwidth.cycles                               := settings("nvm_bandwidth.cycles")
    for ((name, timing) <- nvm.timing.elements) timing := settings(s"${NvmRegisters.ofTime(name)}.value")
  }
}
