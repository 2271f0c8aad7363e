# SPDX-License-Identifier: Apache-2.0
"""Board: what a target file says of its board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from litedram.common import PhySettings
from litedram.modules import SDRAMModule
from litex.build.generic_platform import GenericPlatform
from litex.soc.integration.soc_core import SoCCore
from migen import Record, Signal

from litex_weir import WeirDesign

CONTROLLERS = ("weir", "weir-lite", "litedram")


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
    builds : CPU -> controller -> name of Weir's config (`./mill hw.run --list`), and the clock of the SoC in MHz; what
        is not there has not been fitted to the board. `weir-lite` is always there, and LiteDRAM has its clock
    loader : options of openFPGALoader
    phy_options : of ECP5DDRPHY
    rtt_nom : what mode register 1 sets RTT_NOM to, in LiteDRAM's words; LiteDRAM's default, 60ohm, where it is None
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
    builds: dict[str, dict[str, tuple[str, int]]]
    loader: tuple[str, ...]
    leds: Callable[[SoCCore], Signal]
    phy_options: dict = field(default_factory=dict)
    rtt_nom: str | None = None
    edge_clock_bridge: bool = False
    prepare: Callable[[SoCCore, Record], None] = lambda soc, pads: None

    speed = "8"

    def build(self, cpu: str, controller: str) -> tuple[str | None, int]:
        """Weir's config, None for LiteDRAM, and the clock in MHz. BoardError when the board has no such build."""
        if controller not in CONTROLLERS:
            raise BoardError(f"CONTROLLER={controller}: there are {', '.join(CONTROLLERS)}")
        if cpu not in self.builds:
            raise BoardError(f"CPU={cpu}: BOARD={self.name} has builds with {', '.join(self.builds)}")
        builds = self.builds[cpu]
        if controller == "litedram":
            return None, builds["weir-lite"][1]
        if controller not in builds:
            raise BoardError(
                f"CONTROLLER={controller}: BOARD={self.name} CPU={cpu} has builds with {', '.join(builds)}, litedram"
            )
        return builds[controller]

    def set_termination(self, phy: PhySettings) -> None:
        """Tell LiteDRAM's initialisation code, by the PHY's settings, what the board has RTT_NOM at."""
        if self.rtt_nom is not None:
            phy.rtt_nom = self.rtt_nom

    def check(self, cpu: str, controller: str, design: WeirDesign | None) -> None:
        """BoardError unless it is the design of the build, takes its clock."""
        config, clock_mhz = self.build(cpu, controller)
        name = design.name if design else None
        if name != config:
            raise BoardError(f"design '{name}': BOARD={self.name} CPU={cpu} CONTROLLER={controller} has '{config}'")
        if design and not design.takes_clock(clock_mhz * 1e6):
            raise BoardError(
                f"design '{name}' was made for {design.clock_hz / 1e6:.2f} MHz, but BOARD={self.name} CPU={cpu} "
                f"CONTROLLER={controller} has a clock of {clock_mhz:.2f} MHz"
            )
