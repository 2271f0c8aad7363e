# SPDX-License-Identifier: Apache-2.0
"""The programs: how often they miss, how much they touch, how often a row is open for them."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

import estimate
from captured import programs as table
from figure import Compared, Figure, Results, Setting, accesses, of_starts

SETTING = Setting("paper", "staggered")


def misses(result: dict) -> float:
    """Of the shared cache, in 1000 instructions, of all cores."""
    cores = result["cores"]
    return 1000 * sum(core["llc_misses"] for core in cores) / sum(core["instructions"] for core in cores)


def row_hits(result: dict) -> float:
    """The share of the column commands whose row had served another since its activate."""
    ranks = [rank for channel in result["dram"] for rank in channel["ranks"]]
    hits = sum(rank["hit_reads"] + rank["hit_writes"] for rank in ranks)
    return hits / sum(rank["reads"] + rank["writes"] for rank in ranks)


def written(result: dict) -> float:
    """The share of the DRAM accesses that are writes."""
    return result["writes"] / accesses(result)


def footprint(result: dict) -> float:
    """MiB of pages that a copy touches in its whole trace, mean over the copies."""
    return statistics.fmean(core["pages"] for core in result["cores"]) * 4096 / 2**20


def of_kernel(result: dict) -> float:
    """The share of the kernel's accesses in a copy's whole trace, before any cache; mean over the copies."""
    return statistics.fmean(core["kernel_share"] for core in result["cores"])


LEAST = 2e6 / 1.5e9
"""DRAM accesses for an instruction from which on a program is memory bound: those of the paper's quietest one, 2
million in 1.5 thousand million (section V.D)."""


def check_memory_bound(program: table.Program, runs: list[dict]) -> None:
    """Raises ValueError where programs.yaml says otherwise of a program than the mean of its runs."""
    rate = statistics.fmean(accesses(result) / sum(core["instructions"] for core in result["cores"]) for result in runs)
    if (rate >= LEAST) != program.memory_bound:
        raise ValueError(
            f"programs.yaml: {program.name}.memory_bound is {str(program.memory_bound).lower()}, but it has"
            f" {1000 * rate:.3f} DRAM accesses in 1000 instructions; it is memory bound from {1000 * LEAST:.3f} on"
        )


QUANTITIES = {
    "misses in 1000 instructions": misses,
    "row hits": row_hits,
    "writes": written,
    "footprint of a copy, MiB": footprint,
    "accesses of the kernel": of_kernel,
}


@dataclass(frozen=True)
class Programs(Figure):
    title = "The programs, eight copies of each, on the machine of Rank Assignment"
    source = "Rank Assignment, Table III and section V.C, name the programs and have no such numbers"
    explanation = ""

    def settings(self) -> tuple[Setting, ...]:
        return (SETTING,)

    def programs(self, known: dict[str, table.Program]) -> list[str]:
        return list(known)

    def rows(self, results: Results, programs: list[str]) -> list[dict]:
        found, known = [], table.load()
        for program in programs:
            runs = of_starts(results, SETTING, program)
            check_memory_bound(known[program], runs)
            for quantity, measure in QUANTITIES.items():
                values = estimate.of([measure(run) for run in runs])
                found.append({"program": program, "quantity": quantity, **values.row()})
        return found

    def compared(self, results: Results, programs: list[str]) -> list[Compared]:
        return []

    def draw(self, rows: list[dict], axes) -> None:
        programs = list(dict.fromkeys(row["program"] for row in rows))
        drawn = {
            quantity: [row["mean"] for row in rows if row["quantity"] == quantity]
            for quantity in ("misses in 1000 instructions", "row hits")
        }
        axes.bar(range(len(programs)), drawn["misses in 1000 instructions"], 0.6)
        axes.set_yscale("log")
        axes.set_ylabel("misses in 1000 instructions")
        axes.set_xticks(range(len(programs)), programs, rotation=45, ha="right")
        second = axes.twinx()
        second.plot(range(len(programs)), drawn["row hits"], "oC1")
        second.set_ylim(0, 1)
        second.set_ylabel("row hits")


FIGURE = Programs()
