# SPDX-License-Identifier: Apache-2.0
"""Where addresses go in DRAM by the maps that have a name."""

from testbench import TB, test
from testbench.dfi import Kind
from testbench.maps import CHOOSABLE, NAMED, number
from testbench.placing import expect_at_its_place


@test(map=list(CHOOSABLE))
async def every_address_bit_goes_to_its_place(tb: TB, map):
    tb.dfi.start()
    await tb.registers.write("address_map", number(map))
    last = tb.config.memory_bytes - 1
    for offset in [0, last] + [1 << bit for bit in range(last.bit_length())]:
        for each in (offset, last ^ offset):
            await expect_at_its_place(tb, tb.config.base + each, CHOOSABLE[map](tb.config, each))


@test()
async def every_address_bit_goes_to_its_place_after_reset(tb: TB):
    tb.dfi.start()
    for bit in range((tb.config.memory_bytes - 1).bit_length()):
        await expect_at_its_place(tb, tb.config.base + (1 << bit), NAMED[tb.config.map](tb.config, 1 << bit))


@test(map=list(CHOOSABLE))
async def addresses_by_chance_go_to_their_places(tb: TB, map):
    tb.dfi.start()
    await tb.registers.write("address_map", number(map))
    for _ in range(40):
        address = tb.address(1)
        await expect_at_its_place(tb, address, tb.config.place(address, map))


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
