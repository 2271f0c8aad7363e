// SPDX-License-Identifier: Apache-2.0
package weir.config.presets

import weir.config._
import weir.config.presets.Shapes._

/** The memories that the papers measured on: those of the one on rank assignment (two channels, eight cores), and the same
  * and that of PALLOC for the lab.
  */
object Papers {

  private def rankAssignment(name: String, part: String): WeirConfig =
    config(
      name,
      part,
      1250,
      ranks = 2,
      dqBits = 64,
      Phys.ultraScale(_),
      Axi(ports = 1, dataBits = 512, idBits = 8, addressBits = 40, readSlots = 64, sourceIdHigh = 7, sourceIdLow = 5),
      Policies(readQueue = 32, writeQueue = 32, highWaterMark = 10, lowWaterMark = 5),
      channels = 2,
      placement = Placement(map = "bank_xor")
    )

  private val papers =
    Seq(8, 16, 32).map(size => rankAssignment(s"paper-rank-assignment-${size}gb", s"TableII-${size}Gb"))

  // the same for the lab: two ports, for a line of each channel in a cycle, and the policies that are beyond JEDEC
  private def laboratory(name: String, part: String): WeirConfig = {
    val paper = rankAssignment(s"lab-rank-assignment-$name", part)
    paper.copy(
      axi = paper.axi.copy(ports = 2, idBits = 7, sourceIdHigh = 6, sourceIdLow = 5, interleave = true),
      policies = paper.policies.copy(beyondJedec = true)
    )
  }

  private val lab = {
    val hot    = laboratory("32gb", "TableII-32Gb")
    val normal = Seq(8, 16, 32).map(size => laboratory(s"${size}gb-normal", s"TableII-${size}Gb-normal"))
    val single = hot.copy(name = s"${hot.name}-1channel", channels = 1, geometry = hot.geometry.copy(ranks = 4))
    // whether what four ranks wait for is room in the queues
    val roomy = single.copy(
      name = s"${single.name}-queues64",
      policies = single.policies.copy(readQueue = 64, writeQueue = 64)
    )
    // section III.D has drains between these marks
    val pcm = laboratory("pcm", "TableII-PCM").copy(
      policies = hot.policies.copy(writeQueue = 96, highWaterMark = 40, lowWaterMark = 20, refresh = "none")
    )
    // four cores before sixteen banks of one channel, as those that PALLOC was measured on; a page lies in one bank
    val palloc = config(
      "lab-palloc",
      "MT41J128M8JP-125",
      1250,
      ranks = 2,
      dqBits = 64,
      Phys.ultraScale(_),
      Axi(ports = 1, dataBits = 512, idBits = 7, readSlots = 64, sourceIdHigh = 6, sourceIdLow = 5, interleave = true),
      hot.policies
    )
    hot +: normal :+ single :+ roomy :+ pcm :+ palloc
  }

  val all: Seq[WeirConfig] = papers ++ lab
}
