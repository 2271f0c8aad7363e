// SPDX-License-Identifier: Apache-2.0
package weir.regs

import chisel3._

/** A condition between fields that holds after reset and after every write: the terms and `constant` add up to no more
  * than the field `bound`. Fields are named `register.field`.
  *
  * @param reason   what would go wrong otherwise, for the register map
  * @param terms    fields with their factors
  * @param constant added to the terms
  * @param bound    the field that they must not exceed
  * @param where    a field and its value for which alone all this must hold
  */
case class Relation(
    reason: String,
    terms: Seq[(Int, String)],
    constant: Int,
    bound: String,
    where: Option[(String, Int)] = None
) {

  /** The condition in words. */
  val text: String = {
    val sum = terms.map { case (factor, field) => if (factor == 1) field else s"$factor $field" }
    s"${(sum ++ Option.when(constant != 0)(constant.toString)).mkString(" + ")} <= $bound" +
      where.map { case (field, value) => s" where $field = $value" }.mkString
  }

  /** Whether it holds for the values that `value` gives. */
  def holds(value: String => BigInt): Boolean =
    where.exists { case (field, only) => value(field) != only } ||
      terms.map { case (factor, field) => factor * value(field) }.sum + constant <= value(bound)

  /** Hardware that tells one cycle later whether it holds for the values that `value` gives. */
  def holdsNext(value: String => UInt): Bool = {
    val sum   = terms.map { case (factor, field) => value(field) * factor.U }.reduce(_ +& _) +& constant.U
    val other = where.map { case (field, only) => value(field) =/= only.U }.getOrElse(false.B)
    RegNext(sum) <= RegNext(value(bound)) || RegNext(other)
  }
}
