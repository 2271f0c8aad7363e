# SPDX-License-Identifier: Apache-2.0
"""How long the slowest reads take beside hostile ones, with banks of all and with private ones."""

from dataclasses import dataclass

from captured import workloads
from figure import Results
from palloc_isolation import ALONE, BARS
from slowdown import Slowdown

LEAST_READS = 1000
"""Of a program in each run: of fewer, ten are the slowest in a hundred, or none are there."""


@dataclass(frozen=True)
class Tail(Slowdown):
    """Of the programs that read the DRAM enough."""

    def speed(self, core: dict) -> float:
        """That of the slowest read in a hundred."""
        return 1 / core["read_latency"]["p99"]

    def _reading(self, results: Results, programs: list[str]) -> list[str]:
        """Those of the programs that have enough reads in each of their runs."""
        few = {
            wanted.program
            for wanted, result in results.items()
            if result["cores"][0]["read_latency"]["count"] < LEAST_READS
        }
        return [
            program for program in programs if few.isdisjoint((workloads.alone(program), workloads.beside(program)))
        ]

    def rows(self, results: Results, programs: list[str]) -> list[dict]:
        reading = self._reading(results, programs)
        return super().rows(results, reading) if reading else []


FIGURE = Tail(
    title="The slowest read in a hundred beside three copies of STREAM, in all banks and in private ones",
    source='PALLOC (slides), "Real-Time Performance", which has no numbers in its text: a program that has deadlines',
    bars=BARS,
    alone=ALONE,
    sayings={},
    explanation=(
        "The paper shows how long the jobs of a program with deadlines take. A job is late when its reads are, and the "
        "latency of each read is what the lab measures. perl, sqlite, xalan, mg and glpsol have too few reads alone: "
        "the shared cache holds them. The slowest read in a hundred takes 3.75 times as long as alone in all banks, "
        "2.80 times in private ones; what is left is the bus and drains of writes, as of the other figures."
    ),
)
