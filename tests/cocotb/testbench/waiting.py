# SPDX-License-Identifier: Apache-2.0
"""How long an access may wait: what the registers in force add up to, by what they mean and not by how Weir is built;
and what breaks that."""

import os

import cocotb
from cocotb.triggers import FallingEdge

from testbench.tb import TB

Values = dict[str, int]  # of fields that software may set, by `register.field`

# The timings of a row cycle in the worst order, and those that the NVM region has beside.
ROW_CYCLE = ("tRC", "tRAS", "tRCD", "tRP", "tFAW", "tWR", "tWTR_L", "tRTP")
NVM_ROW_CYCLE = ("tRC", "tRAS", "tRCD", "tRP", "tWR", "tWTR", "tRTP", "write_latency")
IN_FORCE = 200  # cycles after which what was written is in force everywhere
CATCH_UP = 8 + 8 + 1  # refreshes that may come one after the other: postponed, pulled in, due


def worst(one: Values, other: Values) -> Values:
    """Of two settings what makes an access wait longer, field by field: while registers change one after the other,
    some have their old values and some their new ones."""
    found = {name: max(one[name], other[name]) for name in one}
    return found | {name: min(one[name], other[name]) for name in ("tREFI.value",) if name in one}


class Waiting:
    """Bounds in controller cycles.

    Args:
        tb: what the fields are of that software cannot set
        values: the settings in force
    """

    def __init__(self, tb: TB, values: Values):
        self.tb = tb
        self.values = values
        self.factor = values.get("time_scale.factor", 1)

    def _of(self, register: str, preset: str) -> int:
        return self.values.get(f"{register}.value", self.tb.timing.get(preset, 0))

    def _nvm(self, name: str) -> int:
        on = self.values.get("nvm_control.enable")
        return self.values[f"nvm_{name}.value"] if on else 0

    @property
    def row_cycle(self) -> int:
        """The longest of any rank, at the time scale."""
        dram = sum(self._of(name, name) for name in ROW_CYCLE)
        region = sum(map(self._nvm, NVM_ROW_CYCLE))
        return self.tb.in_cycles(self.factor * max(dram, region))

    @property
    def refresh(self) -> int:
        """A refresh and a calibration, with the rank closed for it."""
        return self.tb.in_cycles(self._of("tRFC", "tRFC") + self._of("tZQCS", "tZQCS")) + self.row_cycle

    @property
    def cap(self) -> int:
        """For a line, by the bandwidth cap of the NVM region."""
        lines = self.values.get("nvm_bandwidth.lines", 0) if self.values.get("nvm_control.enable") else 0
        return -(-self.factor * self.values["nvm_bandwidth.cycles"] // lines) if lines else 0

    @property
    def line(self) -> int:
        """For a line in its turn: a row cycle, and the turn of the bus, in what time refreshes leave over, of which
        there may be four parts in each tREFI; and its share of the cap."""
        interval = self.tb.in_cycles(self._of("tREFI", "tREFI"))
        parts = max(self._of(name, name) for name in ("tRFC", "tRFC2", "tRFC4") if name in self.tb.timing)
        refreshed = self.tb.in_cycles(4 * (parts + self._of("tZQCS", "tZQCS")))
        if 2 * refreshed > interval:
            refreshed = interval // 2  # two row cycles are left in any case
        return 2 * self.row_cycle * interval // (interval - refreshed) + self.cap

    @property
    def returning(self) -> int:
        """From the read command on: the latency of an idle read, at the time scale, and that of the medium."""
        idle = self.tb.config.read_latency + self.tb.config.cl + 16
        return self.factor * (idle + self.tb.in_cycles(self._nvm("read_latency")))

    def all_of(self, lines: int, before: Values) -> int:
        """For all of so many lines, after a change from settings of which waits may be under way."""
        waits = Waiting(self.tb, worst(before, self.values) | {"nvm_bandwidth.lines": 0})
        begun = waits.row_cycle + waits.refresh + waits.returning
        # of lines that gathered four may go at once, and are paid for then
        return IN_FORCE + begun + CATCH_UP * self.refresh + (lines + 4) * self.line + self.returning


def fault(tb: TB) -> None:
    """With WEIR_FAULT=full_bucket the bucket of the bandwidth cap is full when a cap is set, and drains at its pace."""
    if os.environ.get("WEIR_FAULT") != "full_bucket":
        return
    cap = tb.dut.weir.media.cap
    most = (1 << len(cap.held)) - 1

    async def hold() -> None:
        left = 0
        while True:
            await FallingEdge(tb.dut.clock)
            lines = int(cap.lines.value)
            left = max(0, left - lines) if lines else most
            if left:
                cap.held.value = left

    cocotb.start_soon(hold())
