# SPDX-License-Identifier: Apache-2.0
"""The head to head as tables for the terminal."""

from __future__ import annotations

from collections import Counter

from rich.table import Table


def pairs(rows: list[dict]) -> list[tuple[dict, dict]]:
    """Weir's and LiteDRAM's row of each point that has both."""
    key = ("config", "pattern", "ports", "ids", "burst_bytes")
    by_point: dict[tuple, dict[str, dict]] = {}
    for row in rows:
        by_point.setdefault(tuple(row[name] for name in key), {})[row["controller"]] = row
    return [(both["weir"], both["litedram"]) for both in by_point.values() if len(both) == 2]


def table(rows: list[dict]) -> Table:
    """Efficiency and read latency of both controllers, point by point."""
    shown = Table(title="Share of the data bus's peak; mean and 99th percentile of read latency in DRAM clocks")
    shown.add_column("pattern", no_wrap=True)
    for name in (
        "ports",
        "ids",
        "bytes",
        "Weir",
        "LiteDRAM",
        "ratio",
        "bound",
        "Weir mean",
        "p99",
        "LiteD. mean",
        "p99",
    ):
        shown.add_column(name, justify="right")

    def clocks(value: float | None) -> str:
        return "" if value is None else f"{value:.0f}"

    config = None
    for weir, litedram in pairs(rows):
        if weir["config"] != config:
            config = weir["config"]
            shown.add_section()
            shown.add_row(f"[bold]{config}")
        shown.add_row(
            weir["pattern"],
            str(weir["ports"]),
            str(weir["ids"]),
            str(weir["burst_bytes"]),
            f"{weir['efficiency']:.3f}",
            f"{litedram['efficiency']:.3f}",
            f"{weir['efficiency'] / litedram['efficiency']:.2f}",
            f"{weir['bound']:.3f}",
            *(clocks(row[name]) for row in (weir, litedram) for name in ("read_latency_mean", "read_latency_p99")),
        )
    return shown


def violations(rows: list[dict]) -> Table:
    """Broken protocol rules of each controller over all rows."""
    shown = Table(title="Protocol violations that the DRAM model counted")
    for name in ("controller", "rule"):
        shown.add_column(name)
    for name in ("count", "rows with it", "of rows"):
        shown.add_column(name, justify="right")
    for controller in dict.fromkeys(row["controller"] for row in rows):
        own = [row for row in rows if row["controller"] == controller]
        total: Counter[str] = Counter()
        for row in own:
            total.update(row["violations"])
        if not total:
            shown.add_row(controller, "none", "0", "0", str(len(own)))
        for rule, count in sorted(total.items()):
            shown.add_row(
                controller, rule, str(count), str(sum(rule in row["violations"] for row in own)), str(len(own))
            )
    return shown
