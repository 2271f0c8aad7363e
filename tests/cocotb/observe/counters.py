# SPDX-License-Identifier: Apache-2.0
"""Counters count exactly what can be counted on the DFI and on AXI."""

from collections import Counter

from testbench import TB, test
from testbench.burst import Burst
from testbench.dfi import Kind

OUTCOMES = ("hits", "misses", "conflicts")
FIRST_COUNTER = 0x1000


def counters(tb: TB) -> list[str]:
    """Names of the registers that are halves of counters."""
    return [name for name in tb.registers.nodes if tb.registers.offset(name) >= FIRST_COUNTER]


class Counts:
    """All counters, by the names of the register map without `_low` and `_high`."""

    def __init__(self, values: dict[str, int], cycle: int):
        self.values = values
        self.cycle = cycle  # of the answer to the latch

    @classmethod
    async def latch(cls, tb: TB, only: str = "", read: bool = True) -> "Counts":
        """Takes a snapshot and reads it, all or the counters whose names begin so, or none."""
        await tb.registers.write("counters_latch", 1)
        latched = cls({}, tb.cycle)
        return await latched.read(tb, only) if read else latched

    async def read(self, tb: TB, only: str = "") -> "Counts":
        """The counters of the last snapshot, whose names begin so."""
        registers = tb.registers
        names = [name.removesuffix("_low") for name in counters(tb) if name.endswith("_low")]
        for name in names:
            if name.startswith(only):
                low, high = await registers.read(f"{name}_low"), await registers.read(f"{name}_high")
                self.values[name] = low | high << 32
        return self

    def __sub__(self, earlier: "Counts") -> "Counts":
        """What was counted since an earlier snapshot."""
        return Counts({name: value - earlier.values[name] for name, value in self.values.items()}, self.cycle)

    def __getitem__(self, name: str) -> int:
        return self.values[name]

    def columns(self, tb: TB, what: str, rank: int | None = None, source: int | None = None) -> int:
        """Sum of the `read` or `write` commands of a rank, of a source, or of all."""
        ranks = range(tb.config.all_ranks) if rank is None else (rank,)
        sources = range(tb.sources) if source is None else (source,)
        return sum(self[f"source_rank[{s}][{r}].{what}_{o}"] for s in sources for r in ranks for o in OUTCOMES)

    def total(self, tb: TB, name: str) -> int:
        """Sum over all sources of `forwarded` or `merged`."""
        return sum(self[f"source[{source}].{name}"] for source in range(tb.sources))


def first_channel(tb: TB) -> str:
    """Where the counters of the whole first channel are."""
    return "channel" if tb.config.channels == 1 else "channel[0]"


def lines(tb: TB, burst: Burst) -> int:
    """DRAM lines that a burst of rising addresses touches."""
    line = tb.config.line_bytes
    ((address, length),) = burst.runs()
    return (address + length - 1) // line - address // line + 1


@test()
async def all_are_zero_before_the_first_latch(tb: TB):
    await tb.write_and_read(tb.burst(tb.address(64, align=64)))
    for name in counters(tb):
        assert await tb.registers.read(name) == 0, name


@test()
async def cycles_are_controller_cycles(tb: TB):
    first = await Counts.latch(tb)
    await tb.cycles(1234)
    second = await Counts.latch(tb)
    assert (second - first)[f"{first_channel(tb)}.cycles"] == second.cycle - first.cycle


@test()
async def commands_and_accesses_are_counted_exactly(tb: TB):
    """Traffic by chance on all ports; the snapshots are taken while nothing moves."""
    config = tb.config
    tb.dfi.start()
    await tb.refreshed()
    start = await Counts.latch(tb)
    reads, writes = Counter(), Counter()  # lines by source
    for number in range(500):
        port = tb.ports[number % len(tb.ports)]
        id = tb.random.randrange(1 << config.id_bits)
        beats = tb.random.randint(1, 2 * config.block_bytes // config.data_bytes)
        address = config.address(
            rank=tb.random.randrange(config.ranks),
            bank=tb.random.randrange(3),
            row=tb.random.randrange(3),
            offset=tb.random.randrange(4) * config.block_bytes,
            channel=tb.random.randrange(config.channels),
        )
        burst = tb.burst(address, beats, id=id)
        source = config.source(port.number, id)
        if tb.random.random() < 0.5:
            port.write(burst, tb.bytes(burst.length))
            writes[source] += lines(tb, burst)
        else:
            port.read(burst)
            reads[source] += lines(tb, burst)
        await port.room(24)
    await tb.quiet()
    await tb.refreshed()
    end = await Counts.latch(tb)
    counts = end - start

    commands = [command for command in tb.dfi.commands if start.cycle <= command.cycle <= end.cycle]
    for rank in range(config.all_ranks):
        here = Counter(command.kind for command in commands if command.channel * config.ranks + command.rank == rank)
        assert counts[f"rank[{rank}].activates"] == here[Kind.ACTIVATE]
        assert counts[f"rank[{rank}].precharges"] == here[Kind.PRECHARGE]
        assert counts[f"rank[{rank}].refreshes"] == here[Kind.REFRESH]
        assert counts.columns(tb, "read", rank=rank) == here[Kind.READ]
        assert counts.columns(tb, "write", rank=rank) == here[Kind.WRITE]
    for source in range(tb.sources):
        assert counts.columns(tb, "read", source=source) + counts[f"source[{source}].forwarded"] == reads[source]
    assert counts.columns(tb, "write") + counts.total(tb, "merged") == sum(writes.values())
    for served in ("forwarded", "merged"):
        assert (counts.total(tb, served) > 0) == tb.config.forwarding


@test()
async def an_outcome_tells_what_the_row_buffer_held(tb: TB):
    """One access after the other, from all banks closed."""
    config = tb.config
    tb.dfi.start()
    rank = config.ranks - 1
    id = (1 << config.id_bits) - 1
    port = tb.ports[-1]
    source = config.source(port.number, id)
    prefix = f"source_rank[{source}][{rank}]."
    for kind in ("read", "write"):
        await tb.refreshed(rank)
        before = await Counts.latch(tb, prefix)
        for row, outcome in ((1, "misses"), (1, "hits"), (2, "conflicts"), (2, "hits"), (1, "conflicts")):
            line = tb.line(config.address(rank=rank, bank=2, row=row), id=id)
            if kind == "read":
                await port.read(line)
            else:
                await port.write(line, tb.bytes(line.length))
            await tb.cycles(100)
            after = await Counts.latch(tb, prefix)
            counted = {name for name, value in (after - before).values.items() if value and name.endswith(OUTCOMES)}
            assert counted == {f"{prefix}{kind}_{outcome}"}
            before = after


@test()
async def forced_refreshes_are_those_of_a_busy_rank(tb: TB):
    config = tb.config
    await tb.registers.write("refresh_postpone", 1)
    tb.dfi.start()
    idle = await Counts.latch(tb)
    await tb.cycles(2 * tb.in_cycles(tb.timing["tREFI"]))
    counts = (await Counts.latch(tb)) - idle
    # a rank that may owe none but one is forced to its refresh also when idle
    for rank in range(config.all_ranks):
        assert counts[f"rank[{rank}].refreshes_forced"] == counts[f"rank[{rank}].refreshes"] > 0
    await tb.registers.write("refresh_postpone", 2)
    idle = await Counts.latch(tb)
    await tb.cycles(2 * tb.in_cycles(tb.timing["tREFI"]))
    counts = (await Counts.latch(tb)) - idle
    for rank in range(config.all_ranks):
        assert counts[f"rank[{rank}].refreshes_forced"] == 0 < counts[f"rank[{rank}].refreshes"]


@test()
async def queue_levels_are_summed_over_cycles(tb: TB):
    """An idle controller adds nothing; a read of a closed bank adds the cycles that it waits for its activate."""
    config = tb.config
    tb.dfi.start()
    await tb.refreshed()
    before = await Counts.latch(tb)
    counts = (await Counts.latch(tb)) - before
    channel = first_channel(tb)
    assert counts[f"{channel}.read_queue_level_sum"] == counts[f"{channel}.write_queue_level_sum"] == 0
    await tb.refreshed()
    before = await Counts.latch(tb, "channel")
    await tb.port.read(tb.line(config.address(row=3)))
    counts = (await Counts.latch(tb, "channel")) - before
    activate, read = tb.dfi.of(Kind.ACTIVATE)[-1], tb.dfi.of(Kind.READ)[-1]
    waits = read.cycle - activate.cycle
    assert waits < counts[f"{channel}.read_queue_level_sum"] <= waits + 3
