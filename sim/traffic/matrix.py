# SPDX-License-Identifier: Apache-2.0
"""Which rows the head to head measures: pattern, memory system, ports, ids, burst length."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from systems import SYSTEMS

RANDOM = ("random_read", "random_write", "random_2to1", "random_1to1")
IDLE = ("idle_latency", "idle_row_hit", "idle_row_closed", "idle_row_conflict")
SEQUENTIAL = ("sequential_read", "sequential_write")

DEFAULT_SYSTEM = "ddr3-2rank"
SMALL_SYSTEM = "ddr3-x16"
BOARD_SYSTEM = "ecp5-lite"
FOUR_PHASE_SYSTEM = "ecp5-lite-4phase"
COMPARED_SYSTEMS = tuple(
    name for name, system in SYSTEMS.items() if {name, system.like} & {BOARD_SYSTEM, FOUR_PHASE_SYSTEM}
)


@dataclass(frozen=True)
class Point:
    """One row, to be measured on both controllers. `ids` are AXI ids of each port."""

    system: str
    pattern: str
    ports: int
    ids: int
    burst_bytes: int


def quick() -> Iterator[Point]:
    """Every pattern at the points that tell most."""
    for pattern in SEQUENTIAL:
        yield from (Point(DEFAULT_SYSTEM, pattern, 1, 1, size) for size in (16, 64, 256))
        yield from (Point(DEFAULT_SYSTEM, pattern, ports, 4, 64) for ports in (1, 2, 4))
        yield Point(DEFAULT_SYSTEM, pattern, 1, 16, 64)
    yield Point(DEFAULT_SYSTEM, "alternating_runs", 1, 16, 64)
    for pattern in RANDOM:
        yield from (Point(DEFAULT_SYSTEM, pattern, 1, ids, 64) for ids in (1, 2, 4, 8, 16))
        yield from (Point(DEFAULT_SYSTEM, pattern, 1, 16, size) for size in (16, 256))
        yield from (Point(DEFAULT_SYSTEM, pattern, ports, 4, 64) for ports in (2, 4))
    yield Point(DEFAULT_SYSTEM, "random_read", 4, 8, 64)
    yield Point(DEFAULT_SYSTEM, "random_9to1", 1, 16, 64)
    for pattern in ("strided_bank", "busy_bank", "busy_bank_quarter"):
        yield from (Point(DEFAULT_SYSTEM, pattern, 1, ids, 64) for ids in (4, 16))
    yield from (Point(DEFAULT_SYSTEM, "row_hit_storm", ports, 16, 64) for ports in (1, 4))
    yield from (Point(DEFAULT_SYSTEM, pattern, 1, 1, 64) for pattern in IDLE)

    for pattern in SEQUENTIAL:
        yield Point(SMALL_SYSTEM, pattern, 1, 1, 64)
    for pattern in RANDOM:
        yield Point(SMALL_SYSTEM, pattern, 1, 8, 64)
    for pattern in ("alternating_runs", "strided_bank", "busy_bank", "busy_bank_quarter"):
        yield Point(SMALL_SYSTEM, pattern, 1, 8, 64)
    yield from (Point(SMALL_SYSTEM, pattern, 1, 1, 64) for pattern in IDLE)


def board() -> Iterator[Point]:
    """The controllers whose area is compared with LiteDRAM's, beside LiteDRAM at their parameters."""
    for system in COMPARED_SYSTEMS:
        for pattern in SEQUENTIAL:
            yield from (Point(system, pattern, 1, 1, size) for size in (16, 64, 256))
        for pattern in RANDOM:
            yield from (Point(system, pattern, 1, ids, 64) for ids in (1, 4, 16))
        yield from (Point(system, pattern, 1, 16, 16) for pattern in ("random_read", "random_2to1"))
        for pattern in ("alternating_runs", "strided_bank", "busy_bank", "busy_bank_quarter"):
            yield Point(system, pattern, 1, 16, 64)
        yield from (Point(system, pattern, 1, 1, size) for pattern in IDLE for size in (16, 64))


def usual() -> Iterator[Point]:
    """What `make traffic` measures: the full-featured controllers, and the board's."""
    yield from quick()
    yield from board()


def full() -> Iterator[Point]:
    """All of `usual`, and the grid around it."""
    yield from usual()
    for system in (DEFAULT_SYSTEM, SMALL_SYSTEM):
        for size in (16, 32, 64, 128, 256):
            for pattern in SEQUENTIAL:
                yield from (Point(system, pattern, 1, ids, size) for ids in (1, 16))
            for pattern in RANDOM:
                yield from (Point(system, pattern, 1, ids, size) for ids in (1, 4, 8, 16))
            yield from (Point(system, "strided_bank", 1, ids, size) for ids in (1, 8))
            yield from (Point(system, "busy_bank", 1, ids, size) for ids in (2, 8, 16))
            yield Point(system, "idle_latency", 1, 1, size)
    for ports in (2, 4):
        for size in (64, 256):
            for pattern in SEQUENTIAL:
                yield from (Point(DEFAULT_SYSTEM, pattern, ports, ids, size) for ids in (1, 4))
            for pattern in RANDOM:
                yield from (Point(DEFAULT_SYSTEM, pattern, ports, ids, size) for ids in (1, 4, 16))
            yield Point(DEFAULT_SYSTEM, "strided_bank", ports, 4, size)
            yield Point(DEFAULT_SYSTEM, "busy_bank", ports, 4, size)
            yield Point(DEFAULT_SYSTEM, "idle_latency", ports, 1, size)


MATRICES = {"quick": quick, "board": board, "usual": usual, "full": full}


def points(name: str) -> list[Point]:
    """The points of a matrix, each once: by system and pattern, then from few and short to many and long."""
    unique = list(dict.fromkeys(MATRICES[name]()))
    systems = list(dict.fromkeys(point.system for point in unique))
    patterns = list(dict.fromkeys(point.pattern for point in unique))

    def place(point: Point) -> tuple:
        return systems.index(point.system), patterns.index(point.pattern), point.ports, point.burst_bytes, point.ids

    return sorted(unique, key=place)
