# SPDX-License-Identifier: Apache-2.0
"""OrangeCrab r0.2 of Good Stuff Department: LFE5U-25F with 128 MiB of DDR3, or LFE5U-85F with 512 MiB.

The UART is on the pins 0 (RX) and 1 (TX) of the Feather header, 3.3 V: any USB serial adapter. The USB port of the
board itself would take a core that is not packaged; it stays with the bootloader, which takes the bitstream by DFU.
"""

from dataclasses import replace

from litedram.modules import MT41K64M16, MT41K256M16
from litex.gen.genlib.misc import WaitTimer
from litex_boards.platforms.gsd_orangecrab import Platform, feather_serial
from migen import ClockDomainsRenamer

from weir_boards.board import Board


def _platform(device):
    platform = Platform(revision="0.2", device=device, toolchain="trellis")
    platform.add_extension(feather_serial)
    return platform


def _prepare(soc, pads):
    """The virtual supplies and grounds around the DRAM's pins; and the button, held for a second, restarts the FPGA's
    bootloader, so that another bitstream can be loaded."""
    soc.comb += [pads.vccio.eq(2 ** len(pads.vccio) - 1), pads.gnd.eq(0)]
    timer = ClockDomainsRenamer("por")(WaitTimer(int(48e6)))
    soc.add_module(name="bootloader_timer", module=timer)
    soc.comb += [timer.wait.eq(~soc.crg.reset_n), soc.platform.request("rst_n").eq(~timer.done)]


ORANGECRAB_85F = Board(
    name="orangecrab-85f",
    title="OrangeCrab 85F",
    platform=lambda: _platform("85F"),
    size="85k",
    package="CSFBGA285",
    clock="clk48",
    clock_hz=48e6,
    reset="usr_btn",
    dram=MT41K256M16,
    builds={"vexriscv": {"weir": ("orangecrab-85f-full", 54), "weir-lite": ("orangecrab-85f-lite", 64)}},
    loader=("-b", "orangeCrab"),
    leds=lambda soc: soc.platform.request_all("user_led"),
    # the board's layout exchanges the mask bits; commands need delay at clocks of the DRAM up to 128 MHz
    phy_options={"dm_remapping": {0: 1, 1: 0}, "cmd_delay": 100},
    rtt_nom="disabled",  # as litex-boards has it
    edge_clock_bridge=True,
    prepare=_prepare,
)

ORANGECRAB_25F = replace(
    ORANGECRAB_85F,
    name="orangecrab-25f",
    title="OrangeCrab 25F",
    platform=lambda: _platform("25F"),
    size="25k",
    dram=MT41K64M16,
    builds={"vexriscv": {"weir-lite": ("orangecrab-25f-lite", 64)}},
)
