# SPDX-License-Identifier: Apache-2.0
"""Timings of the parts under test, from datasheets and JEDEC tables; written for the tests alone.

DDR3: JESD79-3F tables 63 to 67 and the Micron datasheets of MT41J128M8, MT41K64M16 and MT41K256M16. DDR4: JESD79-4B
speed bin and timing tables and the Micron datasheets of MT40A512M16 and MT40A1G8. DDR5: JESD79-5 speed bin, timing and
refresh tables.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

# (least clocks, nanoseconds) of each timing
_DDR3 = {
    "tCCD_S": (4, "0"),
    "tCCD_L": (4, "0"),
    "tWTR_S": (4, "7.5"),
    "tWTR_L": (4, "7.5"),
    "tRTP": (4, "7.5"),
    "tWR": (0, "15"),
    "tREFI": (0, "7800"),
    "tZQCS": (64, "80"),
    "tRTRS": (2, "0"),
}
_DDR3_800E = {"tRCD": (0, "15"), "tRP": (0, "15"), "tRAS": (0, "37.5"), "tRC": (0, "52.5")}
_DDR3_1600K = {"tRCD": (0, "13.75"), "tRP": (0, "13.75"), "tRAS": (0, "35"), "tRC": (0, "48.75")}
_DDR4_2400R = {
    "tRCD": (0, "13.32"),
    "tRP": (0, "13.32"),
    "tRAS": (0, "32"),
    "tRC": (0, "45.32"),
    "tCCD_S": (4, "0"),
    "tCCD_L": (5, "5"),
    "tWTR_S": (2, "2.5"),
    "tWTR_L": (4, "7.5"),
    "tRTP": (4, "7.5"),
    "tWR": (0, "15"),
    "tREFI": (0, "7800"),
    "tZQCS": (128, "0"),
    "tRTRS": (2, "0"),
}


_DDR5_3200BN = {
    "tRCD": (0, "16.25"),
    "tRP": (0, "16.25"),
    "tRAS": (0, "32"),
    "tRC": (0, "48.25"),
    "tCCD_S": (8, "0"),
    "tCCD_L": (8, "5"),
    "tCCD_L_WR": (32, "20"),
    "tWTR_S": (4, "2.5"),
    "tWTR_L": (16, "10"),
    "tRTP": (12, "7.5"),
    "tWR": (0, "30"),
    "tREFI": (0, "3900"),
    "tRTRS": (2, "0"),
}
# where sets of banks are refreshed by themselves: tRFCsb and tREFI2
_DDR5_SETS = {"tRFC": (0, "130"), "tREFI": (0, "1950"), "tREFSBRD": (0, "30")}


def _activates(rrd_s, rrd_l, faw, rfc):
    return {"tRRD_S": rrd_s, "tRRD_L": rrd_l, "tFAW": faw, "tRFC": (0, rfc)}


_PARTS = {
    "MT41J128M8JP-25": _DDR3 | _DDR3_800E | _activates((4, "10"), (4, "10"), (0, "40"), "110"),
    "MT41J128M8JP-125": _DDR3 | _DDR3_1600K | _activates((4, "6"), (4, "6"), (0, "30"), "110"),
    "MT41K64M16-125": _DDR3 | _DDR3_1600K | _activates((4, "7.5"), (4, "7.5"), (0, "40"), "110"),
    "MT41K256M16-125": _DDR3 | _DDR3_1600K | _activates((4, "7.5"), (4, "7.5"), (0, "40"), "260"),
    "MT40A512M16-083E": _DDR4_2400R | _activates((4, "5.3"), (4, "6.4"), (28, "30"), "350"),
    "MT40A1G8-083E": _DDR4_2400R | _activates((4, "3.3"), (4, "4.9"), (20, "21"), "350"),
    "DDR5-16Gb-x16-3200BN": _DDR5_3200BN | _activates((8, "0"), (8, "5"), (40, "25"), "295"),
}


def clocks(part: str, clock_ps: int, sets: bool = False) -> dict[str, int]:
    """The part's timings in whole clocks of `clock_ps` picoseconds; `sets` of banks are refreshed by themselves or not.

    Least times are rounded up for DDR3; for DDR4 by JESD79-4B section 13.5, which forgives 2.5 % of a clock; for DDR5
    by JESD79-5, which forgives 0.3 % of the time. tREFI, the longest mean interval, is rounded down.
    """
    ddr4, ddr5 = part.startswith("MT40A"), part.startswith("DDR5")
    table = {}
    for name, (least, nanoseconds) in (_PARTS[part] | (_DDR5_SETS if sets else {})).items():
        exact = Decimal(nanoseconds) * 1000 / clock_ps
        if name == "tREFI":
            whole = exact.to_integral_value(ROUND_FLOOR)
        elif ddr5:
            whole = ((exact * 997).to_integral_value(ROUND_FLOOR) + 1000) // 1000
        elif ddr4:
            whole = ((exact * 1000).to_integral_value(ROUND_FLOOR) + 974) // 1000
        else:
            whole = exact.to_integral_value(ROUND_CEILING)
        table[name] = max(least, int(whole))
    return table
