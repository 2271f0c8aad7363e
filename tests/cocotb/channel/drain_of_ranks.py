# SPDX-License-Identifier: Apache-2.0
"""Write drains of several ranks as seen on the DFI: what the water marks are compared with, and which ranks drain.

What a policy must do is looked for under every policy, and must be found under that one alone.
"""

from channel.water_marks import AT_HIGH_MARK, PATIENCE, Rank, set_marks
from testbench import TB, test
from testbench.dfi import Kind

SHARED, TOGETHER = 1, 2  # bits of drain_policy
MARKED = [0, SHARED, TOGETHER, SHARED | TOGETHER]


@test(drain=MARKED)
async def shared_marks_count_the_writes_of_all_ranks(tb: TB, drain):
    """Ten more writes than the low mark, in two ranks, none of which is at the high mark by itself."""
    config = tb.config
    await tb.registers.write("age_limit", 4095)
    await tb.registers.write("drain_policy", drain | AT_HIGH_MARK)
    await set_marks(tb, 12, 2)
    tb.dfi.start()
    async with tb.reads_going_on(config.address(bank=3)):
        await tb.cycles(60)
        few, many = Rank(tb, 0), Rank(tb, 1)
        await few.send(5)
        await many.send(6)
        await tb.cycles(PATIENCE)
        assert (few.queued, many.queued) == (5, 6), "drained below the mark"
        since = tb.cycle
        await many.send(1)
        await tb.cycles(PATIENCE)
        ranks = [command.rank for command in tb.dfi.of(Kind.WRITE, since=since)]
    if not drain & SHARED:
        assert ranks == [], f"drain policy {drain}: no rank is at its mark, yet ranks {ranks} were written"
        return
    # the level shows one cycle late, in which one more write may go
    assert few.queued + many.queued in (2, 1), f"drain policy {drain}: {few.queued} and {many.queued} are left"
    one_by_one = ranks == sorted(ranks, reverse=True) and ranks.count(1) == 7
    assert one_by_one == (not drain & TOGETHER), f"drain policy {drain}: ranks {ranks} were written"


@test(drain=MARKED)
async def ranks_that_drain_together_write_what_is_below_their_marks(tb: TB, drain):
    config = tb.config
    await tb.registers.write("age_limit", 4095)
    await tb.registers.write("drain_policy", drain | AT_HIGH_MARK)
    await set_marks(tb, 10, 2)
    tb.dfi.start()
    async with tb.reads_going_on(config.address(bank=3)):
        await tb.cycles(60)
        few, many = Rank(tb, 0), Rank(tb, 1)
        await few.send(2)
        await many.send(7)
        await tb.cycles(PATIENCE)
        assert (few.queued, many.queued) == (2, 7), "drained below the mark"
        since = tb.cycle
        await many.send(3)
        await tb.cycles(PATIENCE)
    first, last = (tb.dfi.of(Kind.WRITE, since=since)[end].cycle for end in (0, -1))
    turn = tb.in_cycles(config.cwl + 4 + tb.timing["tWTR_L"])
    reads = [command for command in tb.dfi.of(Kind.READ, since=first) if command.cycle <= last]
    if drain & TOGETHER:
        assert few.queued == 0, f"drain policy {drain}: {few.queued} writes of the other rank are left"
        assert not reads, f"drain policy {drain}: a read {reads[0].cycle - first} cycles into a drain of {turn}"
    else:
        assert few.queued == 2, f"drain policy {drain}: the other rank was drained too"
