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
    sys.props("chisel.project.root") = mill.api.WorkspaceRoot.workspaceRoot.toString
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
  }
}
