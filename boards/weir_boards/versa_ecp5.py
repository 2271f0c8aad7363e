# SPDX-License-Identifier: Apache-2.0
"""Lattice ECP5-5G Versa: LFE5UM5G-45F, 128 MiB of DDR3 (one x16 MT41K64M16), UART on the second port of its USB."""

from litedram.modules import MT41K64M16
from litex_boards.platforms.lattice_versa_ecp5 import Platform

from weir_boards.board import Board

VERSA_ECP5 = Board(
    name="versa_ecp5",
    title="ECP5-5G Versa",
    platform=lambda: Platform(device="LFE5UM5G", toolchain="trellis"),
    size="um5g-45k",
    package="CABGA381",
    clock="clk100",
    clock_hz=100e6,
    reset="rst_n",
    dram=MT41K64M16,
    builds={"vexriscv": {"weir-lite": ("versa_ecp5-lite", 90)}},
    loader=("-c", "ft2232"),
    leds=lambda soc: soc.platform.request_all("user_led"),
)
