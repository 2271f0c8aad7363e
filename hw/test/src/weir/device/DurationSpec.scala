// SPDX-License-Identifier: Apache-2.0
package weir.device

import org.scalatest.funspec.AnyFunSpec
import weir.device.Duration.{ck, max, ns}

class DurationSpec extends AnyFunSpec {

  describe("DDR3, rounded up") {
    // at 1250 ps; 13.75 ns are exactly eleven clocks
    for ((time, clocks) <- Seq("13.75" -> 11, "13.751" -> 12, "13.749" -> 11, "35" -> 28, "48.75" -> 39, "0" -> 0))
      it(s"takes $clocks clocks of 1250 ps for $time ns") {
        assert(ns(BigDecimal(time)).clocksAt(1250, Ddr3) == clocks)
      }
  }

  describe("DDR5, with 0.3 % forgiven") {
    // 48.25 ns are 77.2 clocks of 625 ps, 32 ns 51.2; 295 ns are 472
    for ((time, clocks) <- Seq("48.25" -> 77, "32" -> 52, "16.25" -> 26, "295" -> 471, "5" -> 8))
      it(s"takes $clocks clocks of 625 ps for $time ns") {
        assert(ns(BigDecimal(time)).clocksAt(625, Ddr5) == clocks)
      }
  }

  describe("DDR4, with the correction of 0.974") {
    // 13.32 ns are 15.990 clocks of 833 ps, 7.5 ns are 9.003, 4.9 ns are 5.882
    for ((time, clocks) <- Seq("13.32" -> 16, "7.5" -> 9, "4.9" -> 6, "15" -> 18, "350" -> 421))
      it(s"takes $clocks clocks of 833 ps for $time ns") {
        assert(ns(BigDecimal(time)).clocksAt(833, Ddr4) == clocks)
      }

    it("forgives 25 thousandths of a clock and no more") {
      assert(ns(BigDecimal("10.025")).clocksAt(1000, Ddr4) == 10)
      assert(ns(BigDecimal("10.026")).clocksAt(1000, Ddr4) == 11)
    }

    it("cuts what is below a thousandth of a clock") {
      assert(ns(BigDecimal("10.0259")).clocksAt(1000, Ddr4) == 10)
    }
  }

  it("takes the greater of clocks and time") {
    assert(max(4, 6).clocksAt(1250, Ddr3) == 5)
    assert(max(4, 6).clocksAt(2500, Ddr3) == 4)
    assert(ck(597).clocksAt(833, Ddr4) == 597)
  }

  it("stays within an interval, also where a DDR4 clock was rounded down") {
    assert(ns(7800).clocksWithin(1250, Ddr3) == 6240)
    assert(ns(7800).clocksWithin(6666, Ddr3) == 1170)
    // 1200 MHz: 9360 clocks are 7.8 us exactly
    assert(ns(7800).clocksWithin(833, Ddr4) <= 9360)
  }

  it("refuses negative times") {
    assert(intercept[IllegalArgumentException](ns(-1)).getMessage.contains("-1"))
    assert(intercept[IllegalArgumentException](ck(-2)).getMessage.contains("-2"))
  }
}
