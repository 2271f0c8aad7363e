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
  private val declared                                                = ListBuffer[(Field, Connection)]()
  private[registers] var strobe: Option[Bool]                         = None
  private[registers] var open: Option[Bool]                           = None
  private[registers] var behind: Option[WindowPort]                   = None
  private[registers] var judge: Option[(WriteError.Type, JudgedPort)] = None

  /** Its fields with what they are connected to, in the order of their declaration. */
  def fields: Seq[(Field, Connection)] = declared.toSeq

  /** The register as the register map shows it. */
  def register: Register = Register(name, offset, description, fields.map(_._1))

  /** High for a cycle when a write to one of its fields is accepted; settings hold what was written from the next cycle on. */
  def written: Option[Bool] = strobe

  /** Whether a write to it may be accepted in this cycle. */
  def accepts: Option[Bool] = open

  /** Where its word is fetched from. */
  def window: Option[WindowPort] = behind

  /** Who judges what is written to it, and how a write that does not pass is called. */
  def judged: Option[(WriteError.Type, JudgedPort)] = judge

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
  ): UInt = {
    val value = Output(UInt(bits.W))
    settingOf(value, name, low, bits, reset, minimum, maximum, description, names, writable)
    value
  }

  /** As [[setting]], for an element that the room has already. */
  def settingOf(
      value: Data,
      name: String,
      low: Int,
      bits: Int,
      reset: BigInt,
      minimum: BigInt,
      maximum: BigInt,
      description: String,
      names: Seq[(String, Int)] = Seq(),
      writable: Boolean = true
  ): Unit = declare(
    if (writable) Field.readWrite(name, low, bits, reset, minimum, maximum, description, names)
    else Field.readOnly(name, low, bits, reset, description, names),
    Connection.Setting(value)
  )

  /** A setting of one bit; `names` are those of 0 and 1. */
  def choice(
      name: String,
      low: Int,
      reset: Boolean,
      description: String,
      names: Seq[String] = Seq(),
      writable: Boolean = true
  ): Bool = {
    val value = Output(Bool())
    settingOf(value, name, low, 1, if (reset) 1 else 0, 0, 1, description, names.zipWithIndex, writable)
    value
  }

  /** A field that shows what the room gives. */
  def status(name: String, low: Int, bits: Int, description: String, names: Seq[(String, Int)] = Seq()): UInt = {
    val value = Input(UInt(bits.W))
    statusOf(value, name, low, bits, description, names)
    value
  }

  /** As [[status]], for an element that the room has already. */
  def statusOf(
      value: Data,
      name: String,
      low: Int,
      bits: Int,
      description: String,
      names: Seq[(String, Int)] = Seq()
  ): Unit = declare(Field.readOnly(name, low, bits, 0, description, names), Connection.Status(value))

  /** A bit that starts something when a 1 is written. */
  def pulse(name: String, low: Int, description: String): Bool = {
    val starts = Output(Bool())
    declare(Field.bit(name, low, Access.Command, description), Connection.Pulse(starts))
    starts
  }

  /** A flag that is cleared when a 1 is written. */
  def flag(name: String, low: Int, description: String): FlagPort = {
    val port = new FlagPort
    flagOf(port, name, low, description)
    port
  }

  /** As [[flag]], for an element that the room has already. */
  def flagOf(port: FlagPort, name: String, low: Int, description: String): Unit =
    declare(Field.bit(name, low, Access.WriteOneToClear, description), Connection.Flag(port))

  private def position(name: String, low: Int, bits: Int, maximum: BigInt, description: String): Field =
    Field(name, low, bits, 0, Access.Position, description, 0, maximum, Seq())

  /** A place, 0 to `maximum`, in what stands behind other registers. */
  def place(name: String, low: Int, bits: Int, maximum: BigInt, description: String): PositionPort = {
    val port = new PositionPort(bits)
    declare(position(name, low, bits, maximum, description), Connection.Position(port))
    port
  }

  /** A setting that the room moves on, of which the register map says no more than that software sets it. */
  def moved(name: String, low: Int, bits: Int, maximum: BigInt, description: String): PositionPort = {
    val port = new PositionPort(bits)
    declare(Field.readWrite(name, low, bits, 0, 0, maximum, description), Connection.Position(port))
    port
  }

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
    open = Some(port)
    port
  }

  /** See [[window]]; the register has one field of 32 bits, `name`. */
  def fetched(name: String, description: String): WindowPort = {
    val port = new WindowPort
    declare(Field.readOnly(name, 0, 32, 0, description), Connection.Constant)
    behind = Some(port)
    port
  }

  /** See [[judged]]; a write that does not pass is refused with `cause`. */
  def judgedBy(cause: WriteError.Type): JudgedPort = {
    val port = new JudgedPort
    judge = Some(cause -> port)
    port
  }
}
