# SPDX-License-Identifier: Apache-2.0
"""Time scaling: what sets it, how long idle reads take, and what breaks it on purpose."""

import os
from dataclasses import dataclass

import cocotb
from cocotb.triggers import FallingEdge

from testbench.axi import Read
from testbench.tb import TB

FACTORS = (1, 2, 4, 16)
IN_FORCE = 100  # cycles after which a factor that was written is in force everywhere


async def scale(tb: TB, factor: int, slow: bool = False) -> None:
    """Sets the factor, of a DRAM that is so much slower itself or of one that is not; waits until it is in force."""
    await tb.registers.write("time_scale", factor | slow << 8)
    tb.hang = TB.hang * factor
    tb.factor, tb.slow_memory = factor, slow
    await tb.cycles(IN_FORCE)


def first_beat(read: Read) -> int:
    """Cycles from the handshake of AR to the first beat of R."""
    return read.first - read.begun


@dataclass
class Latencies:
    """Of reads of an idle bank, in cycles: of its open row, with no row open, with another row open."""

    hit: int
    closed: int
    conflict: int


async def latencies(tb: TB) -> Latencies:
    """Those of a bank of rank 0. Its refreshes must not come in between: they are waited for."""
    config = tb.config

    async def read(row: int, column: int) -> int:
        address = config.address(bank=1, row=row, offset=column * config.block_bytes)
        cycles = first_beat(await tb.port.read(tb.line(address)))
        await tb.cycles(idle)
        return cycles

    # longer than any bank waits for its precharge
    idle = tb.factor * tb.in_cycles(tb.timing["tRC"]) + 20
    await tb.refreshed()
    return Latencies(closed=await read(1, 0), hit=await read(1, 1), conflict=await read(2, 0))


def expect_scaled(tb: TB, factor: int, once: Latencies, scaled: Latencies) -> None:
    """An open row takes exactly so many times as long; each of the DRAM's times in between is that much longer but for
    the rounding to cycles: to those of the factor 1, and to those of the DRAM's clocks."""
    phases = tb.config.phases
    assert scaled.hit == factor * once.hit, f"a hit takes {scaled.hit} cycles at {factor}, {once.hit} at 1"
    for name, timings in (("closed", ["tRCD"]), ("conflict", ["tRP", "tRCD"])):
        longer, single = getattr(scaled, name), getattr(once, name)
        assert abs(longer - factor * single) <= factor * len(timings), f"{name}: {longer} at {factor}, {single} at 1"
        # commands stand in phases, whose distance from one another is not scaled
        beyond = (longer - scaled.hit) * phases - factor * sum(tb.timing[timing] for timing in timings)
        assert -phases < beyond / len(timings) < 2 * phases, f"{name} at {factor}: {beyond} clocks too many"


def fault(tb: TB) -> None:
    """Breaks the scaling in the way that the environment names, from now on: a register of it is as with factor 1."""
    name = os.environ.get("WEIR_FAULT", "none")
    if name == "none":
        return
    kind, _, register = name.partition(".")
    room = {"constraint": "table_0.scaled", "delay": "returning.delay_delay"}[kind]
    handle = tb.dut.weir.channels_0
    for part in (*room.split("."), register):
        handle = getattr(handle, part)
    value = int(handle.value)

    async def hold() -> None:
        while True:
            await FallingEdge(tb.dut.clock)
            handle.value = value

    cocotb.start_soon(hold())
