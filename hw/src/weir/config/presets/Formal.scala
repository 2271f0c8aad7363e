// SPDX-License-Identifier: Apache-2.0
package weir.config.presets

import weir.config._
import weir.config.presets.Shapes._
import weir.device.{Geometry, Timing}

/** Configs as small as they can be, with timings of no real part, so that a proof of few cycles sees whole sequences of
  * commands and refreshes; in each of them every timing is the one that matters somewhere.
  */
object Formal {

  private val formalTiming = Timing(
    source = "tests/formal",
    tCKps = 1250,
    cl = 6,
    cwl = 5,
    tRCD = 7,
    tRP = 6,
    tRAS = 9,
    tRC = 18,
    tRRD_S = 5,
    tRRD_L = 9,
    tFAW = 34,
    tCCD_S = 5,
    tCCD_L = 9,
    tWTR_S = 3,
    tWTR_L = 7,
    tRTP = 6,
    tWR = 5,
    tRTRS = 2,
    tRFC = 28,
    tREFI = 240,
    tZQCS = 20,
    zqInterval = 1,
    tRFC2 = 24,
    tRFC4 = 20
  )

  /** As short as the register map and the channel allow, which wants tRAS to be more than a cycle, so that a proof sees several
    * refreshes and the whole wait of a starving access.
    */
  private val shortestTiming = formalTiming.copy(
    tRCD = 2,
    tRP = 2,
    tRAS = 6,
    tRC = 8,
    tRRD_S = 1,
    tRRD_L = 1,
    tFAW = 4,
    tCCD_S = 4,
    tCCD_L = 4,
    tWTR_S = 1,
    tWTR_L = 1,
    tRTP = 1,
    tWR = 1,
    tRFC = 17,
    tREFI = 72,
    tZQCS = 4,
    tRFC2 = 17,
    tRFC4 = 17
  )

  private val queuesOfTwo = Policies(readQueue = 2, writeQueue = 2, highWaterMark = 2, lowWaterMark = 0, ageLimit = 16)

  /** Of DDR3, or where there are bank groups of DDR4, with a geometry and timings of its own. */
  private def formal(name: String, geometry: Geometry, timing: Timing, phases: Int, policies: Policies): WeirConfig =
    WeirConfig(
      name,
      if (geometry.bankGroups > 1) "MT40A512M16-083E" else "MT41J128M8JP-125",
      geometry,
      timing,
      Phys.series7(timing, phases).copy(readLatency = 2, writeLatency = 1),
      Axi(ports = 1, dataBits = 64, idBits = 1, addressBits = 16, readSlots = 4),
      policies,
      Observation("none"),
      placement = Placement(programmable = false, readable = false)
    )

  private val formals = Seq(
    formal(
      "formal-2rank-4phase",
      Geometry(ranks = 2, bankGroups = 2, banksPerGroup = 2, rowBits = 8, columnBits = 5, dqBits = 8),
      formalTiming,
      phases = 4,
      queuesOfTwo
    ),
    formal(
      "formal-1rank-2phase",
      Geometry(ranks = 1, bankGroups = 1, banksPerGroup = 4, rowBits = 8, columnBits = 5, dqBits = 8),
      formalTiming
        .copy(tRAS = 14, tRC = 16, tRRD_L = 5, tCCD_L = 5, tWTR_L = 3, tRFC = 20, tRFC2 = 20, tRFC4 = 20),
      phases = 2,
      queuesOfTwo.copy(
        forwarding = false,
        programmableTimings = false
      )
    ).registered
  ) ++ (
    for (ranks <- Seq(1, 2))
      yield formal(
        s"formal-${ranks}rank-shortest",
        Geometry(ranks, bankGroups = 1, banksPerGroup = 4, rowBits = 8, columnBits = 5, dqBits = 8),
        // a queue of two entries can keep a row open only where the precharge waits for the next hit
        if (ranks == 1) shortestTiming.copy(tRTP = 6, tREFI = 84) else shortestTiming,
        phases = 4,
        queuesOfTwo.copy(
          refreshPostpone = 2,
          programmableTimings = false
        )
      )
  )

  /** Of pages that live elsewhere: two superpages in each rank, lines as long as a bitmap. */
  private val formalRemapping =
    hybrid(
      ranksOfEight(
        2,
        "formal-remapping",
        Axi(ports = 1, dataBits = 512, idBits = 1, readSlots = 2),
        trim = _.copy(rowBits = 8, columnBits = 8)
      )
    ).copy(
      remapping = Some(smallCaches.copy(frames = 32)),
      migration = Some(Migration(window = 2))
    )

  val all: Seq[WeirConfig] = formals :+ formalRemapping
}
