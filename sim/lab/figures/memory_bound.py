# SPDX-License-Identifier: Apache-2.0
"""Which programs Rank Assignment's averages are over: those that access the DRAM as often as the paper's do."""

from __future__ import annotations

from figure import Results, Setting, Wanted, accesses, seeds

LEAST = 2e6 / 1.5e9
"""DRAM accesses for an instruction of the paper's quietest program: 2 million in 1.5 thousand million (section V.D)."""


def rate(result: dict) -> float:
    """DRAM accesses for an instruction, of all cores."""
    return accesses(result) / sum(core["instructions"] for core in result["cores"])


def memory_bound(results: Results, setting: Setting, programs: list[str]) -> list[str]:
    """Those whose runs on a setting all have at least that many; all programs where there is none."""
    found = [
        program
        for program in programs
        if all(rate(results[Wanted(setting, program, seed)]) >= LEAST for seed in seeds(results))
    ]
    return found or programs
