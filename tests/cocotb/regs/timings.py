# SPDX-License-Identifier: Apache-2.0
"""A timing that software makes longer shows on the DFI, and the part's own comes back with it."""

from itertools import pairwise

from testbench import TB, test
from testbench.dfi import Kind
from testbench.distances import names, nearest

LONGER = 24  # clocks
IN_FORCE = 31  # cycles after which a timing that was written is in force at the latest


async def exercise(tb: TB) -> dict[str, int]:
    """Traffic that brings all kinds of commands as near to each other as they may come: their least distances."""
    config = tb.config
    since = len(tb.dfi.commands)
    lines = config.row_bytes // config.line_bytes
    for number in range(240):
        few = number % 60 < 40  # row conflicts in two banks of each rank, else all over the banks
        bank = tb.random.randrange(2 if few else config.banks)
        row = tb.random.randrange(3 if few else 1 << config.row_bits)
        offset = tb.random.randrange(lines) * config.line_bytes
        line = tb.line(config.address(tb.random.randrange(config.ranks), bank, row, offset), id=number % 2)
        if tb.random.random() < 0.4:
            tb.port.write(line, tb.bytes(line.length))
        else:
            tb.port.read(line)
        await tb.port.room(40)
    await tb.quiet()
    return nearest(tb.dfi.commands[since:], config)


@test()
async def every_timing_can_be_made_longer(tb: TB):
    await tb.registers.write("water_marks", 2)  # high 2, low 0: many turns between reads and writes
    tb.dfi.start()
    before = await exercise(tb)
    for name in names(tb.config):
        preset = tb.timing[name]
        assert preset <= before[name] < preset + LONGER, f"{name}: {before[name]} with the preset of {preset}"
        await tb.registers.write(name, preset + LONGER)
        assert await tb.registers.read(name) == preset + LONGER
        await tb.cycles(IN_FORCE)
        longer = await exercise(tb)
        await tb.registers.write(name, preset)
        assert longer[name] >= preset + LONGER, f"{name}: {longer[name]} with {preset + LONGER} programmed"
    after = await exercise(tb)
    for name in names(tb.config):
        assert tb.timing[name] <= after[name] < tb.timing[name] + LONGER, f"{name}: {after[name]} with the preset again"


@test()
async def each_timing_takes_its_limits_and_each_of_its_bits(tb: TB):
    """The time scale too. One after the other, as far as that goes with the others as after reset; accesses go on."""
    policies = tb.registers.policies
    for name, field in policies.fields.items():
        if not field.timing and name != "time_scale.factor":
            continue
        tried = {field.minimum, field.maximum, *(1 << bit for bit in range(field.width))}
        tried |= {field.maximum ^ 1 << bit for bit in range(field.width)}
        for value in sorted(tried):
            if field.minimum <= value <= field.maximum and policies.possible(policies.resets | {name: value}):
                await tb.registers.write(name, value)
                assert await tb.registers.read(name) == value
                await tb.cycles(IN_FORCE)
                await tb.write_and_read(tb.line(tb.address(tb.config.line_bytes, align=tb.config.line_bytes)))
        await tb.registers.write(name, field.reset)


@test()
async def refresh_and_calibration_can_be_made_longer(tb: TB):
    """tRFC and tZQCS: the first activate after them comes that much later."""
    config, preset = tb.config, tb.timing
    tb.dfi.start()
    await tb.registers.write("refresh_postpone", 1)
    await tb.registers.write("zqInterval", 2)

    async def shortest() -> dict[Kind, int]:
        """Clocks from refreshes and calibrations to the next command of the rank, while row conflicts wait for it."""
        since = len(tb.dfi.commands)
        until = tb.cycle + 5 * tb.in_cycles(preset["tREFI"])
        while tb.cycle < until:
            tb.port.read(tb.line(config.address(row=tb.random.randrange(64))))
            await tb.port.room(4)
        await tb.answered()
        commands = [command for command in tb.dfi.commands[since:] if command.rank == 0]
        found: dict[Kind, int] = {}
        for early, late in pairwise(commands):
            if early.kind in (Kind.REFRESH, Kind.CALIBRATE):
                found[early.kind] = min(late.clock - early.clock, found.get(early.kind, 1 << 30))
        return found

    def in_range(found: dict[Kind, int], refresh: int, calibrate: int) -> bool:
        slack = 8 + 4 * config.phases
        return 0 <= found[Kind.REFRESH] - refresh < slack and 0 <= found[Kind.CALIBRATE] - calibrate < slack

    before = await shortest()
    assert in_range(before, preset["tRFC"], preset["tZQCS"]), before
    await tb.registers.write("tRFC", preset["tRFC"] + 100)
    await tb.registers.write("tZQCS", preset["tZQCS"] + 60)
    await tb.cycles(IN_FORCE)
    longer = await shortest()
    assert in_range(longer, preset["tRFC"] + 100, preset["tZQCS"] + 60), longer
