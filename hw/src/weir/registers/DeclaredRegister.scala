// SPDX-License-Identifier: Apache-2.0
package weir.registers

import chisel3._

import scala.collection.mutable.ListBuffer

/** A register as its room declares it, field by field. What a declaration returns is the room's end of the field, with the
  * direction that `regs` sees, and must become an element of the [[RegisterBundle]]: `val ageLimit = limit.setting(...)`.
  *
  * @param name        name in the register map
  * @param offset      byte offset in the register map
  * @param description what it is for
  */
final class DeclaredRegister(val name: String, val offset: Int, val description: String) {
  private val declared                                         = ListBuffer[(Field, Connection)]()
  private var strobe: Option[Bool]                             = None
  private var gate: Option[Bool]                               = None
  private var fetch: Option[WindowPort]                        = None
  private var judgement: Option[(WriteError.Type, JudgedPort)] = None

  /** Its fields with what they are connected to, in the order of their declaration. */
  def fields: Seq[(Field, Connection)] = declared.toSeq

  /** The register as the register map shows it. */
  def register: Register = Register(name, offset, description, fields.map(_._1))

  /** High for a cycle when a write to one of its fields is accepted; settings hold what was written from the next cycle on. */
  def written: Option[Bool] = strobe

  /** Whether a write to it may be accepted in this cycle. */
  def accepts: Option[Bool] = gate

  /** Where its word is fetched from. */
  def window: Option[WindowPort] = fetch

  /** Who judges what is written to it, and how a write that does not pass is called. */
  def judged: Option[(WriteError.Type, JudgedPort)] = judgement

  private def declare(field: Field, connection: Connection): Unit = declared += field -> connection

  /** A field that always reads `value`. */
  def constant(
      name: String,
      low: Int,
      bits: Int,
      value: BigInt,
      description: String,
      names: Seq[(String, Int)] = Seq()
  ): DeclaredRegister = {
    declare(Field.readOnly(name, low, bits, value, description, names), Connection.Constant)
    this
  }

  /** A field that software sets to `minimum` up to `maximum`; if not `writable` it is constant and costs no gates. */
  def setting(
      name: String,
      low: Int,
      bits: Int,
      reset: BigInt,
      minimum: BigInt,
      maximum: BigInt,
      description: String,
      names: Seq[(String, Int)] = Seq(),
      writable: Boolean = true
  ): UInt = settingOf(
    Output(UInt(bits.W)),
    Field.readWrite(name, low, bits, reset, minimum, maximum, description, names),
    writable
  )

  /** As [[setting]], for an element that the room has already. */
  def settingOf[T <: Data](element: T, field: Field, writable: Boolean = true): T = {
    declare(if (writable) field else field.frozen, Connection.Setting(element))
    element
  }

  /** A setting of one bit; `names` are those of 0 and 1. */
  def choice(
      name: String,
      low: Int,
      reset: Boolean,
      description: String,
      names: Seq[String] = Seq(),
      writable: Boolean = true
  ): Bool = settingOf(
    Output(Bool()),
    Field.readWrite(name, low, 1, if (reset) 1 else 0, 0, 1, description, names.zipWithIndex),
    writable
  )

  /** A field that shows what the room gives. */
  def status(name: String, low: Int, bits: Int, description: String, names: Seq[(String, Int)] = Seq()): UInt =
    statusOf(Input(UInt(bits.W)), Field.readOnly(name, low, bits, 0, description, names))

  /** As [[status]], for an element that the room has already. */
  def statusOf[T <: Data](element: T, field: Field): T = {
    declare(field, Connection.Status(element))
    element
  }

  /** A bit that starts something when a 1 is written. */
  def pulse(name: String, low: Int, description: String): Bool = {
    val starts = Output(Bool())
    declare(Field.bit(name, low, Access.Command, description), Connection.Pulse(starts))
    starts
  }

  /** A flag that is cleared when a 1 is written. */
  def flag(name: String, low: Int, description: String): FlagPort = flagOf(new FlagPort, name, low, description)

  /** As [[flag]], for an element that the room has already. */
  def flagOf(port: FlagPort, name: String, low: Int, description: String): FlagPort = {
    declare(Field.bit(name, low, Access.WriteOneToClear, description), Connection.Flag(port))
    port
  }

  private def position(name: String, low: Int, bits: Int, maximum: BigInt, description: String): Field =
    Field(name, low, bits, 0, Access.Position, description, 0, maximum, Seq())

  private def positionPort(field: Field): PositionPort = {
    val port = new PositionPort(field.bits)
    declare(field, Connection.Position(port))
    port
  }

  /** A place, 0 to `maximum`, in what stands behind other registers. */
  def place(name: String, low: Int, bits: Int, maximum: BigInt, description: String): PositionPort =
    positionPort(position(name, low, bits, maximum, description))

  /** A setting that the room moves on, of which the register map says no more than that software sets it. */
  def moved(name: String, low: Int, bits: Int, maximum: BigInt, description: String): PositionPort =
    positionPort(Field.readWrite(name, low, bits, 0, 0, maximum, description))

  /** How far software has read in a ring of `maximum` + 1, a power of two, whose end the room gives in `end`. */
  def readUpTo(name: String, low: Int, bits: Int, maximum: BigInt, end: UInt, description: String): UInt = {
    val value = Output(UInt(bits.W))
    declare(position(name, low, bits, maximum, description), Connection.ReadUpTo(value, end))
    value
  }

  /** See [[written]]. */
  def whenWritten(): Bool = {
    val port = Output(Bool())
    strobe = Some(port)
    port
  }

  /** See [[accepts]]. */
  def onlyWhen(): Bool = {
    val port = Input(Bool())
    gate = Some(port)
    port
  }

  /** See [[window]]; the register has one field of 32 bits, `name`. */
  def fetched(name: String, description: String): WindowPort = {
    val port = new WindowPort
    declare(Field.readOnly(name, 0, 32, 0, description), Connection.Constant)
    fetch = Some(port)
    port
  }

  /** See [[judged]]; a write that does not pass is refused with `cause`. */
  def judgedBy(cause: WriteError.Type): JudgedPort = {
    val port = new JudgedPort
    judgement = Some(cause -> port)
    port
  }
}
