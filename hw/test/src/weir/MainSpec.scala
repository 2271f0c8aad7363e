// SPDX-License-Identifier: Apache-2.0
package weir

import org.scalatest.funspec.AnyFunSpec
import weir.config.Presets

import java.io.ByteArrayOutputStream
import java.nio.file.{Files, Path, Paths}
import scala.sys.process._

class MainSpec extends AnyFunSpec {

  /** Exit code, standard output and standard error of a run. */
  private def run(arguments: String*): (Int, String, String) = {
    val (out, err) = (new ByteArrayOutputStream, new ByteArrayOutputStream)
    val code       = Console.withOut(out)(Console.withErr(err)(Main.run(arguments)))
    (code, out.toString, err.toString)
  }

  /** A new folder below the working folder, which Mill makes anew for every run. */
  private def temporary: Path = Files.createTempDirectory(Paths.get("").toAbsolutePath, "main")

  /** What `body` gives where no file of this process may become longer than `bytes`: a write beyond ends with an error, as
    * on a full disk.
    */
  private def fileLimit[T](bytes: Int)(body: => T): T = {
    def limit(soft: String): Unit =
      assert(Seq("prlimit", "--pid", s"${ProcessHandle.current.pid}", s"--fsize=$soft:").! == 0)
    limit(s"$bytes")
    try body
    finally limit("unlimited")
  }

  it("lists every config with its part, a line each") {
    val (code, out, err) = run("--list")
    assert((code, err) == ((0, "")))
    val lines = out.linesIterator.toSeq
    assert(lines.head.split(" +").toSeq.take(7) == Seq("name", "part", "channels", "ranks", "banks", "DQ", "phases"))
    assert(lines.tail.map(_.split(" +")(0)) == Presets.all.keys.toSeq)
    assert(lines.exists(_.matches("sim-ddr3-2rank +MT41J128M8JP-125 +1 +2 +8 +64 +4 +800 MHz +2 GiB +1 x 64")))
  }

  it("shows its options") {
    val (code, out, _) = run("--help")
    assert(code == 0)
    for (option <- Seq("--list", "--config", "--output")) assert(out.contains(option))
  }

  describe("says in one sentence what is wrong with the command line, and writes nothing:") {
    def refused(what: String, parts: String*)(arguments: Path => Seq[String]): Unit =
      it(what) {
        val folder           = temporary
        val (code, out, err) = run(arguments(folder): _*)
        assert((code, out) == ((2, "")))
        assert(err.linesIterator.size == 1 && err.trim.endsWith("."), err)
        for (part <- parts) assert(err.contains(part), err)
        assert(folder.toFile.list.isEmpty)
      }
    refused("no option at all", "--config")(_ => Seq())
    refused("no config", "--config")(folder => Seq("--output", s"$folder"))
    refused("no folder", "--output")(_ => Seq("--config", "soc-64"))
    refused("an unknown config", "soc-65", "soc-64")(folder => Seq("--config", "soc-65", "--output", s"$folder"))
    refused("an unknown config after a known one", "soc-65")(folder =>
      Seq("--config", "soc-64", "--config", "soc-65", "--output", s"$folder")
    )
    refused("an unknown option", "--cnofig")(folder => Seq("--cnofig", "soc-64", "--output", s"$folder"))
    refused("an argument that is no option", "soc-64")(folder => Seq("soc-64", "--output", s"$folder"))
  }

  it("tells the interval of the refreshes that a config has to make") {
    // JESD79-5: tREFI of a rank, and tREFI2 of a set of banks, half of it
    for ((name, picoseconds) <- Seq("test-ddr5" -> 3900000, "test-ddr5-sets" -> 1950000, "soc-64" -> 7800000))
      assert(Parameters.json(Presets.all(name)).contains(s""""refreshIntervalPs":$picoseconds"""), name)
  }

  it("prints the parameters of named and of drawn configs, and writes nothing") {
    val (code, out, err) = run("--config", "soc-64", "--config", "random-7", "--parameters")
    assert((code, err) == ((0, "")))
    assert(out == Parameters.json(Presets.all("soc-64")) + Parameters.json(RandomConfig(7)))
  }

  it("refuses a folder that cannot be made") {
    val file           = Files.createFile(temporary.resolve("file"))
    val (code, _, err) = run("--config", "test-1rank-1phase", "--output", s"$file/below")
    assert(code == 2)
    assert(err.contains(s"$file/below"))
  }

  it("leaves the files as they were when the disk is full") {
    val folder = temporary.resolve("test-1rank-1phase")
    val names  = Seq("Weir.rdl", "Weir.json", "Weir.sv")
    Files.createDirectory(folder)
    for (name <- names) Files.writeString(folder.resolve(name), s"the old $name")
    val (code, out, err) = fileLimit(65536) { run("--config", "test-1rank-1phase", "--output", s"${folder.getParent}") }
    assert((code, out) == ((2, "")))
    assert(err.linesIterator.size == 1 && err.contains(s"--output ${folder.getParent} cannot be written"), err)
    assert(folder.toFile.list.toSet == names.toSet)
    for (name <- names) assert(Files.readString(folder.resolve(name)) == s"the old $name")
  }

  it("writes Verilog, SystemRDL and parameters of every config it is given") {
    val folder       = temporary
    val (code, _, _) = run("--config", "test-1rank-1phase", "--config", "ecp5-lite", "--output", s"$folder")
    assert(code == 0)
    for (name <- Seq("test-1rank-1phase", "ecp5-lite")) {
      def text(file: String) = Files.readString(folder.resolve(name).resolve(file))
      assert(text("Weir.sv").linesIterator.count(_.startsWith("module Weir(")) == 1)
      assert(text("Weir.rdl").contains(s"config $name."))
      assert(text("Weir.json").contains(s"\"name\":\"$name\""))
      assert(folder.resolve(name).toFile.list.toSet == Set("Weir.sv", "Weir.rdl", "Weir.json"))
    }
  }

  it("keeps assertions from synthesis, by a macro that a simulation may define where SYNTHESIS is") {
    val folder = temporary
    assert(run("--config", "test-1rank-1phase", "--output", s"$folder")._1 == 0)

    /** Assertions that are left where these macros are defined, of all in the file. */
    def left(defined: String*): (Int, Int) = {
      val macros   = scala.collection.mutable.Set(defined: _*)
      var shown    = List(true)
      var (in, of) = (0, 0)
      for (line <- Files.readString(folder.resolve("test-1rank-1phase/Weir.sv")).linesIterator.map(_.trim)) {
        line.split("\\s+").toSeq match {
          case "`ifdef" +: name +: _                  => shown = (shown.head && macros(name)) :: shown
          case "`ifndef" +: name +: _                 => shown = (shown.head && !macros(name)) :: shown
          case head +: _ if head == "`else"           => shown = (shown(1) && !shown.head) :: shown.tail
          case head +: _ if head.startsWith("`endif") => shown = shown.tail
          case "`define" +: name +: _ if shown.head   => macros += name
          case _                                      =>
            val fatal = line.contains("$fatal")
            if (fatal) of += 1
            if (fatal && shown.head) in += 1
        }
      }
      (in, of)
    }
    val (all, of) = left()
    assert(all == of && of > 0)
    assert(left("SYNTHESIS") == ((0, of)))
    assert(left("SYNTHESIS", "WEIR_ASSERTIONS") == ((of, of)))
  }
}
