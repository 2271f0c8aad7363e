# SPDX-License-Identifier: Apache-2.0
"""What the results of the runs in a folder say on average."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from pathlib import Path

import records

READS = ("read_hits", "read_misses", "read_conflicts")
"""The counters of Weir that together have all reads."""
RESULT = {"cores": list, "counters": dict}
"""Fields of a run's result that quantities are of."""


def mean(of: list[list[float]]) -> list[float]:
    return [statistics.fmean(each) for each in zip(*of, strict=True)]


def mean_of_runs(folder: Path, quantities: Callable[[dict], list[float]]) -> list[float]:
    """Means of the quantities of each result. Raises RecordError."""
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise records.RecordError(f"{folder}: has no record of a run")
    found = []
    for path in paths:
        result = records.read(path, {"result": dict})["result"]
        found.append(quantities(records.fields(f"{path}: result", result, RESULT)))
    return mean(found)
