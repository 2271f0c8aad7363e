// SPDX-License-Identifier: Apache-2.0
package weir.regs

import chisel3._
import weir.registers.{Field, RegisterBundle, WriteError}

/** The register that keeps the first write that was refused. */
class ErrorPort extends RegisterBundle {
  private val error = register(
    "error",
    0x00c,
    "The first write that was refused since `pending` was cleared. Every refused write is answered with SLVERR and " +
      "leaves all registers as they were."
  )
  val pending = error.flag("pending", 0, "A write was refused; write 1 to clear.")
  val cause   = error.statusOf(
    Input(WriteError()),
    Field.readOnly(
      "cause",
      4,
      4,
      0,
      "Why it was refused.",
      WriteError.descriptions.map { case (cause, name, _) => (name, cause.litValue.toInt) }
    )
  )
  val address = error.status("address", 16, RegisterMap.addressBits, "Byte offset of the refused write.")
}
