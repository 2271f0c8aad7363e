# SPDX-License-Identifier: Apache-2.0
"""The address map in registers: what software reads of the one in force, what it may put in force, and what not."""

from cocotbext.axi.constants import AxiResp
from testbench import TB, test
from testbench.mapping import choose, in_force, place_by, random_masks, read_masks, write_masks
from testbench.maps import NAMED, PROGRAMMABLE, choosable, number, of_masks
from testbench.placing import expect_at_its_place

NOT_ONE_TO_ONE = 7
BELOW_MINIMUM, ABOVE_MAXIMUM, ABSENT = 4, 5, 2


def offsets(tb: TB, count: int) -> list[int]:
    """Every address bit alone, and addresses by chance."""
    bits = tb.config.memory_bytes.bit_length() - 1
    return [1 << bit for bit in range(bits)] + [tb.random.getrandbits(bits) for _ in range(count)]


@test()
async def the_masks_in_force_tell_where_every_line_lies(tb: TB):
    for name, code in choosable(tb.config).items():
        assert await choose(tb, code) == AxiResp.OKAY
        assert await tb.registers.read("address_map") == code
        masks = await in_force(tb)
        for offset in offsets(tb, 200):
            assert place_by(tb, masks, offset) == NAMED[name](tb.config, offset), f"{name}, {offset:#x}"


@test()
async def column_bits_below_a_line_choose_its_beat(tb: TB):
    masks = await in_force(tb)
    width = tb.config.dq_bits // 8
    assert masks["column"][:3] == [width, 2 * width, 4 * width]


@test()
async def masks_by_chance_put_lines_where_they_say(tb: TB):
    """As seen on the DFI, and as read from the registers."""
    tb.dfi.start()
    for _ in range(4):
        masks = random_masks(tb)
        await write_masks(tb, masks)
        assert await choose(tb, PROGRAMMABLE) == AxiResp.OKAY, [hex(mask) for mask in masks]
        place = of_masks(tb.config, masks)
        shown = await in_force(tb)
        for offset in offsets(tb, 100):
            assert place_by(tb, shown, offset) == place(offset), hex(offset)
        for _ in range(15):
            address = tb.address(1)
            await expect_at_its_place(tb, address, place(address - tb.config.base))


@test()
async def masks_are_in_force_only_once_the_map_is_chosen(tb: TB):
    before = await in_force(tb)
    masks = random_masks(tb)
    await write_masks(tb, masks)
    assert await read_masks(tb) == masks
    assert await in_force(tb) == before
    assert await choose(tb, PROGRAMMABLE) == AxiResp.OKAY
    after = await in_force(tb)
    assert after != before
    # nor do they change the map that was made of them before
    await write_masks(tb, random_masks(tb))
    assert await in_force(tb) == after


@test()
async def masks_that_are_not_one_to_one_are_refused(tb: TB):
    """And leave everything as it was: the map in force, the map that is named, and the masks."""
    tb.dfi.start()
    start = random_masks(tb)
    await write_masks(tb, start)
    for current in (3, PROGRAMMABLE):
        assert await choose(tb, current) == AxiResp.OKAY
        before = await in_force(tb)
        for _ in range(6):
            masks = random_masks(tb, one_to_one=False)
            await write_masks(tb, masks)
            assert await choose(tb, PROGRAMMABLE) == AxiResp.SLVERR, [hex(mask) for mask in masks]
            assert await tb.registers.read("error.cause") == NOT_ONE_TO_ONE
            assert await tb.registers.read("error.address") == tb.registers.offset("address_map")
            await tb.registers.write("error", 1)
            assert await tb.registers.read("address_map") == current
            assert await in_force(tb) == before
            assert await read_masks(tb) == masks
            address = tb.address(1)
            await expect_at_its_place(tb, address, place_by(tb, before, address - tb.config.base))
        await write_masks(tb, start)


@test()
async def every_mask_must_lie_within_the_lines_of_memory(tb: TB):
    config = tb.config
    line, top = config.line_bytes.bit_length() - 1, config.memory_bytes.bit_length() - 1
    for name in [name for name in tb.registers.nodes if name.startswith("mask_") and name.endswith("_low")]:
        before = await tb.registers.read(name)
        for bit in {0, line - 1, top, 31} - set(range(line, top)):
            assert await tb.registers.try_write(name, 1 << bit) == AxiResp.SLVERR, f"bit {bit} of {name}"
            assert await tb.registers.read("error.cause") == ABOVE_MAXIMUM
            await tb.registers.write("error", 1)
        assert await tb.registers.read(name) == before
        await tb.registers.write(name, 1 << line | 1 << min(top, 32) - 1)


@test()
async def a_map_that_there_is_not_is_refused(tb: TB):
    assert await choose(tb, max(PROGRAMMABLE, *choosable(tb.config).values()) + 1) == AxiResp.SLVERR
    assert await tb.registers.read("error.cause") == ABOVE_MAXIMUM
    assert await tb.registers.read("address_map") == number(tb.config.map)


@test()
async def reset_brings_the_first_map_back(tb: TB):
    before = await in_force(tb)
    masks = await read_masks(tb)
    await write_masks(tb, random_masks(tb))
    assert await choose(tb, PROGRAMMABLE) == AxiResp.OKAY
    await tb.reset(drained=tb.cycle)
    assert await tb.registers.read("address_map") == number(tb.config.map)
    assert await in_force(tb) == before
    assert await read_masks(tb) == masks
