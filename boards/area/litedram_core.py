# SPDX-License-Identifier: Apache-2.0
"""LiteDRAM as an ECP5 board has it, to be measured beside Weir's `ecp5-lite`: controller, crossbar and one AXI4 port of
128 bits with ids of 4, one rank of an x16 MT41K256M16, ECP5DDRPHY's settings at 75 MHz, 1:2. PHY and DFI injector,
which both controllers need alike, are left out.

usage: litedram_core.py OUTPUT.v
"""

import sys
from pathlib import Path

from litedram.modules import MT41K256M16
from litedram.phy import ECP5DDRPHY
from litedram_top import AxiWidths, LiteDRAM, write_verilog
from litex_boards.platforms.lambdaconcept_ecpix5 import Platform

CLOCK_HZ = 75e6


def core() -> LiteDRAM:
    # The PHY is made for its settings only: nothing of it is in the core.
    phy = ECP5DDRPHY(Platform(device="85F", toolchain="trellis").request("ddram"), sys_clk_freq=CLOCK_HZ)
    return LiteDRAM(phy.settings, MT41K256M16(CLOCK_HZ, "1:2"), CLOCK_HZ, ports=1, widths=AxiWidths(data=128))


if __name__ == "__main__":
    write_verilog(core(), Path(sys.argv[1]))
