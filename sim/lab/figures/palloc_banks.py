# SPDX-License-Identifier: Apache-2.0
"""One program with fewer banks."""

from collections.abc import Iterator
from dataclasses import dataclass

from captured import workloads
from execution_time import ExecutionTime, time_of_instructions
from figure import Setting, Wanted


@dataclass(frozen=True)
class OfOneCopy(ExecutionTime):
    """By the time for as many instructions: a program that the cache holds alone has no DRAM access."""

    def wanted(self, programs: list[str], starts: int) -> Iterator[Wanted]:
        yield from super().wanted([self.workload(program) for program in programs], starts)

    def measure(self, result: dict) -> float:
        return time_of_instructions(result)

    def workload(self, program: str) -> str:
        return workloads.alone(program)


FIGURE = OfOneCopy(
    title="One copy alone, with 4, 8 and 16 banks",
    source='PALLOC (slides), "Performance Impact on Unicore", which has no numbers in its text',
    bars={
        "16 banks": Setting("palloc", "defer_until_empty"),
        "8 banks": Setting("palloc", "defer_until_empty", "palloc_8_banks"),
        "4 banks": Setting("palloc", "defer_until_empty", "palloc_4_banks"),
    },
    reference="16 banks",
    sayings=(),
    explanation=(
        "With half and a quarter of the banks a read waits for its row for 1.5 and 2.3 cycles of the controller, of "
        "1.2 (experiments/read_waits.py). Page colours that choose banks choose sets of the shared cache, too: with "
        "half and a quarter of it the programs have 12.7 and 15.6 misses in 1000 instructions, of 8.3. Ten of the 18 "
        "lose 3 and 5 % of their speed; fft, of which the whole cache holds all and half of it little, is 14 and 19 "
        "times slower, and the other seven are those that the cache holds in good part."
    ),
)
