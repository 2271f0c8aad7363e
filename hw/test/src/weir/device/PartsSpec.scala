// SPDX-License-Identifier: Apache-2.0
package weir.device

import org.scalatest.funspec.AnyFunSpec

/** Timings in clocks against numbers worked out by hand from the datasheets' and standards' tables. */
class PartsSpec extends AnyFunSpec {

  private val columns =
    "tRCD tRP tRAS tRC tRRD_S tRRD_L tFAW tCCD_L tWTR_S tWTR_L tRTP tWR tRFC cl cwl".split(' ').toSeq

  private def check(part: String, tCKps: Int, expected: Int*): Unit =
    it(s"$part at $tCKps ps") {
      val t     = Parts(part).timing(tCKps)
      val named = t.productElementNames.zip(t.productIterator).toMap
      assert(columns.map(name => name -> named(name)) == columns.zip(expected))
      assert(t.tCCD_S == Parts(part).standard.burstLength / 2)
      assert(t.tRTRS == 2)
    }

  describe("DDR3 speed bins") {
    check("MT41J128M8JP-25", 2500, 6, 6, 15, 21, 4, 4, 16, 4, 4, 4, 4, 6, 44, 6, 5)
    check("MT41K128M16-187E", 1875, 7, 7, 20, 27, 6, 6, 27, 4, 4, 4, 4, 8, 86, 7, 6)
    check("MT41K256M16-15E", 1500, 9, 9, 24, 33, 5, 5, 30, 4, 5, 5, 5, 10, 174, 9, 7)
    check("MT41J128M8JP-125", 1250, 11, 11, 28, 39, 5, 5, 24, 4, 6, 6, 6, 12, 88, 11, 8)
    check("MT41K256M16-125", 1250, 11, 11, 28, 39, 6, 6, 32, 4, 6, 6, 6, 12, 208, 11, 8)
    check("MT41K512M16-125", 1250, 11, 11, 28, 39, 6, 6, 32, 4, 6, 6, 6, 12, 280, 11, 8)
    check("MT41K256M16-107", 1070, 13, 13, 32, 45, 6, 6, 33, 4, 8, 8, 8, 15, 243, 13, 9)
    check("MT41K512M8-107", 1070, 13, 13, 32, 45, 5, 5, 26, 4, 8, 8, 8, 15, 243, 13, 9)
  }

  describe("DDR3 at the slow clocks of boards") {
    check("MT41K256M16-125", 6666, 3, 3, 6, 8, 4, 4, 7, 4, 4, 4, 4, 3, 40, 6, 5)
    check("MT41K64M16-125", 10416, 2, 2, 4, 5, 4, 4, 4, 4, 4, 4, 4, 2, 11, 6, 5)
  }

  describe("DDR4 speed bins") {
    check("MT40A1G8-093E", 937, 15, 15, 36, 51, 4, 6, 23, 6, 3, 8, 8, 16, 374, 15, 11)
    check("MT40A1G8-083E", 833, 16, 16, 39, 55, 4, 6, 26, 6, 3, 9, 9, 18, 421, 16, 12)
    check("MT40A512M16-083E", 833, 16, 16, 39, 55, 7, 8, 36, 6, 3, 9, 9, 18, 421, 16, 12)
    check("MT40A1G8-075", 750, 19, 19, 43, 62, 4, 7, 28, 7, 4, 10, 10, 20, 467, 19, 14)
    check("MT40A1G8-075E", 750, 18, 18, 43, 61, 4, 7, 28, 7, 4, 10, 10, 20, 467, 18, 14)
    check("MT40A1G8-062E", 625, 22, 22, 52, 74, 4, 8, 34, 8, 4, 12, 12, 24, 560, 22, 16)
  }

  describe("DDR5 speed bin") {
    check("DDR5-16Gb-x16-3200BN", 625, 26, 26, 52, 77, 8, 8, 40, 8, 4, 16, 12, 48, 471, 26, 24)

    it("has other refreshes of sets of its banks") {
      val t = Parts("DDR5-16Gb-x16-3200BN").timing(625, ofSets = true)
      assert(t.tRFC == 208 && t.tREFSBRD.contains(48) && t.tREFI * 0.625 <= 1950 && t.tREFI * 0.625 > 1945)
      assert(t.tCCD_L_WR.contains(32))
      assert(Parts("DDR5-16Gb-x16-3200BN").timing(625).tREFSBRD.isEmpty)
    }
  }

  describe("Table II of the paper on rank assignment") {
    for ((capacity, tRFC) <- Seq("8Gb" -> 280, "16Gb" -> 384, "32Gb" -> 512)) {
      check(s"TableII-$capacity", 1250, 11, 11, 28, 39, 4, 5, 20, 5, 2, 6, 6, 12, tRFC, 11, 9)
      it(s"refreshes $capacity every 3.9 us") {
        val tREFI = Parts(s"TableII-$capacity").timing(1250).tREFI
        assert(tREFI * 1.25 <= 3900 && tREFI * 1.25 > 3890)
      }
      it(s"refreshes $capacity every 7.8 us at normal temperature, and is the same otherwise") {
        val (hot, normal) = (Parts(s"TableII-$capacity").timing(1250), Parts(s"TableII-$capacity-normal").timing(1250))
        assert(normal.tREFI * 1.25 <= 7800 && normal.tREFI * 1.25 > 7780)
        assert(normal.copy(tREFI = hot.tREFI, source = hot.source) == hot)
      }
    }
  }

  describe("the PCM of that table") {
    check("TableII-PCM", 1250, 11, 11, 45, 55, 4, 5, 20, 5, 2, 6, 6, 100, 280, 11, 9)
    it("has eight banks") { assert(Parts("TableII-PCM").geometry(2, 64).banks == 8) }
  }

  describe("refreshes in parts") {
    for (
      (part, tCKps, half, quarter) <- Seq(
        ("MT40A1G8-083E", 833, 313, 193),
        ("MT40A512M16-083E", 1250, 208, 128),
        ("TableII-8Gb", 1250, 192, 128),
        ("TableII-16Gb", 1250, 280, 192),
        ("TableII-32Gb", 1250, 384, 280),
        // DDR3 has none; at best these would take
        ("MT41J128M8JP-125", 1250, 44, 22),
        ("MT41K512M16-125", 1250, 140, 70)
      )
    )
      it(s"of $part take $half and $quarter clocks") {
        val timing = Parts(part).timing(tCKps)
        assert((timing.tRFC2, timing.tRFC4) == ((half, quarter)))
      }
  }

  describe("organisation") {
    // bytes of a rank: capacity of a chip times chips
    for (
      (part, dq, groups, banks, mebibytes) <- Seq(
        ("MT41J128M8JP-125", 64, 1, 8, 1024),
        ("MT41K64M16-125", 16, 1, 8, 128),
        ("MT41K128M16-125", 16, 1, 8, 256),
        ("MT41K256M16-125", 16, 1, 8, 512),
        ("MT41K512M16-125", 16, 1, 8, 1024),
        ("MT40A1G8-083E", 64, 4, 16, 8192),
        ("MT40A512M16-083E", 64, 2, 8, 4096),
        ("TableII-32Gb", 64, 4, 16, 32768)
      )
    )
      it(s"$part on $dq pins has $banks banks in $groups groups and $mebibytes MiB") {
        val geometry = Parts(part).geometry(1, dq)
        assert((geometry.bankGroups, geometry.banks, geometry.bytes >> 20) == ((groups, banks, BigInt(mebibytes))))
      }
  }

  describe("errors") {
    def message(body: => Any): String = intercept[IllegalArgumentException](body).getMessage

    it("name an unknown part and the known ones") {
      val text = message(Parts("MT41K256M16-1"))
      assert(text.contains("MT41K256M16-1 ") && text.contains("MT41K256M16-125"))
    }
    it("name a clock that is too fast and the fastest one") {
      val text = message(Parts("MT41K256M16-125").timing(1249))
      assert(text.contains("1249 ps") && text.contains("1250 ps") && text.contains("MT41K256M16-125"))
    }
    it("name a data bus that chips do not fill") {
      val text = message(Parts("MT41K256M16-125").geometry(1, 8))
      assert(text.contains("8 bits") && text.contains("16 data pins"))
    }
  }
}
