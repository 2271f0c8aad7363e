# SPDX-License-Identifier: Apache-2.0
"""Writes are gathered for each rank and drained between the high and the low water mark, as seen on the DFI."""

from cocotb.triggers import gather
from testbench import TB, test
from testbench.dfi import Kind

AT_HIGH_MARK = 8  # the bit of drain_policy: want of reads starts no drain
PATIENCE = 300  # cycles in which a drain has surely begun, or ended


class Rank:
    """Sends whole-line writes to one rank and knows how many of them are still queued."""

    def __init__(self, tb: TB, number: int):
        self.tb = tb
        self.number = number
        self.sent = 0
        self.begun = tb.cycle

    @property
    def written(self) -> int:
        """Write commands so far."""
        return len(self.tb.dfi.of(Kind.WRITE, rank=self.number, since=self.begun))

    @property
    def queued(self) -> int:
        return self.sent - self.written

    async def send(self, count: int) -> None:
        """Writes so many more lines and waits until all are answered, which is when they are queued."""
        config = self.tb.config
        writes = []
        for _ in range(count):
            place = divmod(self.sent, config.row_bytes // config.line_bytes)
            address = config.address(rank=self.number, bank=1, row=20 + place[0], offset=place[1] * config.line_bytes)
            writes.append(self.tb.port.write(self.tb.line(address), self.tb.bytes(config.line_bytes)))
            self.sent += 1
        for write in writes:
            await write


async def set_marks(tb: TB, high: int, low: int) -> None:
    await tb.registers.write("water_marks", high | low << 16)


async def expect_drain(tb: TB, rank: Rank, others: list[Rank], high: int, low: int) -> None:
    """Fills a rank up to its high mark and sees it drained to its low mark, while the others keep their writes."""
    start = rank.queued
    await rank.send(high - 1 - start)
    await tb.cycles(PATIENCE)
    assert rank.queued == high - 1, f"rank {rank.number} was drained below its high mark"
    kept = [other.queued for other in others]
    await rank.send(1)
    await tb.cycles(PATIENCE)
    # the level shows one cycle late, in which one more write may go
    assert rank.queued in (low, max(low - 1, 0)), f"the drain left {rank.queued} writes queued, low mark {low}"
    assert [other.queued for other in others] == kept, "another rank was drained too"


@test(marks=["reset", "near", "half", "lowest"])
async def a_rank_drains_from_its_high_to_its_low_mark(tb: TB, marks):
    config = tb.config
    near = min(config.high_water_mark - 1, config.write_queue // config.ranks - 1)
    high, low = {
        "reset": (config.high_water_mark, config.low_water_mark),
        "near": (near, near - 1),
        "half": (config.write_queue // 2, 1),
        "lowest": (2, 0),
    }[marks]
    await tb.registers.write("age_limit", 4095)
    await tb.registers.write("drain_policy", AT_HIGH_MARK)
    if marks != "reset":
        await set_marks(tb, high, low)
    tb.dfi.start()
    async with tb.reads_going_on(config.address(bank=3)):
        await tb.cycles(60)
        ranks = [Rank(tb, number) for number in range(config.ranks)]
        for rank in ranks:
            others = [other for other in ranks if other is not rank]
            if rank.number == 0 and (config.ranks - 1) * (high - 1) + high <= config.write_queue:
                for other in others:
                    await other.send(high - 1)
            await expect_drain(tb, rank, others, high, low)


@test()
async def marks_may_change_while_writes_wait(tb: TB):
    """Writes below the old high mark drain at once when the new one is not above them."""
    config = tb.config
    high = config.high_water_mark
    await tb.registers.write("age_limit", 4095)
    await tb.registers.write("drain_policy", AT_HIGH_MARK)
    tb.dfi.start()
    async with tb.reads_going_on(config.address(bank=3)):
        await tb.cycles(60)
        rank = Rank(tb, config.ranks - 1)
        await rank.send(high - 1)
        await tb.cycles(PATIENCE)
        assert rank.queued == high - 1
        await set_marks(tb, high - 1, 0)
        await tb.cycles(PATIENCE)
        assert rank.queued == 0
        await set_marks(tb, high, high - 1)
        await expect_drain(tb, rank, [], high, high - 1)


@test(start=[0, AT_HIGH_MARK])
async def above_the_low_mark_a_drain_starts_early_when_no_read_is_queued(tb: TB, start):
    """Reads that leave the queue empty between two of them, but not for so long that all writes go."""
    config = tb.config
    high, low = config.write_queue // 2, 1
    await tb.registers.write("age_limit", 4095)
    await tb.registers.write("drain_policy", start)
    await set_marks(tb, high, low)
    tb.dfi.start()
    async with tb.reads_going_on(config.address(bank=3)):
        await tb.cycles(60)
        rank = Rank(tb, config.ranks - 1)
        await rank.send(high - 1)
        await tb.cycles(PATIENCE)
        if start == AT_HIGH_MARK:
            assert rank.queued == high - 1, "drained below the high mark"
        else:
            # the level shows one cycle late, in which one more write may go
            assert rank.queued in (low, low - 1), f"{rank.queued} writes are queued, low mark {low}"


@test()
async def a_full_queue_drains_below_the_high_marks(tb: TB):
    """With high marks that no rank reaches, writes to all ranks still go on."""
    config = tb.config
    await tb.registers.write("age_limit", 4095)
    await tb.registers.write("drain_policy", AT_HIGH_MARK)
    await set_marks(tb, config.write_queue, 0)
    tb.dfi.start()
    async with tb.reads_going_on(config.address(bank=3)):
        await tb.cycles(60)
        ranks = [Rank(tb, number) for number in range(config.ranks)]
        each = 3 * config.write_queue // config.ranks
        await gather(*(rank.send(each) for rank in ranks))
        assert sum(rank.queued for rank in ranks) <= config.write_queue


@test()
async def without_reads_writes_go_at_once(tb: TB):
    """Well before they reach a mark or the age limit."""
    tb.dfi.start()
    await tb.refreshed()
    rank = Rank(tb, tb.config.ranks - 1)
    await rank.send(1)
    await tb.cycles(64)
    assert rank.queued == 0
