# SPDX-License-Identifier: Apache-2.0
"""Refreshes at extended temperature: the DRAM model asks for them twice as often, as the chips do above 85 C."""

from testbench import TB, test
from testbench.traffic import conflicts_without_pause


@test()
async def half_the_interval_keeps_the_dram(tb: TB):
    """With tREFI programmed to its half, refreshes come in time for thirty such intervals, ten of them under load.

    The first refresh of a rank still comes after a whole interval: Weir may postpone fewer than the DRAM lets it.
    """
    await tb.registers.write("refresh_postpone", 4)
    half = tb.timing["tREFI"] // 2 // tb.config.phases * tb.config.phases
    await tb.registers.write("tREFI", half)
    interval = tb.in_cycles(half)
    await tb.cycles(10 * interval)
    async with conflicts_without_pause(tb):
        await tb.cycles(10 * interval)
    await tb.quiet()
    await tb.cycles(10 * interval)
