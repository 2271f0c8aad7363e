// SPDX-License-Identifier: Apache-2.0
package weir.channel

import chisel3._
import weir.config.WeirConfig

/** When a rank may be activated again: tRRD_S and tRRD_L between two activates, and at most four in any tFAW.
  *
  * The outputs come from registers; an activate given in one cycle shows in the next.
  */
class RankTimers(config: WeirConfig) extends Module {
  private val groups = config.geometry.bankGroups
  val io             = IO(new Bundle {
    val distances = Input(DistanceTable.bundle(config))
    val activate  = Input(Bool())

    /** Bank group of the activate. */
    val group = Input(UInt(config.geometry.bankGroupBits.W))

    /** For each bank group: an activate breaks no rule of the rank. */
    val activatable = Output(Vec(groups, Bool()))
  })

  private val untilActivate = Seq.fill(groups)(new Countdown(DistanceTable.width(config)))

  // the last four activates: the one that `oldest` points at must be tFAW old before a fifth
  private val window = Seq.fill(4)(new Countdown(DistanceTable.width(config)))
  private val oldest = RegInit(0.U(2.W))

  when(io.activate) {
    for ((timer, group) <- untilActivate.zipWithIndex)
      timer.start(Mux(io.group === group.U, io.distances.activateSame, io.distances.activateOther))
    for ((timer, index) <- window.zipWithIndex)
      when(oldest === index.U)(timer.start(io.distances.fourActivates))
    oldest := oldest + 1.U
  }

  private val windowFree = VecInit(window.map(_.ready))(oldest)
  for ((timer, group) <- untilActivate.zipWithIndex)
    io.activatable(group) := timer.ready && windowFree
}
