// SPDX-License-Identifier: Apache-2.0
// The Chisel sources (hw/): compile, test, format. `./mill hw.run` is the generator, weir.Main.
import $ivy.`com.goyeau::mill-scalafix::0.5.1`

import com.goyeau.mill.scalafix.ScalafixModule
import mill._
import mill.scalalib._
import mill.scalalib.scalafmt.ScalafmtModule

object Version {
  val scala     = "2.13.16"
  val chisel    = "7.14.0"
  val scalatest = "3.2.19"
}

trait Checked extends ScalaModule with ScalafmtModule with ScalafixModule {
  def semanticDbVersion     = "4.13.5"
  def semanticDbJavaVersion = "0.11.1"
}

object hw extends Checked {
  def scalaVersion = Version.scala

  /** Source locators in the Verilog are paths from here, so that it is the same text wherever the clone lies. An input, as
    * Mill's server puts the properties back at every command.
    */
  def locators = Task.Input {
    sys.props("chisel.project.root") = mill.api.BuildCtx.workspaceRoot.toString
    "from the root"
  }
  def scalacOptions = Task {
    locators()
    Seq(
      "-deprecation",
      "-feature",
      "-unchecked",
      "-Xcheckinit",
      "-Wunused:imports,locals,privates",
      "-language:reflectiveCalls",
      "-Ymacro-annotations"
    )
  }
  def ivyDeps             = Agg(mvn"org.chipsalliance::chisel:${Version.chisel}")
  def scalacPluginIvyDeps = Agg(mvn"org.chipsalliance:::chisel-plugin:${Version.chisel}")
  def mainClass           = Some("weir.Main")

  object test extends ScalaTests with TestModule.ScalaTest with Checked {
    def ivyDeps = Agg(mvn"org.scalatest::scalatest:${Version.scalatest}")

    def verilatorRoot = Task.Input {
      os.Path(Task.env.getOrElse("VERILATOR_ROOT", sys.error("VERILATOR_ROOT is not set: run `. build/env.sh`")))
    }
    def commandPath = Task.Input { Task.env.getOrElse("PATH", "") }

    /** What clang is told to read `verilated.h`. */
    private def headerOptions = Task {
      val include = verilatorRoot() / "include"
      val absent  = Seq("COVERAGE", "SC", "TIMING", "TRACE", "TRACE_FST", "TRACE_VCD", "TRACE_SAIF")
      Seq("-O0", "-std=gnu++17", "-faligned-new", "-fcf-protection=none", "-DVERILATOR=1") ++
        absent.map(name => s"-DVM_$name=0") ++ Seq(include, include / "vltstd").map(folder => s"-I$folder") ++
        Seq("-x", "c++-header", (include / "verilated.h").toString)
    }

    /** Every file that clang reads for `verilated.h`: it takes no header as read that has another time than then. */
    def headers = Task.Input {
      val rule = os.proc("clang++-16", headerOptions(), "-M").call().out.text()
      rule.split("[\\s\\\\]+").filter(_.startsWith("/")).map(file => PathRef(os.Path(file), quick = true)).toSeq
    }

    /** `verilated.h` as clang has read it, two thirds of what a model of a room takes to compile. */
    def parsedHeader = Task {
      headers()
      val parsed = Task.dest / "verilated.h.pch"
      os.proc("clang++-16", headerOptions(), "-o", parsed).call(cwd = Task.dest)
      PathRef(parsed)
    }

    /** As many classes of tests at a time as Mill has jobs. */
    def testParallelism = true

    /** Hundreds of small models run for seconds: they are compiled fast rather than run fast, ccache takes the parts of
      * them that are the same for the same, wherever they lie, and `hw/test/bin/verilator` keeps whole ones.
      */
    def forkEnv = Task {
      val root = mill.api.BuildCtx.workspaceRoot
      super.forkEnv() ++ Map(
        "PATH"              -> s"${root / "hw" / "test" / "bin"}:${commandPath()}",
        "VERILATOR_ROOT"    -> verilatorRoot().toString,
        "WEIR_MODELS"       -> (os.home / ".cache" / "weir" / "models").toString,
        "CXXFLAGS"          -> s"-O0 -include-pch ${parsedHeader().path}",
        "MAKEFLAGS"         -> "OPT_FAST= OPT_GLOBAL=",
        "CCACHE_BASEDIR"    -> root.toString,
        "CCACHE_SLOPPINESS" -> "pch_defines,time_macros"
      )
    }
  }
}
