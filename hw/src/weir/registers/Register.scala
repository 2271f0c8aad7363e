// SPDX-License-Identifier: Apache-2.0
package weir.registers

import chisel3.util.isPow2

/** What software may do with a field. */
sealed trait Access
object Access {

  /** Reading gives the value; a write to the register is refused if it has no field that can be written. */
  case object ReadOnly extends Access

  /** Reading gives the value that was last written and not refused. */
  case object ReadWrite extends Access

  /** Reading gives a flag that hardware sets; writing 1 clears it, writing 0 leaves it. */
  case object WriteOneToClear extends Access

  /** As [[ReadWrite]], but a place in what stands behind other registers, so that hardware may move it on. */
  case object Position extends Access

  /** Writing 1 starts something; writing 0 does nothing; reads as 0. */
  case object Command extends Access
}

/** Bits of a register.
  *
  * @param name        name in the register map
  * @param low         lowest bit
  * @param bits        width
  * @param reset       value after reset; a [[Access.ReadOnly]] field that is not driven by hardware keeps it
  * @param access      what software may do with it
  * @param description what it means, with its unit
  * @param minimum     least value that a write may give it
  * @param maximum     greatest value that a write may give it
  * @param names       names of its values, for a field that is an enumeration
  */
case class Field(
    name: String,
    low: Int,
    bits: Int,
    reset: BigInt,
    access: Access,
    description: String,
    minimum: BigInt,
    maximum: BigInt,
    names: Seq[(String, Int)]
) {
  require(bits >= 1 && low >= 0 && low + bits <= 32, s"Field $name: bits ${low + bits - 1}:$low do not lie within 31:0")
  require(
    minimum >= 0 && maximum < (BigInt(1) << bits),
    s"Field $name: values $minimum to $maximum do not fit in $bits bits"
  )
  require(reset >= minimum && reset <= maximum, s"Field $name: reset value $reset is not within $minimum to $maximum")

  val high: Int = low + bits - 1

  /** The same field, but that software can only read its reset value. */
  def frozen: Field = Field.readOnly(name, low, bits, reset, description, names)

  /** Values within the range that an enumeration has no name for: a write may not give them. */
  val unnamed: Seq[BigInt] =
    if (names.isEmpty || access != Access.ReadWrite) Seq()
    else (minimum to maximum).diff(names.map(name => BigInt(name._2)))
}

object Field {

  /** A field that software can only read. */
  def readOnly(
      name: String,
      low: Int,
      bits: Int,
      reset: BigInt,
      description: String,
      names: Seq[(String, Int)] = Seq()
  ): Field =
    Field(name, low, bits, reset, Access.ReadOnly, description, 0, (BigInt(1) << bits) - 1, names)

  /** A field that software can set to `minimum` up to `maximum`. */
  def readWrite(
      name: String,
      low: Int,
      bits: Int,
      reset: BigInt,
      minimum: BigInt,
      maximum: BigInt,
      description: String,
      names: Seq[(String, Int)] = Seq()
  ): Field =
    Field(name, low, bits, reset, Access.ReadWrite, description, minimum, maximum, names)

  /** A single bit that is cleared or that starts something. */
  def bit(name: String, low: Int, access: Access, description: String): Field =
    Field(name, low, 1, 0, access, description, 0, 1, Seq())
}

/** A register of 32 bits.
  *
  * @param name        name in the register map
  * @param offset      byte offset in the register map, or in the [[RegisterBlock]] that it belongs to
  * @param description what it is for
  * @param fields      its fields; the bits between them read zero and refuse a one
  */
case class Register(name: String, offset: Int, description: String, fields: Seq[Field]) {
  require(offset >= 0 && offset % 4 == 0, f"Register $name: offset 0x$offset%x is not a multiple of 4")
  fields.sortBy(_.low).sliding(2).foreach {
    case Seq(one, next) => require(one.high < next.low, s"Register $name: fields ${one.name} and ${next.name} overlap")
    case _              =>
  }

  val isReadOnly: Boolean = fields.forall(_.access == Access.ReadOnly)
}

/** Registers that exist once for each combination of the dimensions' values, the last dimension running fastest.
  *
  * @param name       name in the register map
  * @param offset     byte offset of the first combination in the register map
  * @param dimensions sizes; none for a single one
  * @param registers  the registers of one combination, with offsets from its start
  * @param spacing    bytes from one combination to the next, a power of two that `offset` is a multiple of; without it they
  *                   lie without gaps
  */
case class RegisterBlock(
    name: String,
    offset: Int,
    description: String,
    dimensions: Seq[Int],
    registers: Seq[Register],
    spacing: Option[Int] = None
) {
  private val used: Int = registers.map(_.offset).max + 4
  val stride: Int       = spacing.getOrElse(used)
  for (bytes <- spacing) {
    require(
      isPow2(bytes) && offset % bytes == 0,
      f"RegisterBlock $name: spacing of $bytes bytes at 0x$offset%x: must be a power of two that the offset is a multiple of"
    )
    require(used <= bytes, s"RegisterBlock $name: the registers take $used bytes, more than its spacing of $bytes")
  }

  /** First byte offset behind it. */
  val end: Int = offset + stride * dimensions.product
}
