// SPDX-License-Identifier: Apache-2.0
package weir.regs

import chisel3._
import chisel3.util._
import weir.registers._

import scala.collection.immutable.{ListMap, SeqMap}
import scala.reflect.ClassTag

/** The ports of [[Registers]]: the bus, and those of the rooms by their names.
  *
  * @param rooms names of the rooms and what makes their registers
  */
class RegistersIO(rooms: Seq[(String, () => RegisterBundle)]) extends Record {
  private val ports = rooms.map { case (name, room) => name -> room() }

  val axil: AxiLite           = Flipped(new AxiLite(RegisterMap.addressBits))
  val interrupt: Option[Bool] = Option.when(ports.exists(_._2.allInterrupts.nonEmpty))(Output(Bool()))

  val elements: SeqMap[String, Data] = ListMap("axil" -> axil) ++ ports ++ interrupt.map("interrupt" -> _)

  /** The port of the room that has registers of this kind, if the config has it. */
  def room[T <: RegisterBundle: ClassTag]: Option[T] = elements.values.collectFirst { case room: T => room }
}

/** The registers of [[RegisterMap]] on AXI4-Lite: one write and one read at a time, address and data of a write in any
  * order, every access answered. What the registers are is told by the rooms that have them ([[RegisterBundle]]).
  *
  * A write without a strobe is answered OKAY at every address and does nothing: a bridge from a wider bus sends such writes
  * to the words beside the one that is written. Any other write changes the bytes whose strobe is set and is then judged as
  * a whole; what a write starts is started only if one of these bytes holds a field of the register. A write is refused,
  * with SLVERR, the first cause kept in the `error` register and nothing changed, if the address is unaligned or has no
  * register, if the register has nothing to write, if a field would leave its range or have a value without a meaning, if a
  * reserved bit is 1, if a relation would break, if a field is locked, or if the room does not let it pass, for whose
  * judgement the answer waits. Read-only fields beside writable ones ignore what is written. A read gives SLVERR and zero
  * where the address is unaligned or has no register, and where what stands behind the register cannot be read. Protection
  * bits are ignored.
  *
  * Latency: a write is answered two cycles after both its address and its data have come, and the time that its room takes
  * to judge it; a read is two cycles after its address, as many more as the slowest words take, and the time
  * that its room takes to fetch it.
  *
  * @param rooms names of the rooms and what makes their registers
  */
class Registers(rooms: Seq[(String, () => RegisterBundle)]) extends Module {
  import RegisterMap.addressBits

  val io = IO(new RegistersIO(rooms))

  private val ports      = rooms.map { case (name, _) => io.elements(name).asInstanceOf[RegisterBundle] }
  private val sources    = ports.flatMap(_.allInterrupts)
  private val errors     = Wire(new ErrorPort)
  private val interrupts = Wire(new InterruptPort(sources))
  private val map        = new RegisterMap(ports ++ Seq(errors, interrupts))
  private val declared   = map.declared
  private val blocks     = ports.flatMap(_.allWords)

  /** A field with its register and what it is connected to. */
  private case class Wired(register: DeclaredRegister, field: Field, connection: Connection) {
    val name: String    = s"${register.name}.${field.name}"
    def isKept: Boolean = field.access == Access.ReadWrite || field.access == Access.Position
  }
  private val fields =
    for (register <- declared; (field, connection) <- register.fields) yield Wired(register, field, connection)

  /** A register of what each of its fields has. */
  private def word(register: DeclaredRegister)(value: Wired => UInt): UInt = fields
    .filter(_.register == register)
    .map(wired => (value(wired) << wired.field.low).asUInt.pad(32)(31, 0))
    .reduce(_ | _)

  // ---- Write: address and data are held until the answer is taken
  private val writeAddress = Reg(UInt(addressBits.W))
  private val hasAddress   = RegInit(false.B)
  private val writeData    = Reg(UInt(32.W))
  private val writeStrobe  = Reg(UInt(4.W))
  private val hasData      = RegInit(false.B)
  private val answered     = RegInit(false.B)
  private val answer       = Reg(UInt(2.W))
  private val selected     = map.registers.map(register => register.name -> (writeAddress === register.offset.U)).toMap

  /** Whether what is written is a byte that holds a field of the register. */
  private val reaches: Map[String, Bool] = map.registers.map { register =>
    val bytes = register.fields.flatMap(field => field.low / 8 to field.high / 8).distinct
    register.name -> (selected(register.name) && bytes.map(writeStrobe(_)).reduce(_ || _))
  }.toMap

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

  /** The relations take a cycle, from the first cycle that holds both address and data; a room's judgement may take longer. */
  private val held   = hasAddress && hasData && !answered
  private val judged = for (register <- declared; (cause, port) <- register.judged) yield (register, cause, port)
  private val judge  = held && RegNext(held, false.B) &&
    judged.map { case (register, _, port) => !reaches(register.name) || port.checked }.foldLeft(true.B)(_ && _)

  // ---- What is written, as it would become
  private val written = FillInterleaved(8, writeStrobe)

  private val state: Map[String, UInt] = fields
    .filter(_.isKept)
    .map(wired =>
      wired.name -> RegInit(wired.field.reset.U(wired.field.bits.W))
        .suggestName(s"${wired.register.name}_${wired.field.name}")
    )
    .toMap

  private val candidate: Map[String, UInt] = fields.map { wired =>
    val mask = written(wired.field.high, wired.field.low)
    val data = writeData(wired.field.high, wired.field.low)
    val mine = selected(wired.register.name)
    wired.name -> (wired.field.access match {
      case _ if wired.isKept =>
        Mux(mine, (state(wired.name) & ~mask) | (data & mask), state(wired.name))
      case Access.ReadOnly => wired.field.reset.U(wired.field.bits.W)
      case _               => Mux(mine, data & mask, 0.U)
    })
  }.toMap

  // ---- Judgement
  private def any(of: Iterable[Bool]): Bool                  = of.foldLeft(false.B)(_ || _)
  private def anyField(refused: (UInt, Field) => Bool): Bool =
    any(fields.filter(_.isKept).map(wired => refused(candidate(wired.name), wired.field)))
  private def isOneOf(value: UInt, those: Seq[BigInt]): Bool  = any(those.map(value === _.U))
  private def isIn(words: DeclaredWords, address: UInt): Bool = {
    val (spaced, dense) = words.blocks.partition(_.spacing.nonEmpty)
    any(spaced.map(isInSpaced(_, address))) || isInDense(dense, address)
  }
  private def isInSpaced(block: RegisterBlock, address: UInt): Bool = {
    val low    = log2Ceil(block.stride)
    val place  = address(addressBits - 1, low)
    val there  = place >= (block.offset >> low).U && place < (block.end >> low).U
    val words  = block.registers.map(_.offset / 8).distinct
    val within = if (words.size == block.stride / 8) true.B else any(words.map(address(low - 1, 3) === _.U))
    there && within
  }
  private def isInDense(blocks: Seq[RegisterBlock], address: UInt): Bool = any(
    blocks
      .foldLeft(Seq[(Int, Int)]()) {
        case (from :+ ((start, end)), next) if end == next.offset => from :+ ((start, next.end))
        case (ranges, next)                                       => ranges :+ ((next.offset, next.end))
      }
      .map {
        // a comparison takes a carry chain, which few words do not pay for
        case (start, end) if end - start <= 32 * 8 =>
          any((start until end by 8).map(word => address(addressBits - 1, 3) === (word / 8).U))
        case (start, end) => address >= start.U && address < end.U
      }
  )
  private def isInBlock(address: UInt): Bool = any(blocks.map(isIn(_, address)))

  private val readOnly = any(map.registers.filter(_.isReadOnly).map(register => selected(register.name))) ||
    isInBlock(writeAddress)
  private val tooLow   = anyField((value, field) => value < field.minimum.U)
  private val tooHigh  = anyField((value, field) => value > field.maximum.U)
  private val unnamed  = anyField((value, field) => isOneOf(value, field.unnamed))
  private val reserved = any(map.registers.filter(!_.isReadOnly).map { register =>
    val used = register.fields.map(field => ((BigInt(1) << field.bits) - 1) << field.low).reduce(_ | _)
    selected(register.name) && (writeData & written & (~used.U(32.W)).asUInt).orR
  })

  private val locked = any(for (lock <- ports.flatMap(_.allLocks); field <- lock.fields) yield {
    state(lock.by).asBool && candidate(field) =/= state(field)
  })

  /** What lies between where software has read and the end is all that it can have read. */
  private val tooFar = any(fields.collect { case wired @ Wired(_, _, Connection.ReadUpTo(_, end)) =>
    val from = state(wired.name)
    candidate(wired.name) - from > end - from
  })
  private val unrelated = any(map.relations.map(!_.holdsNext(candidate)))
  private val closed    = any(
    for (register <- declared; accepts <- register.accepts) yield reaches(register.name) && !accepts
  )
  private val kept = any(for ((field, may) <- ports.flatMap(_.allKept)) yield {
    state(field).asBool && !candidate(field).asBool && !may
  })

  private val cause = MuxCase(
    WriteError.none,
    Seq(
      (writeAddress(1, 0) =/= 0.U)                       -> WriteError.unaligned,
      !(any(selected.values) || isInBlock(writeAddress)) -> WriteError.absent,
      readOnly                                           -> WriteError.readOnly,
      reserved                                           -> WriteError.aboveMaximum,
      tooLow                                             -> WriteError.belowMinimum,
      tooHigh                                            -> WriteError.aboveMaximum,
      unnamed                                            -> WriteError.unnamed,
      (unrelated || locked || tooFar || closed || kept)  -> WriteError.relation
    ) ++ judged.map { case (register, cause, port) => (reaches(register.name) && !port.passes) -> cause }
  )
  private val refused  = writeStrobe.orR && cause =/= WriteError.none
  private val accepted = judge && !refused

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

  when(accepted) {
    for ((name, is) <- state) is := candidate(name)
  }

  // ---- What the rooms are told
  for (wired <- fields) {
    def pulse: Bool = accepted && candidate(wired.name).asBool
    wired.connection match {
      case Connection.Setting(value) =>
        value := state.getOrElse(wired.name, wired.field.reset.U(wired.field.bits.W)).asTypeOf(value)
      case Connection.Position(port) =>
        port.value := state(wired.name)
        // a write goes first
        when(port.moves.valid && !(accepted && reaches(wired.register.name)))(state(wired.name) := port.moves.bits)
      case Connection.ReadUpTo(port, _)               => port       := state(wired.name)
      case Connection.Pulse(starts)                   => starts     := pulse
      case Connection.Flag(port)                      => port.clear := pulse
      case Connection.Status(_) | Connection.Constant =>
    }
  }
  for ((element, value) <- ports.flatMap(_.allConstants)) element := value.U.asTypeOf(element)
  for (register <- declared) {
    for (strobe <- register.written) strobe := accepted && reaches(register.name)
    for ((_, port) <- register.judged) {
      port.check     := held && reaches(register.name)
      port.candidate := word(register)(wired => candidate(wired.name))
    }
  }

  // ---- The registers of this room
  private val errorPending = RegInit(false.B)
  private val errorCause   = RegInit(WriteError.none)
  private val errorAddress = RegInit(0.U(addressBits.W))
  when(judge && refused && !errorPending) {
    errorPending := true.B
    errorCause   := cause
    errorAddress := writeAddress
  }
  when(errors.pending.clear) {
    errorPending := false.B
    errorCause   := WriteError.none
    errorAddress := 0.U
  }
  errors.pending.value := errorPending
  errors.cause         := errorCause
  errors.address       := errorAddress

  for ((source, flag) <- sources.zip(interrupts.pending)) {
    val is    = RegInit(false.B)
    when(flag.clear)(is    := false.B)
    when(source.raised)(is := true.B)
    flag.value := is
  }
  // not through a register: once a write that clears it is answered it is low
  for (interrupt <- io.interrupt)
    interrupt := any(interrupts.pending.zip(interrupts.enable).map { case (flag, enabled) => flag.value && enabled })

  // ---- Read: the answer stands in registers a cycle after the address, or when what stands behind it is there
  private val readAddress = Reg(UInt(addressBits.W))
  private val reading     = RegInit(false.B)
  private val hasRead     = RegInit(false.B)
  private val readData    = Reg(UInt(32.W))
  private val readAnswer  = Reg(UInt(2.W))

  /** Words that are fetched: whether one is meant, and its port. */
  private val windows =
    for (register <- declared; port <- register.window)
      yield (readAddress === register.offset.U, port)
  private val isFetched = any(windows.map(_._1))

  /** What is not fetched takes as long as the slowest words. */
  private val asked   = ShiftRegister(reading, (0 +: blocks.map(_.latency)).max, false.B, true.B)
  private val fetched = any(windows.map { case (mine, port) => mine && port.answer.valid })
  private val answers = if (windows.isEmpty) asked else Mux(isFetched, fetched, asked)
  // no other read is taken meanwhile
  private val fetching = RegInit(false.B)
  fetching                                := reading && isFetched || fetching && !fetched
  for ((mine, port) <- windows) port.read := reading && mine

  private val words = declared.map { register =>
    register.offset.U(addressBits.W) -> word(register) { wired =>
      wired.connection match {
        case Connection.Status(value) => value.asUInt
        case Connection.Flag(port)    => port.value.asUInt
        case Connection.Pulse(_)      => 0.U
        case _                        => state.getOrElse(wired.name, wired.field.reset.U(wired.field.bits.W))
      }
    }
  }
  private val isRegister = any(words.map(_._1 === readAddress))

  private val blockWords = blocks.map { block =>
    val number = readAddress(addressBits - 1, 3) - (block.first / 8).U
    block.port.index         := number.pad(block.port.index.getWidth)(block.port.index.getWidth - 1, 0)
    isIn(block, readAddress) -> Mux(readAddress(2), block.port.word(63, 32), block.port.word(31, 0))
  }

  io.axil.arready := !reading && !answers && !hasRead && !fetching
  when(io.axil.arvalid && io.axil.arready) {
    reading     := true.B
    readAddress := io.axil.araddr
  }
  when(reading)(reading := false.B)
  when(answers) {
    hasRead    := true.B
    readData   := MuxCase(MuxLookup(readAddress, 0.U)(words), blockWords)
    readAnswer := Mux(isInBlock(readAddress) || isRegister, AxiLite.okay, AxiLite.slverr)
    for ((mine, port) <- windows) when(mine) {
      readData   := Mux(port.answer.bits.there, port.answer.bits.word, 0.U)
      readAnswer := Mux(port.answer.bits.there, AxiLite.okay, AxiLite.slverr)
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
}
