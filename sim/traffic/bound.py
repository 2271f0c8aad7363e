# SPDX-License-Identifier: Apache-2.0
"""The bound of each pattern: the most of the data bus's peak that the part's timings and refresh allow.

Efficiency is useful bytes over the bytes that the data bus could carry in the same time (2 x DQ/8 bytes in each DRAM
clock). Every function here states an upper limit that no controller can pass in the long run, whatever its buffers;
the bound of a pattern is the least of its limits. Where a cost can be hidden by a clever enough controller it is not
charged, so the bound may lie above what can be reached, never below. Three costs are not charged for this reason:

- Read/write turnaround. A controller may answer writes at once and keep them, so it needs to turn the bus around only
  as often as its write buffer fills; with buffer enough the share of the turnarounds tends to zero.
- The latency of PHY and controller, which adds to the part's own wherever few bursts are in flight.
- The gap between bursts of two ranks (tRTRS), which reordering makes as rare as one likes.

Times are DRAM clocks of the system (nanoseconds rounded up, JESD79-3F).
"""

from __future__ import annotations

from systems import System

# Controller cycles from the last R beat of a read to the AR handshake of the next in the idle patterns: 8 to 39, drawn
# evenly, and the cycle in which the address is offered (patterns.cpp).
IDLE_CYCLES = 24.5


def lines(system: System, burst_bytes: int) -> int:
    """DRAM bursts that an AXI burst needs; it is aligned to its own size."""
    return max(1, burst_bytes // system.line_bytes)


def bytes_per_clock(system: System) -> float:
    return system.line_bytes / system.part.burst_clocks


def data_clocks(system: System, burst_bytes: int) -> float:
    """DRAM clocks in which the data bus could carry the useful bytes of an AXI burst."""
    return burst_bytes / bytes_per_clock(system)


def refresh_share(system: System) -> float:
    """Share of the time in which a rank takes no command because it refreshes: a refresh each tREFI keeps the rank busy
    for tRFC. That its banks must be closed before and opened after is not charged: up to eight refreshes may be put off
    and done in a row, and idle banks may be closed already. Nothing is charged where groups of banks refresh apart: the
    rank takes commands for the others."""
    if system.refresh_groups > 1:
        return 0.0
    part = system.part
    return part.clocks(part.trfc) / (part.trefi / part.tck)


def refresh_limit(system: System) -> float:
    """Share of the time in which some rank can carry data. One rank: all but its refreshes. Several: their refreshes
    need not coincide, and while one refreshes the bus serves another, so nothing is lost."""
    return 1.0 if system.ranks > 1 else 1 - refresh_share(system)


def axi_limit(system: System, ports: int, burst_bytes: int, reads: float) -> float:
    """A port moves one beat in each direction in a controller cycle. A beat carries no more than the burst has, so
    bursts shorter than the bus leave lanes unused. The direction with the larger share limits both."""
    beat_bytes = min(burst_bytes, system.axi_data_bits // 8)
    bytes_per_cycle = bytes_per_clock(system) * system.phases
    return ports * beat_bytes / max(reads, 1 - reads) / bytes_per_cycle


def line_limit(system: System, burst_bytes: int) -> float:
    """A DRAM burst always takes all its clocks: when only some of the line's bytes are wanted, only those count."""
    return min(1.0, burst_bytes / system.line_bytes)


def least_latency(system: System, burst_bytes: int, open_row: float = 0.0) -> float:
    """DRAM clocks from a read's address to its last useful byte, at least: activate, tRCD, read, CL, data. With the
    probability `open_row` its row is open and needs no activate."""
    part = system.part
    return (1 - open_row) * part.clocks(part.trcd) + part.cl + data_clocks(system, burst_bytes)


def open_row_chance(system: System, outstanding: int) -> float:
    """Share of random accesses that may find their row open: a bank holds one row of all that it has, and of the
    `outstanding` accesses, which the controller may order as it likes, another may want the same row."""
    rows = 1 << system.part.row_bits
    banks = system.ranks << system.part.bank_bits
    return min(1.0, (1 + outstanding / banks) / rows)


def outstanding_limit(system: System, outstanding: int, burst_bytes: int, reads: float) -> float:
    """Little's law: with `outstanding` bursts in flight and each read taking at least `least_latency`, so many bursts
    end in a clock. Writes may be answered at once and cost the id no time."""
    if reads == 0:
        return float("inf")
    latency = reads * least_latency(system, burst_bytes, open_row_chance(system, outstanding))
    return outstanding * data_clocks(system, burst_bytes) / latency


def activate_limit(system: System, outstanding: int, burst_bytes: int) -> float:
    """A random burst needs an activate (but for the few that find their row open). A rank takes four activates in tFAW
    and one in tRRD, and none while it refreshes; ranks add up."""
    part = system.part
    faw, rrd = part.clocks(part.tfaw, part.tfaw_ck), part.clocks(part.trrd, part.trrd_ck)
    per_rank = min(4 / faw, 1 / rrd) * (1 - refresh_share(system))
    bursts = system.ranks * per_rank / (1 - open_row_chance(system, outstanding))
    return bursts * data_clocks(system, burst_bytes)


def bank_cycle(system: System, burst_bytes: int, reads: float) -> float:
    """DRAM clocks from an activate of a bank to its next, at least, for a burst that needs a row of its own: tRC, or as
    long as the bank is busy with the burst's lines.

    Read: tRCD, its lines tCCD apart, tRTP after the last, tRP. Write: tRCD, its lines, then CWL, the data,
    tWR and tRP."""
    part = system.part
    columns = part.clocks(part.trcd) + (lines(system, burst_bytes) - 1) * part.tccd_ck
    row = part.clocks(part.trc)
    precharge = part.clocks(part.trp)
    read = max(row, columns + part.clocks(part.trtp, part.trtp_ck) + precharge)
    write = max(row, columns + part.cwl + part.burst_clocks + part.clocks(part.twr) + precharge)
    return reads * read + (1 - reads) * write


def bank_limit(system: System, outstanding: int, burst_bytes: int, reads: float) -> float:
    """Random bursts over all banks: each takes its bank for a bank cycle, and a refreshing rank has none."""
    banks = system.ranks << system.part.bank_bits
    bursts = banks * (1 - refresh_share(system)) / bank_cycle(system, burst_bytes, reads)
    return bursts * data_clocks(system, burst_bytes) / (1 - open_row_chance(system, outstanding))


def one_bank_rate(system: System, outstanding: int, burst_bytes: int) -> float:
    """Reads in a DRAM clock when each needs another row of the same bank: one in a bank cycle, none while the rank
    refreshes, and no more than `outstanding` in the least latency."""
    cycle = bank_cycle(system, burst_bytes, 1.0)
    return min((1 - refresh_share(system)) / cycle, outstanding / least_latency(system, burst_bytes))


def sequential(system: System, ports: int, ids: int, burst_bytes: int, reads: float) -> dict[str, float]:
    """Every line is used in full (neighbouring short bursts may share the DRAM burst of their line), every row to its
    end, so that activates and precharges hide behind the data of other banks. What remains is the AXI port and, with
    one rank, refresh."""
    return {"AXI": axi_limit(system, ports, burst_bytes, reads), "refresh": refresh_limit(system)}


def random(system: System, ports: int, ids: int, burst_bytes: int, reads: float) -> dict[str, float]:
    """Each burst lies in a row and bank of its own."""
    outstanding = ports * ids
    return {
        "AXI": axi_limit(system, ports, burst_bytes, reads),
        "line": line_limit(system, burst_bytes) * refresh_limit(system),
        "outstanding": outstanding_limit(system, outstanding, burst_bytes, reads),
        "tFAW": activate_limit(system, outstanding, burst_bytes),
        "tRC": bank_limit(system, outstanding, burst_bytes, reads),
    }


def strided_bank(system: System, ports: int, ids: int, burst_bytes: int, reads: float) -> dict[str, float]:
    """Row after row of one bank: nothing overlaps."""
    return {"tRC": one_bank_rate(system, ports * ids, burst_bytes) * data_clocks(system, burst_bytes)}


def busy_bank(system: System, ports: int, ids: int, burst_bytes: int, reads: float) -> dict[str, float]:
    """Id 0 of each port strides through the rows of one bank, as in `strided_bank`; the others read at random in all
    other banks. The two add up, within what `random` allows them together."""
    others = ports * (ids - 1)
    elsewhere = 0.0
    if others:
        elsewhere = min(
            outstanding_limit(system, others, burst_bytes, reads), bank_limit(system, others, burst_bytes, reads)
        )
    busy = one_bank_rate(system, ports, burst_bytes) * data_clocks(system, burst_bytes)
    limits = random(system, ports, ids, burst_bytes, reads)
    return {**limits, "outstanding": busy + elsewhere}


def busy_bank_quarter(system: System, ports: int, ids: int, burst_bytes: int, reads: float) -> dict[str, float]:
    """Every fourth read of each port needs the next row of one bank, the others go to all other banks: whatever is done
    for those, the ports end four reads in the time in which the busy bank ends one, as in `strided_bank`."""
    outstanding = ports * ids
    busy = one_bank_rate(system, outstanding, burst_bytes) * data_clocks(system, burst_bytes)
    return {**random(system, ports, ids, burst_bytes, reads), "busy bank": 4 * busy}


def alternating_runs(system: System, ports: int, ids: int, burst_bytes: int, reads: float) -> dict[str, float]:
    """A sequential stream, but each id has one burst in flight: Little's law for the reads, which may all find their
    row open; writes may be answered at once."""
    latency = reads * least_latency(system, burst_bytes, 1.0)
    return {
        **sequential(system, ports, ids, burst_bytes, reads),
        "outstanding": ports * ids * data_clocks(system, burst_bytes) / latency,
    }


def row_hit_storm(system: System, ports: int, ids: int, burst_bytes: int, reads: float) -> dict[str, float]:
    """All but one id may find their row open for as long as the controller likes: no more than the port and the bus
    limit them. The rank in which all of it happens is lost to its refreshes, even where there are others."""
    return {"AXI": axi_limit(system, ports, burst_bytes, reads), "refresh": 1 - refresh_share(system)}


def idle(system: System, ports: int, burst_bytes: int, open_row: float) -> dict[str, float]:
    """One read at a time, of which so many find their row open, then a pause of IDLE_CYCLES controller cycles; refresh
    fits into the pauses."""
    period = IDLE_CYCLES * system.phases + least_latency(system, burst_bytes, open_row)
    return {"pause": ports * data_clocks(system, burst_bytes) / period}


def idle_latency(system: System, ports: int, ids: int, burst_bytes: int, reads: float) -> dict[str, float]:
    """Random addresses; also `idle_row_closed` and `idle_row_conflict`, for a bank that is closed early costs no
    precharge in the read's time."""
    return idle(system, ports, burst_bytes, open_row_chance(system, ports))


def idle_row_hit(system: System, ports: int, ids: int, burst_bytes: int, reads: float) -> dict[str, float]:
    """Fifteen of sixteen reads may find their row open."""
    return idle(system, ports, burst_bytes, 15 / 16 + open_row_chance(system, ports) / 16)


# Of each pattern, the share of its bursts that are reads, and its limits.
PATTERNS = {
    "sequential_read": (1.0, sequential),
    "sequential_write": (0.0, sequential),
    "alternating_runs": (1 / 2, alternating_runs),
    "random_read": (1.0, random),
    "random_write": (0.0, random),
    "random_9to1": (9 / 10, random),
    "random_2to1": (2 / 3, random),
    "random_1to1": (1 / 2, random),
    "strided_bank": (1.0, strided_bank),
    "busy_bank": (1.0, busy_bank),
    "busy_bank_quarter": (1.0, busy_bank_quarter),
    "row_hit_storm": (3 / 4, row_hit_storm),
    "idle_latency": (1.0, idle_latency),
    "idle_row_hit": (1.0, idle_row_hit),
    "idle_row_closed": (1.0, idle_latency),
    "idle_row_conflict": (1.0, idle_latency),
}


def limits(system: System, pattern: str, ports: int, ids: int, burst_bytes: int) -> dict[str, float]:
    """Every limit of a pattern by its name, each as a share of the data bus's peak."""
    if pattern not in PATTERNS:
        raise ValueError(f"pattern {pattern} is unknown; there are {', '.join(PATTERNS)}")
    reads, found = PATTERNS[pattern]
    return found(system, ports, ids, burst_bytes, reads)


def bound(system: System, pattern: str, ports: int, ids: int, burst_bytes: int) -> tuple[float, str]:
    """The least of the pattern's limits and of 1 (`bus`: the data bus itself), and its name."""
    found = {"bus": 1.0, **limits(system, pattern, ports, ids, burst_bytes)}
    name = min(found, key=found.get)
    return found[name], name
