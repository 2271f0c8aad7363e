// SPDX-License-Identifier: Apache-2.0
package weir.regs

import weir.config.{Migration, WeirConfig}
import weir.migrate.{MoveOperation, MoveQueue, MoveResult}

/** The registers of the page mover: a command with its addresses, how many were given and completed, the results of
  * the last ones, and how fast lines are copied.
  *
  * A write of `move_command` gives the command with the addresses that stand in the registers then; it is refused
  * while as many commands as the queue holds are not completed.
  */
object MigrationRegisters {
  val firstOffset = 0x3c0

  /** A write of this register gives a command; it has the operation in `field`. */
  val command   = "move_command"
  val operation = s"$command.operation"

  private def address(name: String, offset: Int, what: String): Seq[Register] =
    for (((half, range), which) <- Seq("low" -> "31:0", "high" -> "63:32").zipWithIndex)
      yield Register(
        s"${name}_$half",
        offset + 4 * which,
        s"Address of the $what of commands to come, counted from the first byte of memory, bits $range.",
        Seq(
          Field.readWrite(
            "address",
            0,
            32,
            0,
            0,
            0xffffffffL,
            s"Bits $range; a command with a bit of 11:0 set is misaligned."
          )
        )
      )

  private def results: Seq[Register] = {
    val names   = MoveResult.descriptions.map { case (result, name, _) => name -> result.litValue.toInt }
    val meaning = MoveResult.descriptions.map { case (_, name, what) => s"$name: $what" }.mkString("; ")
    val perWord = 32 / MoveResult.bits
    for ((half, which) <- Seq("low", "high").zipWithIndex) yield {
      val first = which * perWord
      Register(
        s"move_results_$half",
        0x3d8 + 4 * which,
        s"Results of the last commands by their number modulo ${MoveQueue.depth}, $first to ${first + perWord - 1}. A result stays " +
          s"until a command of the same place is given. $meaning.",
        for (place <- 0 until perWord)
          yield Field.readOnly(
            s"result${first + place}",
            MoveResult.bits * place,
            MoveResult.bits,
            0,
            s"Result of the last command whose number is ${first + place} modulo ${MoveQueue.depth}.",
            names
          )
      )
    }
  }

  def apply(config: WeirConfig): Seq[Register] = config.migration.toSeq.flatMap { migration: Migration =>
    val names   = MoveOperation.descriptions.map { case (operation, name, _) => name -> operation.litValue.toInt }
    val meaning = MoveOperation.descriptions.map { case (_, name, what) => s"$name: $what" }.mkString("; ")
    address("move_page", firstOffset, "page") ++ address("move_frame", firstOffset + 8, "frame") ++ Seq(
      Register(
        command,
        firstOffset + 0x10,
        s"A write gives the command to the mover; it is refused, with the cause relation, while ${MoveQueue.depth} commands are not " +
          "completed.",
        Seq(Field.readWrite("operation", 0, 2, 0, 0, names.size - 1, s"What to do. $meaning.", names))
      ),
      Register(
        "move_status",
        firstOffset + 0x14,
        "How many commands there were since reset, modulo 65536. The first command has the number 0, so the next one has that of " +
          "`issued`.",
        Seq(
          Field.readOnly("issued", 0, 16, 0, "Commands that were taken."),
          Field.readOnly(
            "completed",
            16,
            16,
            0,
            "Commands that were completed, refused ones included, in the order of their numbers."
          )
        )
      )
    ) ++ results ++ Seq(
      Register(
        "move_rate",
        firstOffset + 0x20,
        s"How fast pages are copied, ${migration.window} lines at a time: at most so many lines in each period. After reset as fast " +
          "as demand accesses leave room for.",
        Seq(
          Field.readWrite("lines", 0, 8, 1, 1, 255, "Lines of a period."),
          Field.readWrite("cycles", 16, 16, 1, 1, 65535, "Controller cycles of a period.")
        )
      ),
      Register(
        "move_lines",
        firstOffset + 0x24,
        "Lines that were copied since reset.",
        Seq(Field.readOnly("count", 0, 32, 0, "Lines; wraps."))
      )
    )
  }
}
