# SPDX-License-Identifier: Apache-2.0
"""The registers of the hot page counters and of the interrupt: what is refused, and how bursts go on by themselves."""

from cocotbext.axi.constants import AxiResp
from regs.refusals import ABOVE_MAXIMUM, BELOW_MINIMUM, READ_ONLY, RELATION, expect_refused
from testbench import TB, test
from testbench.hotness import (
    COUNTING,
    HOT_LIST,
    HOT_LIST_LEVEL,
    IDLE,
    INTERVAL_ENDED,
    PAGE,
    PAGES,
    RECORDS,
    SLOTS,
    SUPERPAGES,
    burst_of,
    choose,
    count,
    first,
    region,
    start,
    take_list,
    until,
)

SLVERR = AxiResp.SLVERR


@test()
async def they_stand_where_software_was_promised(tb: TB):
    offsets = {
        "interrupt_pending": 0x340,
        "interrupt_enable": 0x344,
        "hot_shape": 0x348,
        "hot_superpages": 0x34C,
        "hot_region": 0x350,
        "hot_control": 0x354,
        "hot_status": 0x358,
        "hot_interval": 0x35C,
        "hot_weights": 0x360,
        "hot_threshold": 0x364,
        "hot_slot": 0x368,
        "hot_chosen": 0x36C,
        "hot_index": 0x370,
        "hot_data": 0x374,
        "hot_list_head": 0x378,
        "hot_list_tail": 0x37C,
        "hot_list_level": 0x380,
        "hot_uncounted": 0x384,
        "hot_dropped": 0x388,
    }
    assert {name: tb.registers.offset(name) for name in offsets} == offsets
    assert {name for name in tb.registers.nodes if 0x330 <= tb.registers.offset(name) < 0x390} == set(offsets)
    resets = {
        "features.hot_monitoring": 1,
        "hot_shape.chosen": SLOTS,
        "hot_shape.hot_list": RECORDS.bit_length() - 1,
        "hot_shape.hashed": 0,
        "hot_superpages": count(tb),
        "hot_region": first(tb),
        "hot_control": 0b0011,
        "hot_interval": 10**8,
        "hot_weights.superpage_write": 24,
        "hot_weights.page_write": 1,
        "hot_threshold": 32767,
        "hot_status": 0,
        "interrupt_enable": 0,
        "interrupt_pending": 0,
    }
    for name, value in resets.items():
        assert await tb.registers.read(name) == value, name


@test()
async def values_out_of_range_are_refused(tb: TB):
    await expect_refused(tb, "interrupt_enable", 4, ABOVE_MAXIMUM)
    await expect_refused(tb, "hot_control", 1 << 4, ABOVE_MAXIMUM)
    await expect_refused(tb, "hot_interval", 0, BELOW_MINIMUM)
    await expect_refused(tb, "hot_weights", 0 | 1 << 8, BELOW_MINIMUM)
    await expect_refused(tb, "hot_weights", 1 | 0 << 8, BELOW_MINIMUM)
    await expect_refused(tb, "hot_weights", 32 | 1 << 8, ABOVE_MAXIMUM)
    await expect_refused(tb, "hot_threshold", 0, BELOW_MINIMUM)
    await expect_refused(tb, "hot_threshold", 32768, ABOVE_MAXIMUM)
    await expect_refused(tb, "hot_slot", SLOTS, ABOVE_MAXIMUM)
    await expect_refused(tb, "hot_chosen", 1 << 31 | first(tb) - 1, BELOW_MINIMUM)
    await expect_refused(tb, "hot_chosen", 1 << 31 | first(tb) + count(tb), ABOVE_MAXIMUM)
    await expect_refused(tb, "hot_index", 3 << 28, ABOVE_MAXIMUM)
    await expect_refused(tb, "hot_index", 256 * SLOTS, ABOVE_MAXIMUM)
    await expect_refused(tb, "hot_list_level", 0, BELOW_MINIMUM)
    await expect_refused(tb, "hot_list_level", RECORDS, ABOVE_MAXIMUM)
    for name in ("hot_data", "hot_list_tail", "hot_uncounted", "hot_dropped", "hot_shape"):
        assert await tb.registers.try_write(name, 0) == SLVERR
        assert await tb.registers.read("error.cause") == READ_ONLY
        await tb.registers.write("error", 1)


@test()
async def slots_follow_each_other_and_begin_again(tb: TB):
    """A refused superpage takes no slot."""
    await tb.registers.write("hot_slot", SLOTS - 1)
    await tb.registers.write("hot_chosen", 1 << 31 | first(tb))
    assert await tb.registers.read("hot_slot") == 0
    await expect_refused(tb, "hot_chosen", 1 << 31, BELOW_MINIMUM)
    assert await tb.registers.read("hot_slot") == 0
    await tb.registers.write("hot_chosen", 1 << 31 | first(tb) + 1)
    assert await tb.registers.read("hot_slot") == 1
    assert await tb.registers.read("hot_chosen") == 1 << 31 | first(tb) + 1


@test()
async def words_follow_each_other_and_begin_again(tb: TB):
    """In each store; a word beyond its last cannot be read."""
    registers = tb.registers
    await choose(tb, [])
    await registers.write("hot_interval", 1)
    await start_and_end(tb)
    for store, words in ((SUPERPAGES, count(tb) // 2), (PAGES, 256 * SLOTS), (HOT_LIST, 2 * RECORDS)):
        await registers.write("hot_index", store << 28 | words - 1)
        await registers.read("hot_data")
        assert await registers.read("hot_index") == store << 28
        await registers.read("hot_data")
        assert await registers.read("hot_index") == store << 28 | 1
        if store != PAGES:
            await registers.write("hot_index", store << 28 | words)
            assert await registers.read_at(registers.offset("hot_data")) == (0, SLVERR)
            assert await registers.read("hot_index") == store << 28 | words
    # each counter was cleared, the last ones too
    assert await burst_of(tb, SUPERPAGES, 0, count(tb) // 2) == [0] * (count(tb) // 2)
    assert await burst_of(tb, PAGES, 256 * SLOTS - 64, 64) == [0] * 64


async def start_and_end(tb: TB) -> None:
    await tb.registers.write("hot_control", 1 << 8 | 0b0011)
    await until(tb, IDLE)


@test()
async def counters_cannot_be_read_while_they_count(tb: TB):
    """The hot list can; and a refused read does not go on to the next word."""
    registers = tb.registers
    await start(tb)
    for store in (SUPERPAGES, PAGES):
        await registers.write("hot_index", store << 28 | 1)
        assert await registers.read_at(registers.offset("hot_data")) == (0, SLVERR)
        assert await registers.read("hot_index") == store << 28 | 1
    await registers.write("hot_index", HOT_LIST << 28)
    await registers.read("hot_data")
    assert await registers.read("hot_index") == HOT_LIST << 28 | 1
    assert await registers.read("hot_status.state") == COUNTING
    # stopped without an interrupt
    await registers.write("hot_control", 1 << 9 | 0b0011)
    await until(tb, IDLE)
    assert await registers.read("interrupt_pending") == 0
    await burst_of(tb, PAGES, 0, 1)


@test()
async def the_head_goes_no_further_than_the_tail(tb: TB):
    registers = tb.registers
    await choose(tb, [first(tb)])
    await registers.write("hot_threshold", 1)
    await start(tb)
    for begun, pages in enumerate((3, RECORDS - 1, 5)):
        for page in range(pages):
            await tb.port.read(tb.burst(region(tb, (begun * 40 + page) * PAGE)))
        await tb.cycles(20)
        head, tail = await registers.read("hot_list_head"), await registers.read("hot_list_tail")
        assert (tail - head) % RECORDS == pages
        if pages < RECORDS - 1:
            await expect_refused(tb, "hot_list_head", (tail + 1) % RECORDS, RELATION)
            await expect_refused(tb, "hot_list_head", (head - 1) % RECORDS, RELATION)
        await registers.write("hot_list_head", (head + 1) % RECORDS)
        await expect_refused(tb, "hot_list_head", head, RELATION)
        assert len(await take_list(tb)) == pages - 1


@test()
async def the_interrupt_is_high_while_something_enabled_is_pending(tb: TB):
    registers = tb.registers

    async def expect(pending: int, interrupt: bool) -> None:
        await tb.cycles(3)
        assert await registers.read("interrupt_pending") == pending
        assert bool(tb.dut.interrupt.value) == interrupt

    await choose(tb, [first(tb)])
    await registers.write("hot_threshold", 1)
    await registers.write("hot_list_level", 2)
    await expect(0, False)
    await start(tb)
    await tb.port.read(tb.burst(region(tb)))
    await expect(0, False)
    await tb.port.read(tb.burst(region(tb, PAGE)))
    await tb.cycles(10)
    await expect(HOT_LIST_LEVEL, False)
    await registers.write("interrupt_enable", INTERVAL_ENDED)
    await expect(HOT_LIST_LEVEL, False)
    await registers.write("interrupt_enable", INTERVAL_ENDED | HOT_LIST_LEVEL)
    await expect(HOT_LIST_LEVEL, True)
    # the list is as full as before
    await registers.write("interrupt_pending", HOT_LIST_LEVEL)
    await expect(HOT_LIST_LEVEL, True)
    await registers.write("hot_list_head", 1)
    await expect(HOT_LIST_LEVEL, True)
    await registers.write("interrupt_pending", INTERVAL_ENDED)
    await expect(HOT_LIST_LEVEL, True)
    await registers.write("interrupt_pending", HOT_LIST_LEVEL)
    await expect(0, False)
    await registers.write("hot_interval", 1)
    await until(tb, IDLE)
    await expect(INTERVAL_ENDED, True)
    await registers.write("interrupt_pending", 0)
    await expect(INTERVAL_ENDED, True)
    await registers.write("interrupt_pending", INTERVAL_ENDED)
    await expect(0, False)
