# SPDX-License-Identifier: Apache-2.0
"""DRAM parts in LiteDRAM's terms (`SDRAMModule`) that LiteDRAM does not describe, or not as the datasheet does.

LiteDRAM's BIOS code and its own controller read geometry and timings from here. Timings are (clocks, nanoseconds)
pairs of which the larger counts, or nanoseconds.
"""

from typing import ClassVar

from litedram.modules import DDR3Module, _SpeedgradeTimings, _TechnologyTimings


class MT41J128M8JP125(DDR3Module):
    """Micron MT41J128M8JP-125: 1 Gb, x8, DDR3-1600 11-11-11 (1Gb DDR3 SDRAM datasheet)."""

    nbanks = 8
    nrows = 16384
    ncols = 1024
    technology_timings = _TechnologyTimings(
        tREFI=64e6 / 8192, tWTR=(4, 7.5), tCCD=(4, None), tRRD=(4, 6), tZQCS=(64, 80)
    )
    speedgrade_timings: ClassVar = {
        "default": _SpeedgradeTimings(tRP=13.75, tRCD=13.75, tWR=15, tRFC=(None, 110), tFAW=(None, 30), tRAS=35)
    }


class MT41K256M16HA125(DDR3Module):
    """Micron MT41K256M16HA-125: 4 Gb, x16, DDR3L-1600 11-11-11 (4Gb DDR3L SDRAM datasheet)."""

    nbanks = 8
    nrows = 32768
    ncols = 1024
    technology_timings = _TechnologyTimings(
        tREFI=64e6 / 8192, tWTR=(4, 7.5), tCCD=(4, None), tRRD=(4, 7.5), tZQCS=(64, 80)
    )
    speedgrade_timings: ClassVar = {
        "default": _SpeedgradeTimings(tRP=13.75, tRCD=13.75, tWR=15, tRFC=(None, 260), tFAW=(None, 40), tRAS=35)
    }
