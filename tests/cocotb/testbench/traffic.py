# SPDX-License-Identifier: Apache-2.0
"""Traffic by chance: bursts of every shape on one port, many at a time."""

from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random

import cocotb

from testbench.axi import AxiPort
from testbench.burst import Burst, Fixed, Incr, Wrap
from testbench.config import Config


@dataclass(frozen=True)
class Profile:
    """What traffic is like.

    Args:
        places: how many pieces of memory it goes to
        piece: length of such a piece in lines; a piece lies in one row
        banks: how many banks of each rank the pieces lie in; 0 for all
        writes: share of the writes
        longest: most beats of a burst
        partial: share of the writes that leave bytes out
    """

    places: int
    piece: int
    banks: int
    writes: float
    longest: int
    partial: float


PROFILES = {
    # a few lines that all fight for: merged, forwarded and waiting accesses
    "lines": Profile(places=3, piece=2, banks=0, writes=0.5, longest=4, partial=0.5),
    # rows of one bank of each rank: row conflicts
    "rows": Profile(places=12, piece=8, banks=1, writes=0.3, longest=8, partial=0.2),
    # all over memory
    "spread": Profile(places=500, piece=4, banks=0, writes=0.4, longest=16, partial=0.2),
    # far more writes than the queue holds
    "writes": Profile(places=80, piece=16, banks=0, writes=0.8, longest=32, partial=0.1),
}


class Traffic:
    """Chooses bursts by a profile."""

    def __init__(self, config: Config, profile: Profile, random: Random):
        self.config = config
        self.profile = profile
        self.random = random
        lines = config.row_bytes // config.line_bytes
        banks = random.sample(range(config.banks), profile.banks or config.banks)
        self.pieces = [
            config.address(
                rank=random.randrange(config.ranks),
                bank=random.choice(banks),
                row=random.randrange(1 << config.row_bits),
                offset=random.randrange(lines // profile.piece) * profile.piece * config.line_bytes,
                channel=random.randrange(config.channels),
            )
            for _ in range(profile.places)
        ]

    async def run(self, port: AxiPort, accesses: int, outstanding: int) -> None:
        """Sends so many bursts, with so many under way at most; the port checks the answers."""
        for _ in range(accesses):
            await port.room(outstanding)
            burst = self.burst()
            if self.random.random() < self.profile.writes:
                port.write(burst, self.random.randbytes(burst.length), self.strobes(burst))
            else:
                port.read(burst)

    def burst(self) -> Burst:
        config, random = self.config, self.random
        size = config.data_bytes
        if random.random() < 0.3:
            size = 1 << random.randrange(size.bit_length())
        id = random.randrange(1 << config.id_bits)
        address = random.choice(self.pieces) + random.randrange(self.profile.piece * config.line_bytes)
        kind = random.random()
        if kind < 0.1:
            return Fixed(address, random.randint(1, min(16, self.profile.longest)), size, id=id)
        if kind < 0.25:
            beats = random.choice([beats for beats in (2, 4, 8, 16) if beats <= self.profile.longest])
            return Wrap(address // size * size, beats, size, id=id)
        if random.random() < 0.7:
            address = address // size * size
        beats = random.randint(1, random.randint(1, self.profile.longest))
        return Incr(address, min(beats, -(-(4096 - address % 4096) // size)), size, id=id)

    def strobes(self, burst: Burst) -> bytes | None:
        """Which bytes are written: mostly all; else some by chance, or none."""
        if self.random.random() >= self.profile.partial:
            return None
        density = self.random.choice((0.0, 0.2, 0.5, 0.9))
        return bytes(self.random.random() < density for _ in range(burst.length))


def conflicts_without_pause(tb):
    """Row conflicts in one bank of each rank without pause, so that every rank always has an access waiting."""
    return _without_pause(tb, rows=16)


def hits_without_pause(tb):
    """Accesses to one row of each rank without pause: the ranks share the bus, and all want more of it."""
    return _without_pause(tb, rows=1)


@asynccontextmanager
async def _without_pause(tb, rows: int):
    """Accesses to so many rows of a bank of each rank; each rank has so many that are not answered that some are always
    in the queue. Answers of one id come in order, and a rank that waits for its oldest alone would run empty: so each
    has as many ids as there are."""
    ids = 1 << tb.config.id_bits
    ranks = tb.config.ranks
    most = max(8, 32 // ranks)

    async def one(rank: int) -> None:
        config = tb.config
        under_way = []
        while True:
            id = (rank + ranks * tb.random.randrange(max(1, ids // ranks))) % ids
            offset = tb.random.randrange(config.row_bytes // config.line_bytes) * config.line_bytes
            line = tb.line(config.address(rank, row=tb.random.randrange(rows), offset=offset), id=id)
            if tb.random.random() < 0.1:
                under_way.append(tb.port.write(line, tb.bytes(line.length)))
            else:
                under_way.append(tb.port.read(line))
            while len(under_way := [access for access in under_way if not access.done]) >= most:
                await tb.cycles(1)

    tasks = [cocotb.start_soon(one(rank)) for rank in range(ranks)]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
