# SPDX-License-Identifier: Apache-2.0
"""The counters agree with what the DRAM model counts on the DFI by itself (sim/dram/recount.hpp)."""

from observe.counters import Counts
from testbench import TB, test


@test()
async def counters_are_what_the_dram_has_seen(tb: TB):
    """Traffic by chance on all ports; both are latched while nothing moves."""
    config = tb.config
    await tb.refreshed()
    start, dram_start = await Counts.latch(tb), await tb.dram_counts()
    for number in range(500):
        port = tb.ports[number % len(tb.ports)]
        address = config.address(
            rank=tb.random.randrange(config.ranks),
            bank=tb.random.randrange(config.banks),
            row=tb.random.randrange(3),
            offset=tb.random.randrange(4) * config.block_bytes,
        )
        burst = tb.burst(address, tb.random.randint(1, 4), id=tb.random.randrange(1 << config.id_bits))
        if tb.random.random() < 0.5:
            port.write(burst, tb.bytes(burst.length))
        else:
            port.read(burst)
        await port.room(24)
    await tb.quiet()
    await tb.refreshed()
    counts, dram_end = await Counts.latch(tb) - start, await tb.dram_counts()

    assert sum(rank["activates"] for rank in dram_end["ranks"]) > 20
    for number, (before, after) in enumerate(zip(dram_start["ranks"], dram_end["ranks"], strict=True)):
        seen = {name: after[name] - before[name] for name in after}
        prefix = f"rank[{number}]."
        assert counts[prefix + "activates"] == seen["activates"]
        assert counts[prefix + "precharges"] == seen["precharges"] + seen["precharges_of_all"]
        assert counts[prefix + "refreshes"] == seen["whole_refreshes"] + seen["fine_refreshes"]
        assert counts.columns(tb, "read", rank=number) == seen["reads"]
        assert counts.columns(tb, "write", rank=number) == seen["writes"]
        clocks = {name: count for name, count in seen.items() if name.startswith("clocks_")}
        assert sum(clocks.values()) == (dram_end["cycles"] - dram_start["cycles"]) * config.phases
