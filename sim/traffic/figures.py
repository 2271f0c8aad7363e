# SPDX-License-Identifier: Apache-2.0
"""The figures that Weir is to reach, and what was measured of each.

A figure that was not measured or was missed is shown as such; nothing here ends a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

from matrix import DEFAULT_SYSTEM
from rich.table import Table
from systems import SYSTEMS
from table import pairs


@dataclass(frozen=True)
class Figure:
    """One demand: `measured` must be at least (or at most) `limit`; None when it could not be measured. `weir` and
    `litedram` are what it was made of, in the unit that `of` names."""

    figure: str
    of: str
    relation: str  # ">=" or "<="
    limit: float
    measured: float | None
    weir: float | None = None
    litedram: float | None = None

    @property
    def met(self) -> bool:
        if self.measured is None:
            return False
        return self.measured >= self.limit if self.relation == ">=" else self.measured <= self.limit

    def describe(self) -> dict:
        """An entry of `figures` in compare.json."""
        return {**asdict(self), "met": self.met}


# (figure, pattern, ports, ids, least share of the bus, least ratio to LiteDRAM's or None)
THROUGHPUT = (
    ("random 64-byte read, 1 port, 16 ids", "random_read", 1, 16, 0.60, 8.0),
    ("random read, 4 ports x 8 ids", "random_read", 4, 8, 0.80, 3.5),
    ("random 2:1 read:write, 1 port, 16 ids", "random_2to1", 1, 16, 0.52, 8.0),
    ("runs of 16 reads and 16 writes, 1 port, 16 ids", "alternating_runs", 1, 16, 0.80, None),
    ("busy bank, a quarter of the reads, 1 port, 16 ids", "busy_bank_quarter", 1, 16, 0.35, 4.5),
)
SEQUENTIAL = (
    ("sequential read, 1 port, 16 ids", "sequential_read", 0.97),
    ("sequential write, 1 port, 16 ids", "sequential_write", 0.97),
)
IDLE = (("row hit", "idle_row_hit"), ("row closed", "idle_row_closed"), ("row conflict", "idle_row_conflict"))
IDLE_RATIO = 0.8


@dataclass(frozen=True)
class Core:
    """What is demanded of a Weir whose area is compared, with one port on its own system. `shares` are (pattern,
    ids, bytes, least share of the bus; of the bound for streams, if `streams_by_bound`); `rates` the same with the
    least MB/s at its own clock, times LiteDRAM's at its own; for `idle` (pattern, ids, bytes) it takes no more ns."""

    name: str
    least_fmax: dict[int, float]  # by speed grade, times LiteDRAM's
    most_luts: int | None = None  # LUT equivalents
    most_luts_ratio: float | None = None  # times LiteDRAM's
    shares: tuple[tuple[str, int, int, float], ...] = ()
    streams_by_bound: bool = False
    rates: tuple[tuple[str, int, int, float], ...] = ()
    idle: tuple[tuple[str, int, int], ...] = ()


CORES = (
    Core(
        "ecp5-lite",
        most_luts_ratio=1.2,
        least_fmax={6: 1.1, 8: 1.1},
        shares=(
            ("sequential_read", 1, 64, 0.95),
            ("sequential_read", 1, 16, 0.95),
            ("sequential_write", 1, 64, 0.95),
            ("random_read", 16, 64, 0.80),
            ("random_read", 16, 16, 0.60),
        ),
        rates=(
            ("sequential_read", 1, 64, 1),
            ("sequential_read", 1, 16, 1),
            ("sequential_write", 1, 64, 1),
            ("random_read", 16, 64, 1),
            ("random_read", 16, 16, 1),
            ("random_2to1", 16, 64, 1),
            ("random_2to1", 16, 16, 1),
        ),
        idle=tuple((pattern, 1, size) for pattern in ("idle_row_hit", "idle_row_conflict") for size in (64, 16)),
    ),
    # a rank of 4 Gb chips cannot give more than 0.967 of its bus, as it is refreshed: streams are measured by the bound
    Core(
        "ecp5-mid",
        most_luts_ratio=2.5,
        least_fmax={8: 1.0},
        shares=(
            ("sequential_read", 1, 64, 0.97),
            ("sequential_write", 1, 64, 0.97),
            ("random_read", 16, 64, 0.90),
            ("random_read", 16, 16, 0.85),
            ("random_2to1", 16, 64, 0.75),
            ("random_2to1", 16, 16, 0.75),
        ),
        streams_by_bound=True,
    ),
    *(
        Core(
            name,
            most_luts=30_000,
            least_fmax={8: 0.5},
            rates=tuple((pattern, 16, size, 5) for pattern in ("random_read", "random_2to1") for size in (64, 16)),
        )
        for name in ("ecp5-full", "ecp5-full-4phase")
    ),
)


def ratio(one: float | None, other: float | None) -> float | None:
    return one / other if one is not None and other else None


def figures(found: dict) -> list[Figure]:
    """All demands, from what compare.json holds otherwise (`rows`, `area`, `own_clock`, `starvation`)."""
    return [
        *traffic(found["rows"]),
        *idle(found["rows"]),
        *(figure for core in CORES for figure in area(core, found["area"])),
        *(figure for core in CORES for figure in board(core, found)),
        *starvation(found["starvation"]),
    ]


def row_finder(rows: list[dict]) -> Callable[..., dict]:
    """The row of a controller and pattern with bursts of 64 bytes on the default system; empty when it was not run."""
    by_point = {(r["config"], r["controller"], r["pattern"], r["ports"], r["ids"], r["burst_bytes"]): r for r in rows}

    def find(controller: str, pattern: str, ports: int, ids: int) -> dict:
        return by_point.get((DEFAULT_SYSTEM, controller, pattern, ports, ids, 64), {})

    return find


def traffic(rows: list[dict]) -> Iterator[Figure]:
    find = row_finder(rows)
    for figure, pattern, least in SEQUENTIAL:
        weir, litedram = (find(controller, pattern, 1, 16) for controller in ("weir", "litedram"))
        shares = [ratio(row.get("efficiency"), row.get("bound")) for row in (weir, litedram)]
        yield Figure(figure, "share of the bound", ">=", least, shares[0], *shares)
    for figure, pattern, ports, ids, share, times in THROUGHPUT:
        weir, litedram = (
            find(controller, pattern, ports, ids).get("efficiency") for controller in ("weir", "litedram")
        )
        yield Figure(figure, "share of the bus", ">=", share, weir, weir, litedram)
        if times is not None:
            yield Figure(figure, "times LiteDRAM", ">=", times, ratio(weir, litedram), weir, litedram)


def idle(rows: list[dict]) -> Iterator[Figure]:
    find = row_finder(rows)
    for state, pattern in IDLE:
        weir, litedram = (
            find(controller, pattern, 1, 1).get("read_latency_mean") for controller in ("weir", "litedram")
        )
        of = "times LiteDRAM, mean DRAM clocks"
        yield Figure(f"idle read latency, {state}", of, "<=", IDLE_RATIO, ratio(weir, litedram), weir, litedram)


def area(core: Core, rows: list[dict]) -> Iterator[Figure]:
    cores = {row["core"]: row for row in rows}
    weir, litedram = (
        cores.get(f"{controller} {SYSTEMS[core.name].of(controller)}", {}) for controller in ("weir", "litedram")
    )
    luts = weir.get("lut_equivalents"), litedram.get("lut_equivalents")
    area_of = f"{core.name}: LUT equivalents"
    if core.most_luts is not None:
        yield Figure(area_of, "LUT equivalents", "<=", core.most_luts, luts[0], *luts)
    if core.most_luts_ratio is not None:
        yield Figure(area_of, "times LiteDRAM", "<=", core.most_luts_ratio, ratio(*luts), *luts)
    for grade, least in core.least_fmax.items():
        both = tuple(row.get(f"fmax_speed{grade}_mhz") for row in (weir, litedram))
        name = f"{core.name}: Fmax in MHz, speed grade {grade}"
        yield Figure(name, "times LiteDRAM", ">=", least, ratio(*both), *both)


def board(core: Core, found: dict) -> Iterator[Figure]:
    """Of a core whose area is compared."""

    def by_point(rows: list[dict]) -> dict[tuple[str, int, int], tuple[dict, dict]]:
        of_core = [row for row in rows if row["config"] == core.name]
        return {(weir["pattern"], weir["ids"], weir["burst_bytes"]): (weir, other) for weir, other in pairs(of_core)}

    own_clock, traffic_rows = by_point(found["own_clock"]), by_point(found["rows"])

    def both(rows: dict, point: tuple[str, int, int], key: str) -> tuple[float | None, float | None]:
        weir, litedram = rows.get(point, ({}, {}))
        return weir.get(key), litedram.get(key)

    def named(pattern: str, ids: int, size: int) -> str:
        return f"{core.name}: {pattern.replace('_', ' ')}, {ids} id{'s' if ids > 1 else ''}, {size} bytes"

    for *at, least in core.shares:
        point = tuple(at)
        shares = both(traffic_rows, point, "efficiency")
        of = "share of the bus"
        if core.streams_by_bound and point[0].startswith("sequential"):
            shares = tuple(map(ratio, shares, both(traffic_rows, point, "bound")))
            of = "share of the bound"
        yield Figure(named(*point), of, ">=", least, shares[0], *shares)
    for *at, least in core.rates:
        rates = both(own_clock, tuple(at), "mb_s")
        yield Figure(named(*at), "times LiteDRAM, MB/s at own clock", ">=", least, ratio(*rates), *rates)
    for point in core.idle:
        times = both(own_clock, point, "latency_ns")
        yield Figure(named(*point), "times LiteDRAM, ns at own clock", "<=", 1, ratio(*times), *times)


def starvation(storms: list[dict]) -> Iterator[Figure]:
    worst = max(storms, key=lambda storm: storm["oldest_read_wait"] / storm["bound"], default=None)
    limit = worst["bound"] if worst else 0
    longest = worst["oldest_read_wait"] if worst else None
    yield Figure("longest wait of the oldest read under a storm of row hits", "cycles", "<=", limit, longest, longest)


def number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.0f}" if value == int(value) or value >= 1000 else f"{value:.3f}" if value < 10 else f"{value:.1f}"


def table(found: list[Figure]) -> Table:
    """Must, measured and met of each figure."""
    shown = Table(title="What Weir must reach")
    shown.add_column("figure")
    shown.add_column("measure")
    for name in ("Weir", "LiteDRAM", "must", "measured"):
        shown.add_column(name, justify="right", no_wrap=True)
    shown.add_column("met")
    for figure in found:
        shown.add_row(
            figure.figure,
            figure.of,
            number(figure.weir),
            number(figure.litedram),
            f"{figure.relation} {number(figure.limit)}",
            number(figure.measured),
            "[green]yes" if figure.met else "[red]no",
        )
    return shown


def refresh_table(policies: list[dict]) -> Table:
    """Throughput of each refresh policy, and its share of that without refresh."""
    shown = Table(title="Refresh policies: four ranks, random, nine reads to a write, 16 ids")
    shown.add_column("DRAM")
    shown.add_column("policy")
    shown.add_column("share of the bus", justify="right")
    shown.add_column("of none", justify="right")
    for entry in policies:
        shown.add_row(entry["config"], entry["policy"], f"{entry['efficiency']:.4f}", number(entry["share_of_none"]))
    return shown


def area_table(rows: list[dict]) -> Table:
    """Area and Fmax of the cores; Fmax as median of the seeds with the least and the most."""
    shown = Table(title="ECP5-85F, out of context: area, and Fmax in MHz as median (least to most) of the seeds")
    shown.add_column("core")
    for name in ("LUT equivalents", "FF", "EBR", "DSP", "speed grade 6", "speed grade 8"):
        shown.add_column(name, justify="right")
    for row in rows:
        fmax = [
            "{:.1f} ({:.1f} to {:.1f})".format(
                *(row[f"fmax_speed{grade}_{kind}mhz"] for kind in ("", "least_", "most_"))
            )
            if f"fmax_speed{grade}_mhz" in row
            else "-"
            for grade in (6, 8)
        ]
        shown.add_row(row["core"], *(str(row[key]) for key in ("lut_equivalents", "ff", "ebr", "dsp")), *fmax)
    return shown
