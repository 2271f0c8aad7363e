# SPDX-License-Identifier: Apache-2.0
"""Reads of a rank that drains, as seen on the DFI: whether they wait for the end of the drain or go ahead.

What going ahead must do is looked for without it, too, and must not be found there.
"""

from channel.starvation import (
    expect_a_read_among_endless_writes_in_time,
    expect_a_write_among_endless_reads_in_time,
)
from channel.water_marks import AT_HIGH_MARK, PATIENCE, set_marks
from testbench import TB, test
from testbench.dfi import Command, Kind

AHEAD = 16  # the bit of drain_policy
WRITES = 8
WRITTEN, OTHER = 1, 2  # banks
READ_ROW = 20


async def read_into_a_drain(tb: TB, policy: int, high: int, bank: int) -> list[Command]:
    """Activates and column commands of a rank: of writes that drain, each to another row of one bank, and of a read
    that comes when the first of them has gone."""
    config = tb.config
    rank = config.ranks - 1
    await tb.registers.write("age_limit", 4095)
    await tb.registers.write("drain_policy", policy)
    await set_marks(tb, high, 0)
    tb.dfi.start()
    await tb.refreshed(rank)
    since = tb.cycle
    for row in range(WRITES):
        address = config.address(rank=rank, bank=WRITTEN, row=row)
        tb.port.write(tb.line(address), tb.bytes(config.line_bytes))
    await tb.dfi.until(lambda command: command.kind == Kind.WRITE, PATIENCE)
    await tb.port.read(tb.line(config.address(rank=rank, bank=bank, row=READ_ROW), id=1))
    await tb.cycles(PATIENCE)
    commands = tb.dfi.of(Kind.ACTIVATE, Kind.READ, Kind.WRITE, rank=rank, since=since)
    assert sum(command.kind == Kind.WRITE for command in commands) == WRITES
    return commands


def writes_before(commands: list[Command], kind: Kind, bank: int) -> int:
    """Writes that went before the read, or its activate."""
    (at,) = (
        number
        for number, command in enumerate(commands)
        if (command.kind, command.bank) == (kind, bank) and (kind == Kind.READ or command.row == READ_ROW)
    )
    return sum(command.kind == Kind.WRITE for command in commands[:at])


@test(policy=[0, AHEAD])
async def a_read_ends_a_drain_that_want_of_reads_began(tb: TB, policy):
    commands = await read_into_a_drain(tb, policy, high=tb.config.write_queue, bank=OTHER)
    before = writes_before(commands, Kind.READ, OTHER)
    assert (before < WRITES) == bool(policy & AHEAD), f"{before} of {WRITES} writes went before the read"


@test(policy=[AT_HIGH_MARK, AT_HIGH_MARK | AHEAD], bank=[WRITTEN, OTHER])
async def a_row_opens_for_a_read_during_a_drain_that_must_be(tb: TB, policy, bank):
    """But not in a bank for which a write waits."""
    commands = await read_into_a_drain(tb, policy, high=WRITES // 2, bank=bank)
    assert writes_before(commands, Kind.READ, bank) == WRITES, "the read ended the drain"
    before = writes_before(commands, Kind.ACTIVATE, bank)
    meanwhile = bank == OTHER and bool(policy & AHEAD)
    assert (before < WRITES) == meanwhile, f"{before} of {WRITES} writes went before the activate"


@test()
async def a_write_among_endless_reads(tb: TB):
    """That go ahead of it."""
    await tb.registers.write("drain_policy", AHEAD)
    await expect_a_write_among_endless_reads_in_time(tb)


@test()
async def a_read_among_endless_writes(tb: TB):
    await tb.registers.write("drain_policy", AHEAD)
    await expect_a_read_among_endless_writes_in_time(tb)
