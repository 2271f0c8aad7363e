# SPDX-License-Identifier: Apache-2.0
"""Refresh policies by name, changes of them while accesses go on, and what breaks their limit."""

import os
from itertools import pairwise

import cocotb
from cocotb.triggers import FallingEdge

from testbench.dfi import Command, Kind
from testbench.tb import TB
from testbench.traffic import PROFILES, Traffic

# Codes of refresh_policy. The first four are any DRAM's, the next two DDR4's, the last two no real part's.
DEFER_UNTIL_EMPTY, ELASTIC, STAGGERED, SIMULTANEOUS, FINE, ADAPTIVE, PAUSING, NONE = range(8)
WHOLE = (DEFER_UNTIL_EMPTY, ELASTIC, STAGGERED, SIMULTANEOUS)


def short(tb: TB, parts: int = 1) -> int:
    """Cycles of a short tREFI: a fourth of the part's, of a rank of DDR5 a half, or what leaves time for two row cycles
    between refreshes in so many parts, and for the refreshes of other sets of banks, each with a row cycle before."""
    row_cycle = sum(tb.timing[name] for name in ("tRC", "tRAS", "tRCD", "tRP", "tFAW", "tWR", "tWTR_L", "tRTP"))
    least = parts * (tb.timing["tRFC"] + tb.timing.get("tZQCS", 0) + 2 * row_cycle)
    if tb.config.refreshes_sets:
        least = tb.config.ranks * (tb.timing["tRFC"] + row_cycle) + 2 * row_cycle
    return max(2 * tb.in_cycles(tb.timing["tREFI"]) // tb.config.most_postponed + 1, tb.in_cycles(least))


async def shorten(tb: TB, parts: int = 1) -> None:
    """Programs a short tREFI."""
    await tb.registers.write("tREFI", short(tb, parts) * tb.config.phases)


def refreshes(tb: TB, rank: int, since: int = 0) -> list[Command]:
    return tb.dfi.of(Kind.REFRESH, rank=rank, since=since)


def gaps(commands: list[Command]) -> list[int]:
    return [late.cycle - early.cycle for early, late in pairwise(commands)]


def is_part(tb: TB, command: Command) -> bool:
    """Whether a refresh is marked as one of a finer granularity: BG0 of DDR4, BA0 where there are no bank groups, and
    where groups of banks refresh apart."""
    config = tb.config
    ddr4 = config.part.startswith("MT40A")
    bit = config.banks // config.bank_groups if ddr4 and config.refresh_groups == 1 else 1
    return bool(command.bank_pins & bit)


async def change_at_random(tb: TB, policies: tuple[int, ...], granularities: tuple[int, ...], changes: int) -> None:
    """Writes the registers of the refresh policies by chance, while accesses come and pause; the DRAM judges it."""
    random, registers = tb.random, tb.registers
    interval = tb.in_cycles(tb.timing["tREFI"])
    longest = await registers.read("tREFI")
    traffic = {name: Traffic(tb.config, profile, random) for name, profile in PROFILES.items()}
    for _ in range(changes):
        for name, values in (
            ("refresh_policy", policies),
            ("refresh_granularity", granularities),
            ("refresh_postpone", range(1, tb.config.most_postponed + 1)),
            ("refresh_pull_in", range(tb.config.most_postponed + 1)),
            ("refresh_idle", (1, 2, 8, 40)),
            ("refresh_drain_ahead", (0, 30, 200)),
            ("tREFI", (longest, short(tb, 1 << max(granularities)) * tb.config.phases)),
        ):
            if random.random() < 0.5:
                await registers.write(name, random.choice(values))
        if random.random() < 0.7:
            await random.choice(list(traffic.values())).run(tb.port, random.randrange(30), 8)
        else:
            await tb.answered()
            await tb.cycles(random.randrange(interval))
    await tb.answered()


def fault(tb: TB) -> None:
    """From now on, with WEIR_FAULT=unforced no rank is known to have reached the limit of postponing, with
    WEIR_FAULT=second_turn no set of banks to have had its refresh."""
    refresher = tb.dut.weir.channels_0.refresher
    name = os.environ.get("WEIR_FAULT")
    if name == "unforced":
        held = [getattr(refresher, f"debts_{rank}").forced for rank in range(tb.config.ranks)]
    elif name == "second_turn":
        held = [refresher.done]
    else:
        return

    async def hold() -> None:
        while True:
            await FallingEdge(tb.dut.clock)
            for register in held:
                register.value = 0

    cocotb.start_soon(hold())
