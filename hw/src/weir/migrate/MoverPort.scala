// SPDX-License-Identifier: Apache-2.0
package weir.migrate

import chisel3._
import weir.config.WeirConfig
import weir.registers.{Field, RegisterBundle}

/** The registers of the page mover: a command with its addresses, how many were given and completed, the results of the
  * last ones, and how fast lines are copied. Directions as `regs` sees them.
  *
  * A write of `move_command` gives the command with the addresses that stand in the registers then; it is refused while as
  * many commands as the queue holds are not completed.
  */
class MoverPort(config: WeirConfig) extends RegisterBundle {
  private def half(of: String, offset: Int, what: String, name: String, range: String): UInt = register(
    s"${of}_$name",
    offset,
    s"Address of the $what of commands to come, counted from the first byte of memory, bits $range."
  ).setting(
    "address",
    0,
    32,
    0,
    0,
    0xffffffffL,
    s"Bits $range; a command with a bit of 11:0 set is misaligned."
  )

  val pageLow   = half("move_page", 0x3c0, "page", "low", "31:0")
  val pageHigh  = half("move_page", 0x3c4, "page", "high", "63:32")
  val frameLow  = half("move_frame", 0x3c8, "frame", "low", "31:0")
  val frameHigh = half("move_frame", 0x3cc, "frame", "high", "63:32")

  /** Addresses of bytes, from the first byte of memory. */
  def page: UInt  = pageHigh ## pageLow
  def frame: UInt = frameHigh ## frameLow

  private val command = register(
    "move_command",
    0x3d0,
    s"A write gives the command to the mover; it is refused, with the cause relation, while ${MoveQueue.depth} commands are not " +
      "completed."
  )

  /** One of [[MoveOperation]]. */
  val operation = command.setting(
    "operation",
    0,
    2,
    0,
    0,
    MoveOperation.descriptions.size - 1,
    "What to do. " + MoveOperation.descriptions.map { case (_, name, what) => s"$name: $what" }.mkString("; ") + ".",
    MoveOperation.descriptions.map { case (operation, name, _) => name -> operation.litValue.toInt }
  )

  /** A command was given, in a cycle in which there was room; the settings hold it from the next cycle on. */
  val gives = command.whenWritten()
  val room  = command.onlyWhen()

  private val progress = register(
    "move_status",
    0x3d4,
    "How many commands there were since reset, modulo 65536. The first command has the number 0, so the next one has that of " +
      "`issued`."
  )

  /** Commands that were given and that were completed, since reset; they wrap. */
  val issued    = progress.status("issued", 0, 16, "Commands that were taken.")
  val completed = progress.status(
    "completed",
    16,
    16,
    "Commands that were completed, refused ones included, in the order of their numbers."
  )

  /** Results of the last commands, each in the place of its number modulo [[MoveQueue.depth]]. */
  val results = Input(Vec(MoveQueue.depth, UInt(MoveResult.bits.W)))
  for ((half, which) <- Seq("low", "high").zipWithIndex) {
    val names   = MoveResult.descriptions.map { case (result, name, _) => name -> result.litValue.toInt }
    val meaning = MoveResult.descriptions.map { case (_, name, what) => s"$name: $what" }.mkString("; ")
    val perWord = 32 / MoveResult.bits
    val first   = which * perWord
    val word    = register(
      s"move_results_$half",
      0x3d8 + 4 * which,
      s"Results of the last commands by their number modulo ${MoveQueue.depth}, $first to ${first + perWord - 1}. A result stays " +
        s"until a command of the same place is given. $meaning."
    )
    for (place <- first until first + perWord)
      word.statusOf(
        results(place),
        Field.readOnly(
          s"result$place",
          MoveResult.bits * (place - first),
          MoveResult.bits,
          0,
          s"Result of the last command whose number is $place modulo ${MoveQueue.depth}.",
          names
        )
      )
  }

  /** No command waits or is under way: only then may remapping be disabled. */
  val idle = mayClear("remap_control.enable")

  val rate = new MoveRate(config)

  /** Lines that were read to be copied, since reset; wraps. */
  val lines =
    register("move_lines", 0x3e4, "Lines that were copied since reset.").status("count", 0, 32, "Lines; wraps.")

  val commandEnded = interrupt("move_completed", 2, "A command of the page mover was completed or refused")
}
