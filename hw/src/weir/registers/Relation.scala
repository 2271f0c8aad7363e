// SPDX-License-Identifier: Apache-2.0
package weir.registers

import chisel3._

/** A condition between fields that holds after reset and after every write: the terms, and the multiplied terms as many times
  * as a field says, and `constant` add up to no more than the field `bound`. Fields are named `register.field`.
  *
  * @param reason     what would go wrong otherwise, for the register map
  * @param terms      fields with their factors
  * @param constant   added to the terms
  * @param bound      the field that they must not exceed
  * @param times      a field and the terms that are multiplied by it
  * @param where      fields and their values: all this must hold only where each of them has its value
  */
case class Relation(
    reason: String,
    terms: Seq[(Int, String)],
    constant: Int,
    bound: String,
    times: Option[(String, Seq[(Int, String)])] = None,
    where: Seq[(String, Int)] = Seq()
) {

  /** The condition in words. */
  val text: String = {
    def words(terms: Seq[(Int, String)]) =
      terms.map { case (factor, field) => if (factor == 1) field else s"$factor $field" }
    val multiplied = times.map { case (field, inner) => s"$field (${words(inner).mkString(" + ")})" }
    val sum        = words(terms) ++ multiplied ++ Option.when(constant != 0)(constant.toString)
    val conditions = where.map { case (field, value) => s"$field = $value" }
    s"${sum.mkString(" + ")} <= $bound" + (if (where.isEmpty) "" else conditions.mkString(" where ", " and ", ""))
  }

  /** What the terms add up to, for the values that `value` gives. */
  def sum(value: String => BigInt): BigInt = {
    def of(terms: Seq[(Int, String)]): BigInt = terms.map { case (factor, field) => factor * value(field) }.sum
    of(terms) + times.map { case (field, inner) => value(field) * of(inner) }.getOrElse(BigInt(0)) + constant
  }

  /** Whether it holds for the values that `value` gives. */
  def holds(value: String => BigInt): Boolean =
    where.exists { case (field, only) => value(field) != only } || sum(value) <= value(bound)

  /** Hardware that tells one cycle later whether it holds for the values that `value` gives. */
  def holdsNext(value: String => UInt): Bool = {
    def sum(terms: Seq[(Int, String)]): UInt =
      terms.map { case (factor, field) => value(field) * factor.U }.reduce(_ +& _)
    val multiplied = times.map { case (field, inner) => value(field) * sum(inner) }
    val all        = multiplied.foldLeft(sum(terms) +& constant.U)(_ +& _)
    val other      = where.map { case (field, only) => value(field) =/= only.U }.foldLeft(false.B)(_ || _)
    RegNext(all) <= RegNext(value(bound)) || RegNext(other)
  }
}
