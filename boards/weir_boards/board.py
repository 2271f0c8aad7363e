# SPDX-License-Identifier: Apache-2.0
"""Board: what a target file says of its board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from litedram.modules import SDRAMModule
from litex.build.generic_platform import GenericPlatform
from litex.soc.integration.soc_core import SoCCore
from migen import Record, Signal

CONTROLLERS = ("weir", "litedram")


class BoardError(ValueError):
    """There is no such board, CPU or controller, or a design does not fit; the message says what there is."""


@dataclass(frozen=True)
class Board:
    """An ECP5 board with one x16 DDR3 chip, or two x8 in step.

    Attributes
    ----------
    name : as `make bitstream BOARD=` has it
    title : as its maker calls it
    platform : makes litex-boards' platform, with a `serial` among its pins
    size, package : of the ECP5, as nextpnr's options have them
    clock, clock_hz : pin and frequency of the oscillator
    reset : pin of a reset button, low when pressed
    dram : the DRAM, in LiteDRAM's terms
    builds : CPU -> name of Weir's config (`./mill hw.run --list`), and the clock of the SoC in MHz, LiteDRAM's too;
        what is not there has not been fitted to the board
    loader : options of openFPGALoader
    phy_options : of ECP5DDRPHY
    edge_clock_bridge : whether the DRAM's pins lie on the other side of the PLL and its clock takes an ECLKBRIDGECS
    leds : the LEDs that show that the SoC runs, given the SoC
    prepare : connects what the board's pins want beside, given the SoC and the DRAM's pins
    """

    name: str
    title: str
    platform: Callable[[], GenericPlatform]
    size: str
    package: str
    clock: str
    clock_hz: float
    reset: str
    dram: type[SDRAMModule]
    builds: dict[str, tuple[str, int]]
    loader: tuple[str, ...]
    leds: Callable[[SoCCore], Signal]
    phy_options: dict = field(default_factory=dict)
    edge_clock_bridge: bool = False
    prepare: Callable[[SoCCore, Record], None] = lambda soc, pads: None

    speed = "8"

    def build(self, cpu: str, controller: str) -> tuple[str | None, int]:
        """Weir's config, None for LiteDRAM, and the clock in MHz. BoardError when the board has no such build."""
        if controller not in CONTROLLERS:
            raise BoardError(f"CONTROLLER={controller}: there are {', '.join(CONTROLLERS)}")
        if cpu not in self.builds:
            raise BoardError(f"CPU={cpu}: BOARD={self.name} has builds with {', '.join(self.builds)}")
        config, clock_mhz = self.builds[cpu]
        return (config if controller == "weir" else None), clock_mhz
