# SPDX-License-Identifier: Apache-2.0
"""The NVM region: its times as the papers have them, how near to each other its commands come, and what breaks it."""

import os
from collections.abc import Iterable
from decimal import ROUND_CEILING, Decimal

import cocotb
from cocotb.triggers import FallingEdge

from testbench.dfi import Command, Kind
from testbench.tb import TB

# The columns and rows of the papers' tables, with the clock in which these are, in nanoseconds.
_RAINBOW = Decimal("1.5")  # Table IV: 10.7 GB/s are 667 MHz on 8 bytes; tCAS-tRCD-tRP-tRAS of PCM 9-37-100-53
_RANK_ASSIGNMENT = Decimal("1.25")  # Table II: 1600 Mbps; DRAM/PCM
_MEDIA = {
    "pcm-rainbow": {
        "tRCD": 37 * _RAINBOW,
        "tRP": 100 * _RAINBOW,
        "tRAS": 53 * _RAINBOW,
        "tRC": (53 + 100) * _RAINBOW,
        "read_latency": Decimal("19.5") - Decimal("13.5"),
        "write_latency": Decimal(171),
    },
    "pcm-rank-assignment": {
        "tRC": 55 * _RANK_ASSIGNMENT,
        "tRAS": 45 * _RANK_ASSIGNMENT,
        "tWR": 100 * _RANK_ASSIGNMENT,
        "tRCD": 11 * _RANK_ASSIGNMENT,
        "tRP": 11 * _RANK_ASSIGNMENT,
        "tRTP": 6 * _RANK_ASSIGNMENT,
        "tWTR": 6 * _RANK_ASSIGNMENT,
    },
}
ROW_AND_COLUMN = (Kind.ACTIVATE, Kind.READ, Kind.WRITE, Kind.PRECHARGE)
# Registers of the times, with the DRAM's timing that they may not go below.
TIMES = {
    "tRCD": "tRCD",
    "tRP": "tRP",
    "tRAS": "tRAS",
    "tRC": "tRC",
    "tRTP": "tRTP",
    "tWR": "tWR",
    "tWTR": "tWTR_L",
    "read_latency": None,
    "write_latency": None,
}


def dram(tb: TB) -> dict[str, int]:
    """The DRAM's times under the names of the region's, in clocks."""
    return {name: tb.timing[least] if least else 0 for name, least in TIMES.items()}


def clocks(tb: TB) -> dict[str, int]:
    """The times of the config's medium in clocks: rounded up, and never shorter than the DRAM's."""
    medium = _MEDIA[tb.config.nvm_medium]

    def whole(name: str) -> int:
        return int((medium.get(name, Decimal(0)) * 1000 / tb.config.clock_ps).to_integral_value(ROUND_CEILING))

    return {name: max(whole(name), least) for name, least in dram(tb).items()}


def nearest(commands: Iterable[Command], tb: TB, rank: int) -> dict[str, int]:
    """How near to each other commands of a rank came, in clocks, by the time that keeps them apart.

    What a precharge of all banks does before a refresh is not seen: the region has none. `write_latency` is from a
    write to the next command of its bank, `write_to_activate` and `read_to_activate` to the activate of its next row.
    """
    found: dict[str, int] = {}
    last: dict[tuple[Kind, int], Command] = {}
    last_write: Command | None = None

    def see(name: str, kind: Kind, bank: int, clock: int, less: int = 0) -> None:
        if early := last.get((kind, bank)):
            distance = clock - early.clock - less
            found[name] = min(distance, found.get(name, distance))

    written = tb.config.cwl + tb.config.burst_clocks
    for command in commands:
        if command.rank != rank or command.kind not in ROW_AND_COLUMN or _closes_all(command):
            continue
        bank, clock = command.bank, command.clock
        see("write_latency", Kind.WRITE, bank, clock)
        if command.kind == Kind.ACTIVATE:
            see("tRC", Kind.ACTIVATE, bank, clock)
            see("tRP", Kind.PRECHARGE, bank, clock)
            see("write_to_activate", Kind.WRITE, bank, clock)
            see("read_to_activate", Kind.READ, bank, clock)
            for kind in (Kind.PRECHARGE, Kind.READ, Kind.WRITE):
                last.pop((kind, bank), None)
        elif command.kind == Kind.PRECHARGE:
            see("tRAS", Kind.ACTIVATE, bank, clock)
            see("tRTP", Kind.READ, bank, clock)
            see("tWR", Kind.WRITE, bank, clock, less=written)
        else:
            see("tRCD", Kind.ACTIVATE, bank, clock)
            if command.kind == Kind.READ and last_write:
                distance = clock - last_write.clock - written
                found["tWTR"] = min(distance, found.get("tWTR", distance))
            if command.kind == Kind.WRITE:
                last_write = command
        last[command.kind, bank] = command
    return found


def _closes_all(command: Command) -> bool:
    return command.kind == Kind.PRECHARGE and command.all_banks


# Registers inside of Weir that fault() breaks.
_ROOMS = {"constraint": ("channels_0", "table_0", "scaled"), "cap": ("media", "cap"), "delay": ("media",)}


def fault(tb: TB) -> None:
    """Breaks the region in the way that the environment names, from now on: a register inside of Weir is less than it
    should be, a constraint that of DRAM, a count by one."""
    name = os.environ.get("WEIR_FAULT", "none")
    if name == "none":
        return
    room, _, register = name.partition(".")
    handle = tb.dut.weir
    for part in _ROOMS[room]:
        handle = getattr(handle, part)
    broken = getattr(handle, register)
    right = None
    if room == "constraint":
        assert register.startswith("emulated"), f"{register} is no constraint of the region"
        of_dram = register.removeprefix("emulated")
        right = getattr(handle, of_dram[0].lower() + of_dram[1:])

    async def hold() -> None:
        held = None
        while True:
            await FallingEdge(tb.dut.clock)
            value = int(broken.value)
            if right is not None:
                broken.value = int(right.value)
            elif value not in (0, held):
                held = value - 1
                broken.value = held

    cocotb.start_soon(hold())
