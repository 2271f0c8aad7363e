// SPDX-License-Identifier: Apache-2.0
package weir.config

import weir.device.Timing

/** The numbers that LiteDRAM's PHYs give themselves, computed as they do from the CAS latencies: a latency takes so many
  * whole controller cycles, and the command stands in the phase that makes up the difference.
  */
object Phys {
  private def cycles(latency: Int, phases: Int): Int = (latency + phases - 1) / phases
  private def phase(latency: Int, phases: Int): Int  = cycles(latency, phases) * phases - latency

  /** `S7DDRPHY` (Kintex-7, Artix-7; DDR3), which the simulated DRAM stands behind too. */
  def series7(timing: Timing, phases: Int = 4): Phy =
    Phy(
      phases = phases,
      readPhase = phase(timing.cl, phases),
      writePhase = phase(timing.cwl, phases),
      readLatency = cycles(timing.cl, phases) + 6,
      writeLatency = cycles(timing.cwl, phases) - 1
    )

  /** `USDDRPHY` (UltraScale; DDR4). */
  def ultraScale(timing: Timing, phases: Int = 4): Phy =
    series7(timing, phases).copy(readLatency = cycles(timing.cl, phases) + 5)

  /** `ECP5DDRPHY` (DDR3): always two phases. */
  def ecp5(timing: Timing): Phy =
    Phy(
      phases = 2,
      readPhase = phase(timing.cl, 2),
      writePhase = phase(timing.cwl, 2),
      readLatency = cycles(timing.cl, 2) + 10,
      writeLatency = cycles(timing.cwl, 2)
    )
}
