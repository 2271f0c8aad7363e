// SPDX-License-Identifier: Apache-2.0
package weir.regs

import weir.registers._

/** The register map, gathered from what the rooms declare: [[Registers]] makes the hardware of it, [[SystemRdl]] the text from
  * which PeakRDL generates the C header, the Python model and the HTML page. Offsets are the same in every config.
  *
  * @param bundles the registers of each room and of `regs` itself, whose elements are only looked at here
  */
class RegisterMap(bundles: Seq[RegisterBundle]) {
  import RegisterMap._

  private val features = new DeclaredRegister("features", 0x008, "What this build holds.")
  for (field <- bundles.flatMap(_.allFeatures).sortBy(_.low))
    features.constant(field.name, field.low, field.bits, field.reset, field.description)

  /** Registers in order of their offsets, without those that stand in blocks; as they are declared, and as they are shown. */
  val declared: Seq[DeclaredRegister] = (features +: bundles.flatMap(_.allRegisters)).sortBy(_.offset)
  val registers: Seq[Register]        = declared.map(_.register)

  /** What software may be interrupted for. */
  val interrupts: Seq[Interrupt] = bundles.flatMap(_.allInterrupts)

  /** Words of 64 bits that can only be read, in two registers each. */
  val blocks: Seq[RegisterBlock] = bundles.flatMap(_.allWords).flatMap(_.blocks).sortBy(_.offset)

  /** What must hold between fields. */
  val relations: Seq[Relation] = bundles.flatMap(_.allRelations)

  /** First byte offset behind everything. */
  val end: Int = (registers.map(_.offset + 4) ++ blocks.map(_.end)).max
  require(
    end <= (1 << addressBits),
    s"RegisterMap: the registers end at 0x${end.toHexString}, beyond the ${1 << addressBits} bytes of the register map"
  )

  private val resets =
    (for (register <- registers; field <- register.fields) yield s"${register.name}.${field.name}" -> field.reset).toMap
  for (relation <- relations)
    require(
      relation.holds(resets),
      s"RegisterMap: the reset values break ${relation.text} (${relation.sum(resets)} <= ${resets(relation.bound)}): ${relation.reason}"
    )
  for (lock <- bundles.flatMap(_.allLocks); field <- lock.by +: lock.fields)
    require(resets.contains(field), s"RegisterMap: there is no field $field for what locks ${lock.by}")

  private val names = registers.map(_.name) ++ blocks.map(_.name)
  require(names.distinct == names, s"RegisterMap: names occur twice: ${names.diff(names.distinct).mkString(", ")}")

  private val places =
    (registers.map(register => (register.offset, register.offset + 4, register.name)) ++
      blocks.map(block => (block.offset, block.end, block.name))).sortBy(_._1)
  for (((_, end, one), (start, _, other)) <- places.zip(places.tail))
    require(end <= start, f"RegisterMap: $other at 0x$start%x lies within $one, which ends at 0x$end%x")
}

object RegisterMap {

  /** The map of these rooms. */
  def of(rooms: Seq[RegisterBundle]): RegisterMap =
    new RegisterMap(rooms ++ Seq(new ErrorPort, new InterruptPort(rooms.flatMap(_.allInterrupts))))

  /** Width of the map's byte addresses. */
  val addressBits = 16
}
