# SPDX-License-Identifier: Apache-2.0
"""What a board's user gets: throughput and latency at a core's own clock, and what that core costs, in one row.

Cycles are those of the traffic on the system, whose timings are in clocks of the system's frequency; area and clock are
of the same Verilog. At a higher clock the timings take more clocks, so that rows of random addresses promise too much.
"""

from __future__ import annotations

from bound import bytes_per_clock
from rich.table import Table
from systems import SYSTEMS
from table import pairs

NAMES = {"weir": "Weir", "litedram": "LiteDRAM"}


def rows(traffic: list[dict], area: list[dict]) -> list[dict]:
    """Of each traffic row whose core's area and clock were measured: `config`, `controller`, `pattern`, `ports`, `ids`,
    `burst_bytes`; `lut_equivalents`, `ff`, `ebr`, `fmax_speed8_mhz`; `share` of the bus, `mb_s` in 10^6 bytes a second,
    and `latency_ns`, the mean of reads from the AR handshake to the first beat (None without reads)."""
    cores = {row["core"]: row for row in area}
    found = []
    for row in traffic:
        system = SYSTEMS[row["config"]]
        core = cores.get(f"{row['controller']} {system.of(row['controller'])}")
        mhz = core and core.get("fmax_speed8_mhz")
        if mhz is None:
            continue
        latency = row["read_latency_mean"]
        found.append(
            {
                **{key: row[key] for key in ("config", "controller", "pattern", "ports", "ids", "burst_bytes")},
                **{key: core[key] for key in ("lut_equivalents", "ff", "ebr", "fmax_speed8_mhz")},
                "share": row["efficiency"],
                "mb_s": round(row["efficiency"] * bytes_per_clock(system) * system.phases * mhz, 1),
                "latency_ns": None if latency is None else round(latency / system.phases / mhz * 1e3, 1),
            }
        )
    return found


def table(found: list[dict]) -> Table:
    """Both controllers at their own clocks, point by point."""
    shown = Table(title="At the core's own clock, ECP5-85F speed grade 8: 10^6 bytes a second, mean read latency in ns")
    shown.add_column("pattern", no_wrap=True)
    for name in ("ids", "bytes", "Weir", "LiteDRAM", "ratio", "Weir ns", "LiteD. ns", "ratio"):
        shown.add_column(name, justify="right")
    config = None
    for weir, litedram in pairs(found):
        if weir["config"] != config:
            config = weir["config"]
            shown.add_section()
            for row in (weir, litedram):
                costs = f"{row['lut_equivalents']} LUTs, {row['ff']} FF, {row['ebr']} EBR, {row['fmax_speed8_mhz']} MHz"
                shown.add_row(f"[bold]{NAMES[row['controller']]} {config}: {costs}")
        latencies = ["", "", ""]
        if weir["latency_ns"] is not None:
            latencies = [f"{row['latency_ns']:.0f}" for row in (weir, litedram)]
            latencies.append(f"{weir['latency_ns'] / litedram['latency_ns']:.2f}")
        shown.add_row(
            weir["pattern"],
            str(weir["ids"]),
            str(weir["burst_bytes"]),
            f"{weir['mb_s']:.0f}",
            f"{litedram['mb_s']:.0f}",
            f"{weir['mb_s'] / litedram['mb_s']:.2f}",
            *latencies,
        )
    return shown
