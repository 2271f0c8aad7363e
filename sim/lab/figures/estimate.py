# SPDX-License-Identifier: Apache-2.0
"""A mean of some starts, and how far chance may have moved it."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from scipy import stats

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A mean and its 95 % interval (Student's t over the starts). With one start there is no interval: None."""

    mean: float
    low: float | None
    high: float | None
    starts: int

    def row(self) -> dict:
        def rounded(value: float | None) -> float | None:
            return None if value is None else round(value, 5)

        return {
            "mean": rounded(self.mean),
            "low": rounded(self.low),
            "high": rounded(self.high),
            "starts": self.starts,
        }


def over_programs(of_programs: list[list[float]]) -> list[float]:
    """For each start the mean over the programs, of each of which there is a value for each start."""
    return [statistics.fmean(start) for start in zip(*of_programs, strict=True)]


def of(values: list[float]) -> Estimate:
    """Of one value for each start, at least one."""
    mean, count = statistics.fmean(values), len(values)
    if count == 1:
        return Estimate(mean, None, None, 1)
    half = stats.t.ppf((1 + CONFIDENCE) / 2, count - 1) * statistics.stdev(values) / count**0.5
    return Estimate(mean, mean - half, mean + half, count)
