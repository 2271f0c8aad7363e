// SPDX-License-Identifier: Apache-2.0
package weir.regs

import weir.config.{InterruptSource, WeirConfig}

/** The interrupt: which sources are pending, and for which of them it is raised. It is high while a bit is set in both
  * registers.
  */
object InterruptRegisters {
  val firstOffset = 0x340

  def apply(config: WeirConfig): Seq[Register] = {
    val sources = InterruptSource.of(config)
    if (sources.isEmpty) Seq()
    else
      Seq(
        Register(
          "interrupt_pending",
          firstOffset,
          "What has happened since its bit was cleared, whether or not it is enabled.",
          sources.map { source =>
            Field.bit(
              source.name,
              source.bit,
              Access.WriteOneToClear,
              s"${source.description}; write 1 to clear, which does nothing as long as it is so."
            )
          }
        ),
        Register(
          "interrupt_enable",
          firstOffset + 4,
          "The sources for which the interrupt is raised.",
          sources.map { source =>
            Field.readWrite(source.name, source.bit, 1, 0, 0, 1, s"${source.description}: the interrupt is raised.")
          }
        )
      )
  }
}
