# SPDX-License-Identifier: Apache-2.0
"""Accesses to the NVM region are counted by superpages and by pages of chosen ones, and hot pages are listed."""

from testbench import TB, test
from testbench.axi import AxiPort
from testbench.burst import Incr
from testbench.hotness import (
    COUNTING,
    HOT_LIST_LEVEL,
    IDLE,
    INTERVAL_ENDED,
    PAGE,
    PAGES,
    RECORDS,
    SUPERPAGE,
    SUPERPAGES,
    Model,
    choose,
    count,
    counters,
    end,
    expect_counters,
    fault,
    first,
    region,
    start,
    take_list,
    until,
)


def places(tb: TB, chosen: list[int], number: int) -> list[int]:
    """Bus addresses of pages to go to: many in chosen superpages, some elsewhere in the region and in DRAM."""
    total = tb.config.memory_bytes // SUPERPAGE
    superpages = [tb.random.choice((*chosen, tb.random.randrange(total))) for _ in range(number)]
    return [tb.config.base + superpage * SUPERPAGE + tb.random.randrange(512) * PAGE for superpage in superpages]


async def traffic(tb: TB, port: AxiPort, model: Model, pages: list[int], bursts: int, outstanding: int) -> None:
    """Bursts of some lines, to the first of the pages most often; the model counts them."""
    for _ in range(bursts):
        await port.room(outstanding)
        length = tb.random.randint(1, 256)
        page = pages[tb.random.randrange(tb.random.randrange(len(pages)) + 1)]
        address = page + tb.random.randrange(PAGE - length)
        beats = (address + length - 1) // tb.config.data_bytes - address // tb.config.data_bytes + 1
        burst = Incr(address, beats, tb.config.data_bytes, id=tb.random.randrange(1 << tb.config.id_bits))
        if burst.runs()[-1][0] + burst.length > page + PAGE:
            continue
        write = tb.random.random() < 0.4
        model.access(burst, write)
        if write:
            port.write(burst, tb.bytes(burst.length))
        else:
            port.read(burst)


async def set_up(tb: TB, chosen: list[int], superpage_weight: int, page_weight: int, threshold: int) -> Model:
    """Sets what is counted, and gives the model of it."""
    await choose(tb, chosen)
    await tb.registers.write("hot_weights", superpage_weight | page_weight << 8)
    await tb.registers.write("hot_threshold", threshold)
    return Model(tb, superpage_weight, page_weight, threshold, chosen)


@test(pause=["never", "answers", "addresses"])
async def all_accesses_of_an_interval_are_counted(tb: TB, pause):
    """From both ports at once, in two intervals with other superpages; what is read is what was sent."""
    fault(tb)
    tb.back_pressure(pause)
    for number in (1, 3):
        chosen = [first(tb) + superpage for superpage in tb.random.sample(range(count(tb)), number)]
        weights = tb.random.randint(2, 31), tb.random.randint(2, 31)
        model = await set_up(tb, chosen, *weights, threshold=tb.random.randint(60, 300))
        await start(tb)
        for port in tb.ports:
            await traffic(tb, port, model, places(tb, chosen, 12), 80, outstanding=12)
        await tb.answered()
        await end(tb)
        await expect_counters(tb, model)
        assert await tb.registers.read("hot_uncounted") == 0
        assert await tb.registers.read("hot_status.hot_list_overflowed") == 0
        listed = await take_list(tb)
        assert len(listed) == len(model.hot) and {page for page, _ in listed} == {page for page, _ in model.hot}
        assert all(model.threshold <= count < model.threshold + model.page_weight for _, count in listed)


@test()
async def hot_pages_are_listed_in_the_order_in_which_they_become_it(tb: TB):
    """One access after the other, so that their order is known; the list is emptied in between."""
    chosen = [first(tb) + 2, first(tb) + count(tb) - 1]
    model = await set_up(tb, chosen, 1, 9, threshold=20)
    pages = [page for page in places(tb, chosen, 40) if (page - tb.config.base) // SUPERPAGE in chosen]
    await start(tb)
    listed = []
    for number in range(300):
        address = tb.random.choice(pages) + tb.random.randrange(PAGE // 64) * 64
        burst = tb.burst(address)
        write = tb.random.random() < 0.5
        model.access(burst, write)
        await (tb.port.write(burst, tb.bytes(burst.length)) if write else tb.port.read(burst))
        if number % 16 == 15:
            listed += await take_list(tb)
    await tb.cycles(20)
    listed += await take_list(tb)
    assert len(listed) > RECORDS and listed == model.hot
    await end(tb)
    await expect_counters(tb, model)


@test()
async def a_page_that_finds_the_list_full_is_missed_and_told(tb: TB):
    fault(tb)
    model = await set_up(tb, [first(tb)], 1, 1, threshold=2)
    await start(tb)

    async def heat(page: int) -> None:
        for _ in range(2):
            burst = tb.burst(region(tb, page * PAGE))
            model.access(burst, False)
            await tb.port.read(burst)
        await tb.cycles(10)

    for page in range(RECORDS - 1):
        await heat(page)
    assert await tb.registers.read("hot_status.hot_list_overflowed") == 0
    await heat(RECORDS - 1)
    await heat(RECORDS)
    assert await tb.registers.read("hot_status.hot_list_overflowed") == 1, "an overflow was not noticed"
    # what was there stays, and there is room again once it has been read
    assert await take_list(tb) == model.hot[: RECORDS - 1]
    await tb.registers.write("hot_status", 1 << 8)
    assert await tb.registers.read("hot_status.hot_list_overflowed") == 0
    await heat(RECORDS + 1)
    assert await take_list(tb) == model.hot[RECORDS + 1 :]
    await end(tb)
    await expect_counters(tb, model)


@test()
async def counters_stay_at_their_greatest_value(tb: TB):
    """One line as often as it can be, by reads and writes of both ports at once: each is counted, none is dropped."""
    fault(tb)
    model = await set_up(tb, [first(tb) + 1], 31, 31, threshold=32767)
    await start(tb)
    line = tb.burst(region(tb, SUPERPAGE))
    page = line.address - tb.config.base
    for total in (1200, 2600):
        while model.accesses < total:
            for port in tb.ports:
                for write in (True, False):
                    await port.room(28)
                    model.access(line, write)
                    if write:
                        port.write(line, tb.bytes(line.length))
                    else:
                        port.read(line)
        await tb.answered()
        await tb.cycles(10)
        # the first time it is hot and no more
        assert (await tb.registers.read("hot_list_tail") == 1) == (model.pages[page // PAGE] >= 32767)
    assert model.superpages[first(tb) + 1] < 65535 and model.pages[page // PAGE] > 32767
    await end(tb)
    await expect_counters(tb, model)
    assert await take_list(tb) == [(page // PAGE, 32767)]


@test()
async def what_comes_outside_of_the_interval_is_told(tb: TB):
    """Traffic goes on from before the start until after the end: each access is counted or uncounted."""
    model = await set_up(tb, [first(tb)], 1, 1, threshold=1000)
    await tb.registers.write("hot_interval", 700)
    # an interval without traffic, as what was not counted is told from the start on
    await tb.registers.write("hot_control", 1 << 8 | 0b0011)
    await until(tb, IDLE)
    assert await tb.registers.read("hot_uncounted") == 0
    await traffic(tb, tb.port, model, places(tb, [first(tb)], 8), 60, outstanding=12)
    await tb.answered()
    await tb.cycles(10)
    assert await tb.registers.read("hot_uncounted") == model.accesses
    model = Model(tb, 1, 1, 1000, [first(tb)])
    await tb.registers.write("hot_control", 1 << 8 | 0b0011)
    await traffic(tb, tb.port, model, places(tb, [first(tb)], 8), 500, outstanding=12)
    await tb.answered()
    await until(tb, IDLE)
    found = await counters(tb, SUPERPAGES, 0, count(tb))
    uncounted = await tb.registers.read("hot_uncounted")
    assert 0 < sum(found) < model.accesses and sum(found) + uncounted == model.accesses
    assert all(one <= all_of for one, all_of in zip(found, model.expected_superpages(), strict=True))
    assert await tb.registers.read("hot_dropped") == 0


@test()
async def intervals_follow_each_other_while_the_list_is_read(tb: TB):
    """Periodic intervals: a page that is accessed all the time is listed once in each."""
    await set_up(tb, [first(tb)], 1, 1, threshold=3)
    await tb.registers.write("hot_interval", 1500)
    await tb.registers.write("interrupt_enable", HOT_LIST_LEVEL)
    await start(tb, 0b1011)
    lists, intervals = [], 0
    while intervals < 6:
        while not tb.dut.interrupt.value:
            await tb.port.read(tb.burst(region(tb, 5 * PAGE)))
        lists += await take_list(tb)
        await tb.registers.write("interrupt_pending", HOT_LIST_LEVEL)
        intervals += 1
        assert lists == [(first(tb) * SUPERPAGE // PAGE + 5, 3)] * intervals
    await tb.registers.write("hot_control", 1 << 9 | 0b0011)
    await until(tb, IDLE)


@test()
async def stages_count_only_when_they_are_asked_to(tb: TB):
    """What a stage that is left out has counted before stays to be read."""
    chosen = [first(tb) + 3]
    model = await set_up(tb, chosen, 5, 3, threshold=1000)
    await start(tb, 0b0011)
    await traffic(tb, tb.port, model, places(tb, chosen, 6), 40, outstanding=8)
    await tb.answered()
    await end(tb)
    again = Model(tb, 5, 3, 1000, chosen)
    await start(tb, 0b0010)
    # switched on in the middle, which holds from the next start on
    await tb.registers.write("hot_control", 0b0011)
    await traffic(tb, tb.port, again, places(tb, chosen, 6), 40, outstanding=8)
    await tb.answered()
    await end(tb)
    assert await counters(tb, SUPERPAGES, 0, count(tb)) == model.expected_superpages()
    assert await counters(tb, PAGES, 0, 512) == again.expected_pages(0)


@test()
async def the_interval_is_as_long_as_it_is_set(tb: TB):
    """The interrupt tells its end; clearing takes a cycle for each word of the greater store."""
    await tb.registers.write("interrupt_enable", INTERVAL_ENDED)
    ends = {}
    for cycles in (1, 500, 1000):
        await tb.registers.write("hot_interval", cycles)
        await tb.registers.write("hot_control", 1 << 8 | 0b0011)
        begun = tb.cycle
        assert not tb.dut.interrupt.value
        while not tb.dut.interrupt.value:
            await tb.cycles(1)
        ends[cycles] = tb.cycle - begun
        assert await tb.registers.read("hot_status.state") == IDLE
        await tb.registers.write("interrupt_pending", INTERVAL_ENDED)
        await tb.cycles(2)
        assert not tb.dut.interrupt.value
    assert ends[500] - ends[1] == 499 and ends[1000] - ends[500] == 500
    assert 768 < ends[1] < 768 + 20


@test()
async def a_reset_ends_the_interval(tb: TB):
    model = await set_up(tb, [first(tb)], 2, 2, threshold=1)
    await tb.registers.write("hot_control", 1 << 8 | 0b1011)
    await until(tb, COUNTING)
    await traffic(tb, tb.port, model, places(tb, [first(tb)], 4), 20, outstanding=4)
    await tb.answered()
    await tb.reset(tb.cycle)
    assert await tb.registers.read("hot_status.state") == IDLE
    assert await tb.registers.read("hot_list_tail") == 0
    # slots are empty, and the list too
    await tb.registers.write("hot_threshold", 1)
    await start(tb)
    empty = Model(tb, 24, 1, 1, [])
    await traffic(tb, tb.port, empty, places(tb, [first(tb)], 4), 20, outstanding=4)
    await tb.answered()
    await end(tb)
    await expect_counters(tb, empty)
    assert await counters(tb, PAGES, 0, 512) == [0] * 512
    assert await take_list(tb) == []
