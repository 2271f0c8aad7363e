# SPDX-License-Identifier: Apache-2.0
"""Row policies as seen on the DFI: when a row is closed that no queued access hits.

What a policy must do is looked for under every policy, and must be found under that one alone.
"""

import cocotb
from testbench import TB, test
from testbench.dfi import Kind
from testbench.traffic import PROFILES, Traffic

POLICIES = ["open", "closed", "timeout", "adaptive"]
TIMEOUT = 70  # cycles; longer than any DRAM here makes a precharge wait after a column command
SETTLED = 150  # cycles after which a policy has surely closed a row, or will not
LETTERS = {Kind.ACTIVATE: "a", Kind.READ: "r", Kind.WRITE: "w", Kind.PRECHARGE: "p"}


async def choose(tb: TB, policy: str) -> None:
    """Puts a policy in force, and waits until rank 0 has just been refreshed."""
    await tb.registers.write("row_timeout", TIMEOUT)
    await tb.registers.write("row_policy", POLICIES.index(policy))
    tb.dfi.start()
    await tb.refreshed()


def commands(tb: TB, bank: int, since: int) -> str:
    """Commands of a bank of rank 0 from a cycle on, a letter for each."""
    return "".join(LETTERS[each.kind] for each in tb.dfi.of(*LETTERS, rank=0, since=since) if each.bank == bank)


async def visits(tb: TB, bank: int, rows: list[int]) -> tuple[list[str], list[int]]:
    """Reads from rows of a bank of rank 0, one after the other with a pause behind each: what commands each brought,
    and how long each read took."""
    seen, latencies = [], []
    for number, row in enumerate(rows):
        since = tb.cycle
        access = await tb.port.read(
            tb.line(tb.config.address(bank=bank, row=row, offset=number * tb.config.line_bytes))
        )
        latencies.append(access.latency)
        await tb.cycles(SETTLED)
        seen.append(commands(tb, bank, since))
    return seen, latencies


@test(policy=POLICIES)
async def a_closed_row_makes_each_visit_a_miss(tb: TB, policy):
    """The revisit is as slow as the first visit, and the visit of another row no slower."""
    await choose(tb, policy)
    before = await outcomes(tb)
    seen, (first, again, other) = await visits(tb, 2, [1, 1, 2])
    after = await outcomes(tb)
    counted = {name: after[name] - before[name] for name in after}
    closes = seen == ["arp", "arp", "arp"]
    assert closes == (policy in ("closed", "timeout")), f"{policy}: {seen}"
    assert counted == ({"hits": 0, "misses": 3, "conflicts": 0} if closes else {"hits": 1, "misses": 1, "conflicts": 1})
    if closes:
        assert abs(again - first) <= 1 and abs(other - first) <= 1, f"reads took {first}, {again}, {other} cycles"
    else:
        assert again < first < other, f"reads took {first}, {again}, {other} cycles"


async def outcomes(tb: TB) -> dict[str, int]:
    """Row outcomes of all reads of rank 0 so far, as counted."""
    await tb.registers.write("counters_latch", 1)
    return {
        name: sum([await tb.registers.read(f"source_rank[{s}][0].read_{name}_low") for s in range(tb.sources)])
        for name in ("hits", "misses", "conflicts")
    }


@test(policy=POLICIES)
async def a_row_is_closed_so_many_cycles_after_its_last_column_command(tb: TB, policy):
    """To the cycle; a column command in between starts the time anew."""
    await choose(tb, policy)
    since = tb.cycle
    for _ in range(2):
        tb.port.read(tb.line(tb.config.address(bank=1, row=3)))
        await tb.cycles(TIMEOUT - 10)
    await tb.cycles(SETTLED)
    last = tb.dfi.of(Kind.READ, rank=0, since=since)[-1].cycle
    closed = [each.cycle - last for each in tb.dfi.of(Kind.PRECHARGE, rank=0, since=since) if each.bank == 1]
    assert (closed == [TIMEOUT]) == (policy == "timeout"), f"{policy}: closed {closed} cycles after the last read"


@test()
async def a_changed_time_counts_from_the_next_column_command_on(tb: TB):
    await choose(tb, "timeout")
    for timeout in (300, TIMEOUT, 200):
        await tb.registers.write("row_timeout", timeout)
        await tb.refreshed()
        since = tb.cycle
        await tb.port.read(tb.line(tb.config.address(bank=1, row=3)))
        await tb.cycles(timeout + 50)
        read, precharge = tb.dfi.of(Kind.READ, Kind.PRECHARGE, rank=0, since=since)
        assert (read.kind, precharge.cycle - read.cycle) == (Kind.READ, timeout)


@test(policy=POLICIES)
async def a_bank_learns_whether_to_keep_its_row(tb: TB, policy):
    """By AdaptiveRows.scala, from 2: down to 1 at the conflict, to 0 at the miss, up at each visit of the row that it
    closed, and up at the hit. The other bank learns nothing from that."""
    await choose(tb, policy)
    seen, _ = await visits(tb, 2, [1, 2, 1, 1, 1, 1])
    right = seen == ["ar", "parp", "arp", "arp", "ar", "r"]
    assert right == (policy == "adaptive"), f"{policy}: {seen}"
    if right:
        seen, _ = await visits(tb, 1, [1, 1])
        assert seen == ["ar", "r"]


@test()
async def a_refresh_teaches_a_bank_nothing(tb: TB):
    """A bank that closes its rows goes on so when a refresh has come before its next visit, of whatever row."""
    await choose(tb, "adaptive")
    await visits(tb, 2, [1, 2, 1])  # down to 0
    for row in (1, 1, 1):
        await tb.refreshed()
        seen, _ = await visits(tb, 2, [row])
        assert seen == ["arp"]


@test()
async def a_row_that_a_queued_write_hits_stays_open(tb: TB):
    """Until the write has gone."""
    config = tb.config
    await tb.registers.write("age_limit", 4095)
    await choose(tb, "closed")
    async with tb.reads_going_on(config.address(bank=3)):
        await tb.cycles(30)
        since = tb.cycle
        await tb.port.write(tb.line(config.address(bank=1, row=5)), tb.bytes(config.line_bytes))
        await tb.port.read(tb.line(config.address(bank=1, row=5, offset=config.block_bytes)))
        await tb.cycles(SETTLED)
        assert commands(tb, 1, since) == "ar"
        await tb.registers.write("water_marks", 1)
        await tb.cycles(SETTLED)
        assert commands(tb, 1, since) == "arwp"


@test()
async def policies_may_change_while_accesses_wait(tb: TB):
    """Row and drain policies, the time and the water marks, every few cycles; the reference memory judges."""
    config, random = tb.config, tb.random

    async def change() -> None:
        while True:
            high = random.randint(1, config.write_queue)
            await tb.registers.write("row_policy", random.randrange(4))
            await tb.registers.write("row_timeout", random.choice((2, 15, 100)))
            await tb.registers.write("drain_policy", random.randrange(32 if config.may_read_ahead else 16))
            await tb.registers.write("water_marks", high | random.randrange(high) << 16)
            await tb.cycles(random.randrange(60))

    changing = cocotb.start_soon(change())
    for profile in ("rows", "writes", "lines"):
        await Traffic(config, PROFILES[profile], random).run(tb.port, 150, 16)
    await tb.answered()
    changing.cancel()
