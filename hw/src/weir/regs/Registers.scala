// SPDX-License-Identifier: Apache-2.0
package weir.regs

import chisel3._
import chisel3.util._
import weir.channel.ChannelControl
import weir.config.WeirConfig
import weir.observe.CounterPort
import weir.place.MapPort

/** The registers of [[RegisterMap]] on AXI4-Lite: one write and one read at a time, address and data of a write in any
  * order, every access answered.
  *
  * A write changes the bytes whose strobe is set and is then judged as a whole. It is refused, with SLVERR, the first
  * cause kept in the `error` register and nothing changed, if the address is unaligned or has no register, if the
  * register has nothing to write, if a field would leave its range, if a reserved bit is 1, if a relation would break,
  * or if an address map would not be one to one (the check of which makes the answer wait as many cycles as a line's
  * number has bits). Read-only fields beside writable ones ignore what is written. A read gives SLVERR and zero where
  * the address is unaligned or has no register. Protection bits are ignored.
  */
class Registers(config: WeirConfig) extends Module {
  import RegisterMap.addressBits

  val io = IO(new Bundle {
    val axil     = Flipped(new AxiLite(addressBits))
    val control  = Output(new ChannelControl(config))
    val counters = Option.when(config.observation.counters)(new CounterPort(config))
    val map      = Option.when(config.placement.readable)(new MapPort(config))
  })

  private val map = new RegisterMap(config)

  private def full(register: Register, field: Field): String = s"${register.name}.${field.name}"

  // ---- Write: address and data are held until the answer is taken
  private val writeAddress = Reg(UInt(addressBits.W))
  private val hasAddress   = RegInit(false.B)
  private val writeData    = Reg(UInt(32.W))
  private val writeStrobe  = Reg(UInt(4.W))
  private val hasData      = RegInit(false.B)
  private val answered     = RegInit(false.B)
  private val answer       = Reg(UInt(2.W))

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
  private val ofMap     = writeAddress === MapRegisters.firstOffset.U
  private val mapJudged = mapChoice.map(choice => !ofMap || choice.checked).getOrElse(true.B)
  private val judge     = held && RegNext(held, false.B) && mapJudged

  // ---- What is written, as it would become
  private val selected = map.registers.map(register => register -> (writeAddress === register.offset.U)).toMap
  private val written  = FillInterleaved(8, writeStrobe)

  private val state: Map[String, UInt] = (for {
    register <- map.registers
    field    <- register.fields if field.access == Access.ReadWrite
  } yield full(register, field) -> RegInit(field.reset.U(field.bits.W))
    .suggestName(s"${register.name}_${field.name}")).toMap

  private val candidate: Map[String, UInt] = (for (register <- map.registers; field <- register.fields) yield {
    val name = full(register, field)
    val mask = written(field.high, field.low)
    val data = writeData(field.high, field.low)
    name -> (field.access match {
      case Access.ReadWrite => Mux(selected(register), (state(name) & ~mask) | (data & mask), state(name))
      case Access.ReadOnly  => field.reset.U(field.bits.W)
      case _                => Mux(selected(register), data & mask, 0.U)
    })
  }).toMap

  // ---- Judgement
  private def anyField(refused: (Register, Field) => Bool): Bool =
    (for (register <- map.registers; field <- register.fields if field.access == Access.ReadWrite)
      yield refused(register, field)).foldLeft(false.B)(_ || _)

  private val readOnly = map.registers.filter(_.isReadOnly).map(selected).reduce(_ || _) || isInBlock(writeAddress)
  private val tooLow   = anyField((register, field) => candidate(full(register, field)) < field.minimum.U)
  private val tooHigh  = anyField((register, field) => candidate(full(register, field)) > field.maximum.U)
  private val reserved = map.registers
    .filter(!_.isReadOnly)
    .map { register =>
      val used = register.fields.map(field => ((BigInt(1) << field.bits) - 1) << field.low).reduce(_ | _)
      selected(register) && (writeData & written & (~used.U(32.W)).asUInt).orR
    }
    .reduce(_ || _)
  private val unrelated = map.relations.map(!_.holdsNext(candidate)).reduce(_ || _)

  private val cause = MuxCase(
    WriteError.none,
    Seq(
      (writeAddress(1, 0) =/= 0.U)                              -> WriteError.unaligned,
      !(map.registers.map(selected).reduce(_ || _) || readOnly) -> WriteError.absent,
      readOnly                                                  -> WriteError.readOnly,
      reserved                                                  -> WriteError.aboveMaximum,
      tooLow                                                    -> WriteError.belowMinimum,
      tooHigh                                                   -> WriteError.aboveMaximum,
      unrelated                                                 -> WriteError.relation,
      mapChoice.map(ofMap && !_.oneToOne).getOrElse(false.B)    -> WriteError.notOneToOne
    )
  )
  private val refused  = cause =/= WriteError.none
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

  private val driven: Map[String, UInt] =
    Map("error.pending" -> errorPending, "error.cause" -> errorCause.asUInt, "error.address" -> errorAddress) ++
      io.counters.map(counters => "counters_status.wrapped" -> counters.wrapped)

  for (counters <- io.counters) {
    counters.latch        := pulse("counters_latch.latch")
    counters.clearWrapped := pulse("counters_status.wrapped")
  }

  for (choice <- mapChoice) {
    choice.map   := candidate("address_map.map")
    choice.masks := VecInit(
      MapRegisters.maskFields(config).map(_.map { case (name, _) => state(name) }.reduce((a, b) => b ## a))
    )
    choice.check := held && ofMap
    choice.take  := accepted && ofMap
  }

  // ---- Read: the answer stands in registers a cycle after the address, with counters two, as they take one
  private val readAddress = Reg(UInt(addressBits.W))
  private val reading     = RegInit(false.B)
  private val answers     = if (io.counters.isDefined) RegNext(reading, false.B) else reading
  private val hasRead     = RegInit(false.B)
  private val readData    = Reg(UInt(32.W))
  private val readAnswer  = Reg(UInt(2.W))

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
        case Access.ReadWrite => state(name)
        case Access.Command   => 0.U
        case _                => driven.getOrElse(name, field.reset.U(field.bits.W))
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

  io.axil.arready := !reading && !answers && !hasRead
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
  io.control.rows.policy            := settings("row_policy.value")
  io.control.rows.timeout           := settings("row_timeout.value")
  io.control.refreshPolicy          := settings("refresh_policy.value")
  io.control.refreshPullIn          := settings("refresh_pull_in.value")
  io.control.refreshIdle            := settings("refresh_idle.value")
  io.control.refreshGranularity     := settings("refresh_granularity.value")
  io.control.refreshDrainAhead      := settings("refresh_drain_ahead.value")
  for (scale <- io.control.timeScale) {
    scale.factor     := settings("time_scale.factor")
    scale.slowMemory := settings("time_scale.slow_memory")
  }
}
