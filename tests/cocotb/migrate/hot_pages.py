# SPDX-License-Identifier: Apache-2.0
"""Hot pages from the first count to the last: the monitor finds them, the mover promotes them, and accesses to them are
redirected, in fewer cycles, and counted as docs/hot-monitor.md and docs/remapping.md say."""

from testbench import TB, test
from testbench.axi import AxiPort
from testbench.burst import Burst
from testbench.dfi import Kind
from testbench.hotness import (
    RECORDS,
    SLOTS,
    SUPERPAGES,
    Model,
    choose,
    count,
    counters,
    end,
    expect_counters,
    fault,
    first,
    start,
    take_list,
)
from testbench.moves import PAGE, Moves

SUPERPAGE = 512  # pages
WEIGHT, THRESHOLD = 5, 60
ON_SUPERPAGES, ON_PAGES, ON_REDIRECTED = 1 << 0, 1 << 1, 1 << 2
# of remap_counter_index
POINTER_MISSES, REDIRECTED_READS, REDIRECTED_WRITES = 3, 4, 5


class Workload:
    """Single lines of some pages, nine of ten of the hot ones."""

    def __init__(self, tb: TB, hot: list[int], cold: list[int]):
        self.tb, self.hot, self.cold = tb, hot, cold

    def _next(self) -> tuple[int, Burst, bool]:
        random = self.tb.random
        page = random.choice(self.hot if random.random() < 0.9 else self.cold)
        line = self.tb.config.line_bytes
        address = self.tb.config.base + page * PAGE + random.randrange(PAGE // line) * line
        return page, self.tb.line(address, id=random.randrange(1 << self.tb.config.id_bits)), random.random() < 0.4

    async def run(self, accesses: int, model: Model, counted=lambda page: True) -> dict[bool, int]:
        """From all ports; the model counts those that are `counted`.

        Returns:
            accesses to hot pages, by whether they wrote
        """
        of_hot = {False: 0, True: 0}
        for _ in range(accesses):
            page, burst, write = self._next()
            if counted(page):
                model.access(burst, write)
            if page in self.hot:
                of_hot[write] += 1
            port: AxiPort = self.tb.random.choice(self.tb.ports)
            await port.room(8)
            if write:
                port.write(burst, self.tb.bytes(burst.length))
            else:
                port.read(burst)
        await self.tb.answered()
        await self.tb.cycles(20)
        return of_hot


async def remap_counter(tb: TB, number: int) -> int:
    await tb.registers.write("remap_counter_index", number)
    return await tb.registers.read("remap_counter")


async def redirections(tb: TB) -> dict[bool, int]:
    """Accesses that were redirected so far, by whether they wrote."""
    return {False: await remap_counter(tb, REDIRECTED_READS), True: await remap_counter(tb, REDIRECTED_WRITES)}


async def idle_read(tb: TB, page: int) -> int:
    """The fewest cycles of some reads one after the other, between which no refresh need come: of an open row."""
    took = []
    for line in range(5):
        begun = tb.cycle
        await tb.port.read(tb.line(tb.config.base + page * PAGE + line * tb.config.line_bytes))
        took.append(tb.cycle - begun)
    return min(took)


@test(pointers=["home", "table"])
async def hot_pages_are_found_promoted_and_redirected(tb: TB, pointers):
    registers, random = tb.registers, tb.random
    moves = Moves(tb, pointers == "table")
    await moves.enable(slow=True)
    fault(tb)
    tb.hang = 10_000  # a queue of writes to one bank of NVM
    await registers.write("hot_weights", WEIGHT | WEIGHT << 8)
    await registers.write("hot_threshold", THRESHOLD)
    # two superpages whose counters are others', and pages that are cold, of all superpages
    busy = random.sample(range(first(tb) + 1, first(tb) + count(tb)), 2)
    hot = [superpage * SUPERPAGE + page for superpage in busy for page in random.sample(range(SUPERPAGE), 2)]
    cold = [
        superpage * SUPERPAGE + random.randrange(8, SUPERPAGE)
        for superpage in range(first(tb), first(tb) + count(tb))
        for _ in range(4)
    ]
    cold = [page for page in cold if page not in hot and not moves.pointers <= page < moves.pointers + 8]
    workload = Workload(tb, hot, cold)

    # ---- the first stage: superpages share counters by their hash
    await choose(tb, [])
    model = Model(tb, WEIGHT, WEIGHT, THRESHOLD, [], hashed=True)
    await start(tb, ON_SUPERPAGES)
    await workload.run(200, model)
    await end(tb)
    await expect_counters(tb, model)
    found = await counters(tb, SUPERPAGES, 0, len(model.expected_superpages()))
    hottest = sorted(range(len(found)), key=lambda counter: -found[counter])
    suspects = [
        superpage
        for counter in hottest[:2]
        for superpage in range(first(tb), first(tb) + count(tb))
        if model.counter(superpage) == counter
    ]
    assert set(busy) <= set(suspects), f"of {busy} the counters tell {suspects}"

    # ---- the second stage, some suspects at a time: pages, of which the hot ones come on the list
    listed = []
    while suspects:
        chosen, suspects = suspects[:SLOTS], suspects[SLOTS:]
        await choose(tb, chosen)
        model = Model(tb, WEIGHT, WEIGHT, THRESHOLD, chosen, hashed=True)
        await start(tb, ON_SUPERPAGES | ON_PAGES)
        await workload.run(240, model)
        await end(tb)
        await expect_counters(tb, model)
        records = await take_list(tb)
        assert len(records) < RECORDS and {page for page, _ in records} == {page for page, _ in model.hot}
        listed += [page for page, _ in records]
    assert set(listed) == set(hot), f"the list has {listed}, hot are {hot}"

    # ---- they move, and are not counted for it
    at_home = {page: await idle_read(tb, page) for page in hot}
    await choose(tb, busy)
    model = Model(tb, WEIGHT, WEIGHT, THRESHOLD, busy, hashed=True)
    await start(tb, ON_SUPERPAGES | ON_PAGES)
    for page, frame in zip(hot, random.sample(moves.frames, len(hot)), strict=True):
        await moves.expect(await moves.promote(page, frame))
    await tb.quiet()

    # ---- accesses go to DRAM under the NVM addresses: redirected, and not counted as the region's
    before = await redirections(tb)
    sent = await workload.run(200, model, counted=lambda page: page not in hot)
    await end(tb)
    await expect_counters(tb, model)
    after = await redirections(tb)
    assert {write: after[write] - before[write] for write in after} == sent
    assert min(sent.values()) > 0
    await tb.quiet()
    begun, missed = tb.cycle, await remap_counter(tb, POINTER_MISSES)
    in_frames = {page: await idle_read(tb, page) for page in hot}
    of_nvm = [command for command in tb.dfi.of(Kind.READ, since=begun) if command.rank == 1]
    missed = await remap_counter(tb, POINTER_MISSES) - missed
    assert len(of_nvm) == missed, f"{len(of_nvm)} lines of NVM were read for {missed} pointers"
    assert all(in_frames[page] < at_home[page] for page in hot), f"reads took {at_home} cycles, now {in_frames}"

    # ---- with `redirected` all are counted
    model = Model(tb, WEIGHT, WEIGHT, THRESHOLD, busy, hashed=True)
    await start(tb, ON_SUPERPAGES | ON_PAGES | ON_REDIRECTED)
    await workload.run(200, model)
    await end(tb)
    await expect_counters(tb, model)

    # ---- and at home again they are counted as before
    for page in hot:
        await moves.expect(await moves.evict(page))
    before = await redirections(tb)
    model = Model(tb, WEIGHT, WEIGHT, THRESHOLD, busy, hashed=True)
    await start(tb, ON_SUPERPAGES | ON_PAGES)
    await workload.run(100, model)
    await end(tb)
    await expect_counters(tb, model)
    assert await redirections(tb) == before
