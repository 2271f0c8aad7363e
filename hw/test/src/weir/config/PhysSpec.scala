// SPDX-License-Identifier: Apache-2.0
package weir.config

import org.scalatest.funspec.AnyFunSpec
import weir.device.Parts

/** PHY numbers against those that the PHYs of LiteDRAM 2024.12 compute for the same clocks, read from their settings. */
class PhysSpec extends AnyFunSpec {
  private val ddr3 = Parts("MT41K256M16-125")

  it("series 7, DDR3-1600: CL 11, CWL 8, four phases") {
    assert(Phys.series7(ddr3.timing(1250)) == Phy(4, 1, 0, 9, 1))
  }
  it("series 7, DDR3-800: CL 6, CWL 5, four phases") {
    assert(Phys.series7(ddr3.timing(2500)) == Phy(4, 2, 3, 8, 1))
  }
  it("UltraScale, DDR4-2400: CL 16, CWL 12, four phases") {
    assert(Phys.ultraScale(Parts("MT40A1G8-083E").timing(833)) == Phy(4, 0, 0, 9, 2))
  }
  it("ECP5, 75 MHz: CL 6, CWL 5, two phases") {
    assert(Phys.ecp5(ddr3.timing(6666)) == Phy(2, 0, 1, 13, 3))
  }
  it("one phase: every latency is whole") {
    assert(Phys.series7(Parts("MT41J128M8JP-25").timing(2500), phases = 1) == Phy(1, 0, 0, 12, 4))
  }
}
