# SPDX-License-Identifier: Apache-2.0
"""Where addresses go in DRAM: row above rank above bank above column."""

from testbench import TB, test
from testbench.dfi import Kind


async def expect_at_its_place(tb: TB, address: int) -> None:
    """Reads a line and finds the read command, and the activate before it, where the map says."""
    rank, bank, row, column = tb.config.place(address)
    since = tb.cycle
    await tb.port.read(tb.line(address // tb.config.line_bytes * tb.config.line_bytes))
    (read,) = tb.dfi.of(Kind.READ, since=since)
    assert (read.rank, read.bank, read.column) == (rank, bank, column), f"{address:#x} was read by {read}"
    activates = [each for each in tb.dfi.of(Kind.ACTIVATE, rank=rank) if each.bank == bank]
    assert activates[-1].row == row, f"{address:#x} was read from row {activates[-1].row}, not {row}"


@test()
async def every_address_bit_goes_to_its_place(tb: TB):
    tb.dfi.start()
    last = tb.config.memory_bytes - 1
    for offset in [0, last] + [1 << bit for bit in range(last.bit_length())]:
        await expect_at_its_place(tb, tb.config.base + offset)
        await expect_at_its_place(tb, tb.config.base + (last ^ offset))


@test()
async def addresses_by_chance_go_to_their_places(tb: TB):
    tb.dfi.start()
    for _ in range(60):
        await expect_at_its_place(tb, tb.address(1))


@test()
async def the_lines_of_a_row_follow_each_other_in_one_bank(tb: TB):
    """A stream over one row is a single activate, and the next row lies in another bank."""
    tb.dfi.start()
    await tb.refreshed()
    config = tb.config
    start = config.address(bank=1, row=2)
    since = tb.cycle
    for offset in range(0, min(1024, config.row_bytes), 256):
        tb.port.read(tb.burst(start + offset, max(1, 256 // config.data_bytes)))
    await tb.answered()
    assert len(tb.dfi.of(Kind.ACTIVATE, since=since)) == 1
    since = tb.cycle
    await tb.port.read(tb.line(start + config.row_bytes))
    (activate,) = tb.dfi.of(Kind.ACTIVATE, since=since)
    assert (activate.bank, activate.row) == (2, 2)
