// SPDX-License-Identifier: Apache-2.0
package weir

import _root_.circt.stage.ChiselStage
import scopt.{DefaultOEffectSetup, OEffect, OParser}
import weir.config.{Presets, WeirConfig}
import weir.regs.SystemRdl

import java.io.IOException
import java.nio.file.{Path, Paths}
import scala.jdk.CollectionConverters._

/** The generator. `hw.run --list` shows the named configs; `hw.run --config NAME --output DIR` writes DIR/NAME/Weir.sv,
  * Weir.rdl and Weir.json; `hw.run --config NAME --parameters` prints what would be in Weir.json and elaborates nothing.
  * `random-SEED` names the config that [[RandomConfig]] draws from a seed. A wrong command line gives one sentence on
  * standard error and exit code 2, and writes nothing.
  */
object Main {
  private case class Options(
      list: Boolean = false,
      parameters: Boolean = false,
      configs: Seq[String] = Seq(),
      output: Option[String] = None
  )

  /** A sentence for the user about what is wrong with the command line. */
  private class UsageError(message: String) extends Exception(message)

  private val parser = {
    val builder = OParser.builder[Options]
    import builder._
    OParser.sequence(
      programName("./mill hw.run"),
      head("Generates the Weir memory controller."),
      help("help").text("show this"),
      opt[Unit]("list").action((_, options) => options.copy(list = true)).text("list the named configs"),
      opt[String]("config")
        .valueName("NAME")
        .unbounded()
        .action((name, options) => options.copy(configs = options.configs :+ name))
        .text(s"config to generate, or ${RandomConfig.prefix}SEED, drawn from a seed; may be given several times"),
      opt[Unit]("parameters")
        .action((_, options) => options.copy(parameters = true))
        .text("print the parameters of the configs as JSON, one after the other, and elaborate nothing"),
      opt[String]("output")
        .valueName("DIR")
        .action((directory, options) => options.copy(output = Some(directory)))
        .text("folder into which NAME/Weir.sv, NAME/Weir.rdl and NAME/Weir.json are written")
    )
  }

  def main(arguments: Array[String]): Unit = {
    val code = run(arguments.toSeq)
    if (code != 0) sys.exit(code)
  }

  /** What `main` does, but returns the exit code. */
  private[weir] def run(arguments: Seq[String]): Int =
    try parse(arguments).map(act).getOrElse(0)
    catch {
      case error: UsageError =>
        Console.err.println(error.getMessage)
        2
      // one that cannot be built keeps all others from being named
      case error: ExceptionInInitializerError if error.getCause.isInstanceOf[IllegalArgumentException] =>
        Console.err.println(
          s"a preset or a part cannot be built: ${error.getCause.getMessage}"
        )
        2
    }

  /** The options, or nothing where help was asked for and given. */
  private def parse(arguments: Seq[String]): Option[Options] = {
    val effects = new DefaultOEffectSetup {
      override def terminate(state: Either[String, Unit]): Unit = ()
      override def reportError(message: String): Unit           = throw new UsageError(
        s"$message: ./mill hw.run --help shows the options."
      )
    }
    val (options, steps) = OParser.runParser(parser, arguments, Options())
    OParser.runEffects(steps, effects)
    options.filterNot(_ => steps.exists(_.isInstanceOf[OEffect.Terminate]))
  }

  private def act(options: Options): Int = {
    if (options.list) Console.out.println(table)
    else {
      if (options.configs.isEmpty) throw new UsageError("--config NAME is missing: --list shows the names.")
      def output = options.output.getOrElse(throw new UsageError("--output DIR is missing: the folder to write into."))
      if (!options.parameters) output
      val configs = options.configs.map(named)
      if (options.parameters) configs.foreach(config => Console.out.print(Parameters.json(config)))
      else configs.asJava.parallelStream().forEach(generate(_, Paths.get(output)))
    }
    0
  }

  private def named(name: String): WeirConfig =
    Presets.all
      .get(name)
      .orElse(RandomConfig.named(name))
      .getOrElse(
        throw new UsageError(
          s"--config $name is not a named config: known are ${RandomConfig.prefix}SEED and ${Presets.all.keys.mkString(", ")}."
        )
      )

  /** The configs as a table, a line each. */
  private def table: String = {
    val head = Seq("name", "part", "channels", "ranks", "banks", "DQ", "phases", "DRAM clock", "memory", "AXI")
    val rows = Presets.all.values.toSeq.map { config =>
      import config.{axi, geometry, phy, timing}
      val groups =
        if (geometry.bankGroups > 1) s"${geometry.bankGroups}x${geometry.banksPerGroup}" else s"${geometry.banks}"
      Seq(
        config.name,
        config.part,
        s"${config.channels}",
        if (geometry.pseudoRanks == 1) s"${geometry.ranks}" else s"${geometry.ranks} pseudo",
        groups,
        s"${geometry.dqBits}",
        s"${phy.phases}",
        s"${1000000 / timing.tCKps} MHz",
        size(config.memoryBytes),
        s"${axi.ports} x ${axi.dataBits}"
      )
    }
    val widths = (head +: rows).transpose.map(_.map(_.length).max)
    (head +: rows)
      .map(row => row.zip(widths).map { case (cell, width) => cell.padTo(width, ' ') }.mkString("  ").stripTrailing)
      .mkString("\n")
  }

  private def size(bytes: BigInt): String =
    Seq("GiB" -> 30, "MiB" -> 20)
      .collectFirst { case (unit, power) if bytes >> power > 0 => s"${bytes >> power} $unit" }
      .getOrElse(s"${bytes >> 10} KiB")

  /** Writes the three files of a config, all of them or none. */
  private def generate(config: WeirConfig, output: Path): Unit = {
    val verilog = withAssertions(ChiselStage.emitSystemVerilog(new Weir(config), firtoolOpts = firtoolOptions))
    val texts   = Seq(
      "Weir.rdl"  -> SystemRdl(RegisterRooms.map(config), config.name),
      "Weir.json" -> Parameters.json(config),
      "Weir.sv"   -> verilog
    )
    try WholeFiles.write(output.resolve(config.name), texts)
    catch {
      case error: IOException => throw new UsageError(s"--output $output cannot be written: ${error.getMessage}.")
    }
  }

  /** The Verilog with its assertions under a macro of their own. It is defined unless SYNTHESIS is; a simulation that defines
    * SYNTHESIS for the sake of other sources defines it too.
    */
  private[weir] def withAssertions(verilog: String): String =
    s"""`ifndef SYNTHESIS
       |  `ifndef $assertionsMacro
       |    `define $assertionsMacro
       |  `endif
       |`endif
       |""".stripMargin + verilog
      .replace("`ifndef SYNTHESIS", s"`ifdef $assertionsMacro")
      .replace("`endif // not def SYNTHESIS", s"`endif // def $assertionsMacro")

  private val assertionsMacro = "WEIR_ASSERTIONS"

  /** One file that Verilator and Yosys read: no bind files, no packed arrays; assertions end a simulation. */
  private val firtoolOptions = Array(
    "--default-layer-specialization=enable",
    "--lowering-options=disallowLocalVariables,disallowPackedArrays",
    "--disable-all-randomization"
  )
}
