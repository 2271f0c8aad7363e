# SPDX-License-Identifier: Apache-2.0
"""How long the slowest reads take beside hostile ones, with banks of all and with private ones."""

from dataclasses import dataclass

from palloc_isolation import ALONE, BARS
from slowdown import Slowdown


@dataclass(frozen=True)
class Tail(Slowdown):
    def speed(self, core: dict) -> float:
        """That of the slowest read in a hundred."""
        return 1 / core["read_latency"]["p99"]


FIGURE = Tail(
    title="The slowest read in a hundred beside three copies of STREAM, in all banks and in private ones",
    source='PALLOC (slides), "Real-Time Performance", which has no numbers in its text: a program that has deadlines',
    bars=BARS,
    alone=ALONE,
    sayings={},
    explanation=(
        "The paper shows how long the jobs of a program with deadlines take. A job is late when its reads are, and the "
        "latency of each read is what the lab measures."
    ),
)
