# SPDX-License-Identifier: Apache-2.0
"""A DRAM and a cache by which the detection is tried: what a read takes, from the state of rows, refresh and noise.

Addresses are taken apart by division into fields, as a part's datasheet and the text of a map say; there are no masks.
"""

import random
from dataclasses import dataclass, field

LINE = 64


def fields(*order):
    """A map by its fields from the lowest on, each (name, bits); a name may come again with its higher bits."""

    def place(address):
        left, found = address // LINE, {}
        for name, bits in order:
            value, shift = found.get(name, (0, 0))
            found[name] = (value + left % 2**bits * 2**shift, shift + bits)
            left //= 2**bits
        return {name: value for name, (value, _) in found.items()}

    place.bits = 6 + sum(bits for _, bits in order)
    return place


@dataclass
class Dram:
    """Two ranks of DDR3-1600 behind a controller of 200 MHz, times in its cycles, unless told otherwise.

    `place` gives a dict with channel, rank, bank and row. Rows stay open, or are closed `close_after` cycles after the
    last read; with `learns` they are closed at once in banks whose last two reads were of different rows. A rank is
    refreshed every `interval`, which closes its rows and takes `refresh`; `stagger` is half the time to the next rank.
    A read that finds its line in the direct-mapped cache of `cache_bytes` takes 3. `noise` is the standard deviation of
    each read's time; one in `disturbed` reads takes `disturbance` more.
    """

    place: object
    hit: int = 35
    miss: int = 38
    conflict: int = 41
    close_after: float = float("inf")
    learns: bool = True
    interval: int = 1560
    refresh: int = 22
    stagger: int = 390
    cache_bytes: int = 4096
    noise: float = 0.0
    disturbed: int = 0
    disturbance: int = 3000
    seed: int = 1
    now: float = 0.0
    _banks: dict = field(default_factory=dict)
    _cache: dict = field(default_factory=dict)
    _places: dict = field(default_factory=dict)

    def __post_init__(self):
        self.random = random.Random(self.seed)

    def _located(self, address):
        if address not in self._places:
            at = self.place(address)
            rank = (at.get("channel", 0), at.get("rank", 0))
            self._places[address] = (rank, (*rank, at["bank"]), at["row"])
        return self._places[address]

    def _number_of_refresh(self, rank):
        return (self.now + self.stagger * (2 * rank[1] + rank[0])) // self.interval

    def read(self, address):
        """Reads; gives the cycles that it took."""
        line = address // LINE
        took = 3.0
        if not self.cache_bytes or self._cache.get(line % (self.cache_bytes // LINE)) != line:
            if self.cache_bytes:
                self._cache[line % (self.cache_bytes // LINE)] = line
            took = self._from_dram(*self._located(address))
        if self.noise:
            took += abs(self.random.gauss(0, self.noise))
        if self.disturbed and self.random.randrange(self.disturbed) == 0:
            took += self.disturbance
        self.now += took
        return took

    def _from_dram(self, rank, bank, row):
        refreshed = self._number_of_refresh(rank)
        since = (self.now + self.stagger * (2 * rank[1] + rank[0])) % self.interval
        took = max(0.0, self.refresh - since)
        row_open, last, when, epoch, keeps = self._banks.get(bank, (None, None, 0.0, refreshed, True))
        if epoch != refreshed or self.now - when > self.close_after:
            row_open = None
        took += self.hit if row_open == row else self.miss if row_open is None else self.conflict
        if self.learns and last is not None and epoch == refreshed:
            keeps = last == row
        self._banks[bank] = (row if keeps else None, row, self.now, refreshed, keeps)
        return took
