# SPDX-License-Identifier: Apache-2.0
"""What nextpnr's report says of a board: cells used and how fast each clock may be."""

from __future__ import annotations

from dataclasses import dataclass

from tools import ToolError

from litex_weir.design import CLOCK_TOLERANCE
from weir_boards.generate import TOP

CELLS = {"lut": "TRELLIS_COMB", "ff": "TRELLIS_FF", "ebr": "DP16KD"}
SYSTEM_CLOCK = "sys_clk"


@dataclass(frozen=True)
class Clock:
    """MHz that a clock must reach and does."""

    name: str
    target_mhz: float
    fmax_mhz: float

    @property
    def met(self) -> bool:
        return self.fmax_mhz >= self.target_mhz


@dataclass(frozen=True)
class Report:
    """Cells, (used, available) by their names in CELLS, and clocks."""

    cells: dict[str, tuple[int, int]]
    clocks: tuple[Clock, ...]

    @property
    def system(self) -> Clock:
        return next(clock for clock in self.clocks if clock.name == SYSTEM_CLOCK)

    @property
    def met(self) -> bool:
        return all(clock.met for clock in self.clocks)

    def text(self, title: str) -> str:
        """For people."""
        lines = [title, ""]
        for name, (used, available) in self.cells.items():
            lines.append(f"  {name:4} {used:7} of {available:6}  {100 * used / available:5.1f} %")
        lines.append("")
        for clock in self.clocks:
            verdict = "met" if clock.met else "NOT MET"
            lines.append(
                f"  {clock.name:22} target {clock.target_mhz:7.2f} MHz  reached {clock.fmax_mhz:7.2f}  {verdict}"
            )
        return "\n".join(lines) + "\n"


def system_clock_names(netlist: dict) -> frozenset[str]:
    """All names that the SoC's clock has in Yosys' netlist: with the hierarchy flattened nextpnr calls it by any of
    them, such as that of the CPU's input. It is what the clock divider before the PHY puts out. ToolError unless there
    is one."""
    module = netlist.get("modules", {}).get(TOP, {})
    dividers = [cell for cell in module.get("cells", {}).values() if cell["type"] == "CLKDIVF"]
    if len(dividers) != 1:
        raise ToolError(f"the netlist of {TOP} has {len(dividers)} CLKDIVF; one must make {SYSTEM_CLOCK}")
    output = dividers[0]["connections"]["CDIVX"]
    return frozenset(name for name, net in module["netnames"].items() if net["bits"] == output)


def parse(found: dict, clock_mhz: float, clock_names: frozenset[str]) -> Report:
    """Of nextpnr's report as read; the clock of `clock_names` is the SoC's and is called SYSTEM_CLOCK. ToolError when
    the report lacks a cell or the SoC's clock, and when nextpnr did not know that this clock is of `clock_mhz`, as it
    would then have met another target."""
    clocks = []
    for net, row in found.get("fmax", {}).items():
        if isinstance(row, dict) and {"constraint", "achieved"} <= row.keys():
            name = net.removeprefix("$glbnet$")
            called = SYSTEM_CLOCK if name in clock_names else name
            clocks.append(Clock(called, float(row["constraint"]), float(row["achieved"])))
    clocks.sort(key=lambda clock: clock.name)
    system = [clock for clock in clocks if clock.name == SYSTEM_CLOCK]
    if not system:
        names = ", ".join(clock.name for clock in clocks) or "none"
        raise ToolError(f"nextpnr's report has no clock {', '.join(sorted(clock_names))}; it has {names}")
    if abs(system[0].target_mhz - clock_mhz) > clock_mhz * CLOCK_TOLERANCE:
        raise ToolError(
            f"nextpnr took {SYSTEM_CLOCK} for a clock of {system[0].target_mhz} MHz; the SoC's is {clock_mhz} MHz"
        )
    cells = {}
    for name, cell in CELLS.items():
        row = found.get("utilization", {}).get(cell)
        if not isinstance(row, dict) or not {"used", "available"} <= row.keys():
            raise ToolError(f"nextpnr's report has no utilization of {cell}")
        cells[name] = (int(row["used"]), int(row["available"]))
    return Report(cells, tuple(clocks))
