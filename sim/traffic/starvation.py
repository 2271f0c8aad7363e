# SPDX-License-Identifier: Apache-2.0
"""How long a read of Weir's may wait, by what its access queue states (hw/src/weir/channel/AccessQueue.scala).

An access that has been the oldest of its queue for `ageLimit` cycles lets nobody pass. It leaves at the latest
`ageLimit` plus one row conflict plus the longest turn of the bus after it became the oldest; one that `n` others
precede leaves within `n + 1` times that. Cycles in which its rank is refreshed or given to the other queue do not
count.

Measured is the time from the AR handshake to the first R beat, all of it, those cycles and the way through PHY and
controller included: a measured time within the bound proves more than the bound says.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from matrix import DEFAULT_SYSTEM, Point
from systems import BURST_CLOCKS

# From one port, in which the victim waits among the others, and from four, which together fill the read queue.
POINTS = tuple(Point(DEFAULT_SYSTEM, "row_hit_storm", ports, 16, 64) for ports in (1, 4))
SEEDS = (1, 2, 3)


@dataclass(frozen=True)
class Storm:
    """A run of `row_hit_storm`: the longest any read waited, in controller cycles, and its bound."""

    point: Point
    seed: int
    longest: int
    bound: int

    def describe(self) -> dict:
        """An entry of `starvation` in compare.json."""
        return {
            "ports": self.point.ports,
            "ids": self.point.ids,
            "seed": self.seed,
            "longest_read_cycles": self.longest,
            "bound_cycles": self.bound,
        }


def bound_cycles(config: dict) -> int:
    """Controller cycles in which the youngest of a full read queue of a Weir (its Weir.json) leaves it, if each before
    it takes all its time."""
    timing, phases = config["timing"], config["phy"]["phases"]

    def cycles(clocks: int) -> int:
        return math.ceil(clocks / phases)

    write_end = timing["cwl"] + BURST_CLOCKS
    before_precharge = max(timing["tRTP"], write_end + timing["tWR"], timing["tRAS"])
    conflict = cycles(before_precharge) + cycles(timing["tRP"]) + cycles(timing["tRCD"])
    turn = cycles(max(write_end + timing["tWTR_L"], timing["cl"] + BURST_CLOCKS + 2 - timing["cwl"]) + timing["tRTRS"])
    return config["policies"]["readQueue"] * (config["policies"]["ageLimit"] + conflict + turn)


def storm(point: Point, seed: int, measured: dict, config: dict) -> Storm:
    """Of a simulation's measurement: the victim's reads and all others alike must be within the bound."""
    longest = max(measured[kind]["most"] for kind in ("read_latency", "bystander_read_latency"))
    return Storm(point, seed, longest, bound_cycles(config))
