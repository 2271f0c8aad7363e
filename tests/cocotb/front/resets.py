# SPDX-License-Identifier: Apache-2.0
"""Reset in the middle of everything."""

from testbench import TB, test
from testbench.traffic import PROFILES, Traffic


@test()
async def after_reset_in_the_middle_of_bursts_all_works_and_nothing_old_is_answered(tb: TB):
    """Whatever was under way is gone; what had gone to DRAM is still there."""
    safe = tb.config.address(row=1)
    await tb.fill(safe, 1024)
    await tb.quiet()
    for _ in range(8):
        drained = tb.cycle
        traffic = Traffic(tb.config, PROFILES["spread"], tb.random)
        traffic.pieces = [piece for piece in traffic.pieces if not safe <= piece < safe + 4096]
        await traffic.run(tb.port, tb.random.randint(5, 60), 30)
        await tb.cycles(tb.random.randint(0, 60))
        await tb.reset(drained)
        for offset in range(0, 1024, 256):
            tb.port.read(tb.burst(safe + offset, max(1, 256 // tb.config.data_bytes)))
        await tb.answered()
        await tb.write_and_read(tb.burst(tb.address(64, align=64), 1))
        await tb.quiet()


@test()
async def registers_return_to_their_reset_values(tb: TB):
    high = tb.config.high_water_mark
    assert await tb.registers.read("water_marks.high") == high
    await tb.registers.write("water_marks.high", high - 1)
    await tb.registers.write("age_limit", 99)
    assert await tb.registers.read("water_marks.high") == high - 1
    await tb.reset(tb.cycle)
    assert await tb.registers.read("water_marks.high") == high
    assert await tb.registers.read("age_limit") == tb.config.age_limit
