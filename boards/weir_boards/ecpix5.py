# SPDX-License-Identifier: Apache-2.0
"""LambdaConcept ECPIX-5: LFE5UM5G-85F, 512 MiB of DDR3 (one x16 MT41K256M16), UART on the second port of its USB."""

from litedram.modules import MT41K256M16
from litex_boards.platforms.lambdaconcept_ecpix5 import Platform
from migen import Cat

from weir_boards.board import Board


def _leds(soc):
    """Red of the four RGB LEDs; green and blue, lit by a 0, stay dark."""
    leds = [soc.platform.request("rgb_led", number) for number in range(4)]
    soc.comb += [colour.eq(1) for led in leds for colour in (led.g, led.b)]
    return Cat(*[led.r for led in leds])


ECPIX5 = Board(
    name="ecpix5",
    title="ECPIX-5 (85F)",
    platform=lambda: Platform(device="85F", toolchain="trellis"),
    size="um5g-85k",
    package="CABGA554",
    clock="clk100",
    clock_hz=100e6,
    reset="rst_n",
    dram=MT41K256M16,
    builds={
        "vexriscv": {"weir": ("ecpix5-full", 66), "weir-lite": ("ecpix5-lite", 100)},
        "rocket": {"weir": ("ecpix5-rocket-full", 40), "weir-lite": ("ecpix5-rocket-lite", 40)},
    },
    loader=("-b", "ecpix5"),
    leds=_leds,
)
