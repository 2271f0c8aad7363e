# SPDX-License-Identifier: Apache-2.0
"""The counters agree with what others count: the DRAM model on the DFI (sim/dram/recount.hpp), sim/observe on AXI and
DFI together."""

import os
from collections import Counter

from controller.mutations import FAULTS
from observe.counters import OUTCOMES, Counts
from testbench import TB, test

BUCKETS = 12
OPEN_ROWS = 0


async def traffic(tb: TB, accesses: int) -> None:
    """Bursts by chance on all ports; a line belongs to one source, rows and banks are shared by all."""
    config = tb.config
    blocks = config.row_bytes // config.block_bytes
    room = max(1, blocks // tb.sources)  # blocks of a row that are a source's
    for number in range(accesses):
        port = tb.ports[number % len(tb.ports)]
        id = tb.random.randrange(1 << config.id_bits)
        first = config.source(port.number, id) * room
        block = first + tb.random.randrange(min(room, 4))
        address = config.address(
            rank=tb.random.randrange(config.ranks),
            bank=tb.random.randrange(min(config.banks, 4)),
            row=tb.random.randrange(3),
            offset=block * config.block_bytes,
            channel=tb.random.randrange(config.channels),
        )
        blocks_left = min(3, first + room - block)
        most = min(blocks_left * config.block_bytes, 4096 - address % 4096) // config.data_bytes
        beats = tb.random.randint(1, max(1, most))
        burst = tb.burst(address, beats, id=id)
        if tb.random.random() < 0.4:
            port.write(burst, tb.bytes(burst.length))
        else:
            port.read(burst)
        await port.room(24)
        if number % 50 == 49:  # pauses, in which rows are closed for refreshes
            await tb.cycles(tb.random.randrange(tb.in_cycles(tb.timing["tREFI"])))


async def both(tb: TB) -> tuple[Counts, dict, dict]:
    """What Weir has counted, what sim/observe has, and what the DRAM model has, while nothing moves."""
    await tb.quiet()
    if tb.config.refreshes_sets:  # those that were postponed come one after the other
        await tb.cycles(tb.config.most_postponed * tb.config.ranks * tb.in_cycles(tb.timing["tRFC"]))
    await tb.refreshed()
    for _ in range(2):  # no refresh of any rank while the three are latched
        await tb.cycles(8)
    return await Counts.latch(tb, read=False), await tb.recounted(), await tb.dram_counts()


def expect_of_all(counts: Counts, happened: dict, config) -> None:
    """The counters of pseudo-ranks, which the DRAM model takes for one rank."""

    def all_of(name: str) -> list[int]:
        return [counts[f"rank[{rank}].{name}"] for rank in range(config.ranks)]

    for name in ("activates", "reads", "writes"):
        assert sum(all_of(name)) == happened[name], f"{name} are {all_of(name)}, but {happened[name]} were seen"
    for_all = config.ranks * happened["precharges_of_all"]
    assert sum(all_of("precharges")) == happened["precharges"] + for_all
    assert set(all_of("refreshes")) == {happened["whole_refreshes"] + happened["fine_refreshes"]}
    rounding = (happened["activates"] + happened["whole_refreshes"]) * config.phases
    active = [cycles * config.phases for cycles in all_of("cycles_active_standby")]
    assert max(active) - rounding <= happened["clocks_active_standby"] <= sum(active) + rounding
    for refreshing in all_of("cycles_refreshing"):
        assert 0 <= refreshing * config.phases - happened["clocks_refreshing"] <= rounding


def difference(after, before):
    """The same of numbers, lists and dictionaries."""
    if isinstance(after, dict):
        return {name: difference(after[name], before[name]) for name in after}
    if isinstance(after, list):
        return [difference(*pair) for pair in zip(after, before, strict=True)]
    return after - before


@test()
async def counters_are_what_happened_on_axi_and_dfi(tb: TB):
    config = tb.config
    # on the DFI what a row policy closes looks like what an access needed closed
    await tb.registers.write("row_policy", OPEN_ROWS)
    tb.dut.watch.value = 1
    await tb.port.read(tb.line(config.base))
    start, before, dram_before = await both(tb)
    start = await start.read(tb)
    tb.dut.fault.value = FAULTS[os.environ.get("WEIR_FAULT", "none")]
    await traffic(tb, int(os.environ.get("WEIR_ACCESSES", "600")))
    end, after, dram_after = await both(tb)
    tb.dut.fault.value = 0
    counts = await end.read(tb) - start
    seen, dram = difference(after, before), difference(dram_after, dram_before)
    assert seen["shared"] == 0, "a line belongs to no source or to several"

    def expect(name: str, value: int) -> None:
        assert counts[name] == value, f"{name} is {counts[name]}, but {value} were seen"

    channels = ["channel"] if config.channels == 1 else [f"channel[{number}]" for number in range(config.channels)]
    cycles = counts[f"{channels[0]}.cycles"]
    for rank, happened in enumerate(seen["ranks"]):
        prefix = f"rank[{rank}]."
        for name, value in happened.items():
            expect(prefix + name, value)
        states = ("cycles_refreshing", "cycles_active_standby", "cycles_precharged_standby")
        assert sum(counts[prefix + state] for state in states) == cycles
        assert counts[prefix + "cycles_blocked"] >= counts[prefix + "cycles_refreshing"]

    columns = Counter()
    for source, ranks in enumerate(seen["columns"]):
        for rank, kinds in enumerate(ranks):
            for kind, name in (("reads", "read"), ("writes", "write")):
                for outcome, value in zip(OUTCOMES, kinds[kind], strict=True):
                    expect(f"source_rank[{source}][{rank}].{name}_{outcome}", value)
                    columns[name, source] += value
                    columns[outcome] += value
    assert all(columns[outcome] for outcome in OUTCOMES), columns
    for source, happened in enumerate(seen["sources"]):
        expect(f"source[{source}].forwarded", happened["lines_read"] - columns["read", source])
        expect(f"source[{source}].merged", happened["lines_written"] - columns["write", source])
        for bucket, value in enumerate(happened["latencies"]):
            expect(f"read_latency[{source}][{bucket}].bursts", value)

    if config.refreshed_together:
        expect_of_all(counts, dram["ranks"][0], config)
        return
    for rank, happened in enumerate(dram["ranks"]):  # of the first channel
        prefix = f"rank[{rank}]."
        expect(prefix + "activates", happened["activates"])
        expect(prefix + "precharges", happened["precharges"] + happened["precharges_of_all"])
        expect(prefix + "refreshes", happened["whole_refreshes"] + happened["fine_refreshes"])
        expect(prefix + "reads", happened["reads"])
        expect(prefix + "writes", happened["writes"])
        # clocks and cycles differ by less than a cycle for each time that rows open and close
        rounding = (happened["activates"] + happened["whole_refreshes"]) * config.phases
        active = counts[prefix + "cycles_active_standby"] * config.phases
        assert abs(active - happened["clocks_active_standby"]) <= rounding
        refreshing = counts[prefix + "cycles_refreshing"] * config.phases
        assert 0 <= refreshing - happened["clocks_refreshing"] <= rounding
    assert sum(rank["activates"] for rank in seen["ranks"]) > 20
