# SPDX-License-Identifier: Apache-2.0
"""What is counted of a source at a rank while something happens."""

from contextlib import asynccontextmanager

from observe.counters import Counts
from testbench import TB

CAUSES = ("refresh", "write_drain", "queue_full", "bank", "turnaround", "bus")


class Watched:
    """What was counted of a source at a rank."""

    def __init__(self, counts: Counts, prefix: str):
        self.stalls = {cause: counts[f"{prefix}stalls_{cause}"] for cause in CAUSES}
        self.delay = counts[prefix + "read_delay"]
        self.reads = sum(counts[f"{prefix}read_{outcome}"] for outcome in ("hits", "misses", "conflicts"))
        self.refreshes = counts[prefix + "stalled_by_refreshes"]

    @property
    def total(self) -> int:
        return sum(self.stalls.values())

    def expect_only(self, *causes: str) -> None:
        """No stall has another cause."""
        others = {cause: cycles for cause, cycles in self.stalls.items() if cycles and cause not in causes}
        assert not others, f"stalled by {others} too, beside {self.stalls}"


@asynccontextmanager
async def watching(tb: TB, *places: tuple[int, int]):
    """Gives a list that holds what each source at each rank did in between, when that is over."""
    tb.dfi.start()
    seen: list[Watched] = []
    prefixes = [f"source_rank[{source}][{rank}]." for source, rank in places]
    before = [await Counts.latch(tb, prefix) for prefix in prefixes]
    yield seen
    await tb.answered()
    await tb.cycles(4)
    for prefix, start in zip(prefixes, before, strict=True):
        seen.append(Watched(await Counts.latch(tb, prefix) - start, prefix))
