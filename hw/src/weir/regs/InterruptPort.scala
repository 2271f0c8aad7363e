// SPDX-License-Identifier: Apache-2.0
package weir.regs

import chisel3._
import weir.registers.{Field, FlagPort, Interrupt, RegisterBundle}

/** The registers of the interrupt: which sources are pending, and for which of them it is raised. It is high while a bit is
  * set in both. None where there is no source.
  */
class InterruptPort(sources: Seq[Interrupt]) extends RegisterBundle {
  // not there where nothing asks for them
  private lazy val isPending = register(
    "interrupt_pending",
    0x340,
    "What has happened since its bit was cleared, whether or not it is enabled."
  )
  private lazy val isEnabled =
    register("interrupt_enable", 0x344, "The sources for which the interrupt is raised.")

  val pending = Vec(sources.size, new FlagPort)
  val enable  = Output(Vec(sources.size, Bool()))

  for ((source, place) <- sources.zipWithIndex) {
    import source.{bit, description, name}
    isPending.flagOf(
      pending(place),
      name,
      bit,
      s"$description; write 1 to clear, which does nothing as long as it is so."
    )
    isEnabled.settingOf(
      enable(place),
      Field.readWrite(name, bit, 1, 0, 0, 1, s"$description: the interrupt is raised.")
    )
  }
}
