# SPDX-License-Identifier: Apache-2.0
"""One program with fewer banks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from captured import workloads
from execution_time import ExecutionTime, time
from figure import Results, Setting, Wanted


@dataclass(frozen=True)
class OfOneCopy(ExecutionTime):
    def wanted(self, programs: list[str], starts: int) -> Iterator[Wanted]:
        yield from super().wanted([workloads.alone(program) for program in programs], starts)

    def _shares(
        self, results: Results, program: str, label: str, than: str, measure: Callable[[dict], float] = time
    ) -> list[float]:
        return super()._shares(results, workloads.alone(program), label, than, measure)


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
)
