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
  */
case class Relation(reason: String, terms: Seq[(Int, String)], constant: Int, bound: String) {

  /** The condition in words. */
  val text: String = {
    val sum = terms.map { case (factor, field) => if (factor == 1) field else s"$factor $field" }
    s"${(sum ++ Option.when(constant != 0)(constant.toString)).mkString(" + ")} <= $bound"
  }

  /** Whether it holds for the values that `value` gives. */
  def holds(value: String => BigInt): Boolean =
    terms.map { case (factor, field) => factor * value(field) }.sum + constant <= value(bound)

  /** Hardware that tells one cycle later whether it holds for the values that `value` gives. */
  def holdsNext(value: String => UInt): Bool = {
    val sum = terms.map { case (factor, field) => value(field) * factor.U }.reduce(_ +& _) +& constant.U
    RegNext(sum) <= RegNext(value(bound))
  }
}
