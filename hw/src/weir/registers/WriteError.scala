// SPDX-License-Identifier: Apache-2.0
package weir.registers

import chisel3._

/** Why a write was refused: kept in the `error` register. */
object WriteError extends ChiselEnum {
  val none, unaligned, absent, readOnly, belowMinimum, aboveMaximum, relation, notOneToOne, unnamed = Value

  /** Name for the register map and what it means. */
  val descriptions: Seq[(WriteError.Type, String, String)] = Seq(
    (none, "none", "no write was refused"),
    (unaligned, "unaligned", "the address was not a multiple of 4"),
    (absent, "absent", "no register has this address"),
    (readOnly, "read_only", "the register can only be read"),
    (belowMinimum, "below_minimum", "a field would have gone below its minimum"),
    (aboveMaximum, "above_maximum", "a field would have gone above its maximum, or a reserved bit was 1"),
    (relation, "relation", "the value does not go with that of another field"),
    (
      notOneToOne,
      "not_one_to_one",
      "a mask of the address map is the XOR of others, so that two lines would get one place"
    ),
    (unnamed, "unnamed", "an enumeration has no such value in this build")
  )
}
