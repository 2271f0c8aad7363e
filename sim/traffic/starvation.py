# SPDX-License-Identifier: Apache-2.0
"""How long a read may be the oldest that waits, by what Weir's access queue states
(hw/src/weir/channel/AccessQueue.scala), and what a storm of row hits makes of it.

An access that is in its queue for twice `ageLimit` cycles is urgent, and passed by urgent ones only. The oldest of all
leaves after one row conflict, and a column command with a turn of the bus between ranks for each other that may be as
urgent. Cycles in which its rank is refreshed or given to the other queue do not count; the measured time holds them
too, so the bound here allows for one refresh and one drain of a full write queue.

The bound holds under each row policy and write drain policy (policies.py), which are tried with one seed; where classes
take turns an urgent read keeps the turn.

The bound is far below the time after which a forced refresh closes all rows and would let the oldest read in anyway.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from matrix import DEFAULT_SYSTEM, Point
from policies import POLICIES

# From one port, in which the victim waits among the others, and from four, which together fill the read queue.
POINTS = tuple(Point(DEFAULT_SYSTEM, "row_hit_storm", ports, 16, 64) for ports in (1, 4))
SEEDS = (1, 2, 3, 4, 5)

# By register fields, without the defaults.
OTHER_POLICIES = {
    f"{kind}: {policy}": fields for kind, policies in POLICIES.items() for policy, fields in list(policies.items())[1:]
}


@dataclass(frozen=True)
class Storm:
    """A run of `row_hit_storm`, in controller cycles: the longest that a read was the oldest in flight, and its bound;
    the longest that any waited from its AR handshake to its first beat."""

    point: Point
    seed: int
    oldest: int
    longest: int
    bound: int
    policy: str = "default"

    def describe(self) -> dict:
        """An entry of `starvation` in compare.json."""
        return {
            "ports": self.point.ports,
            "ids": self.point.ids,
            "seed": self.seed,
            "policy": self.policy,
            "oldest_read_wait": self.oldest,
            "bound": self.bound,
            "longest_read_latency": self.longest,
        }


def bound_cycles(config: dict) -> int:
    """Controller cycles that a read may be the oldest of a Weir (its Weir.json), a refresh and a drain included."""
    timing, phases, policies = config["timing"], config["phy"]["phases"], config["policies"]

    def cycles(clocks: int) -> int:
        return math.ceil(clocks / phases)

    burst = config["geometry"]["burstLength"] // 2
    write_end = timing["cwl"] + burst
    before_precharge = max(timing["tRTP"], write_end + timing["tWR"], timing["tRAS"])
    conflict = cycles(before_precharge) + cycles(timing["tRP"]) + cycles(timing["tRCD"])
    turn = cycles(max(write_end + timing["tWTR_L"], timing["cl"] + burst + 2 - timing["cwl"]) + timing["tRTRS"])
    refresh = cycles(timing["tRP"]) + cycles(timing["tRFC"])
    drain = policies["writeQueue"] + 2 * turn
    others = (policies["readQueue"] - 1) * cycles(burst + timing["tRTRS"])
    return 2 * policies["ageLimit"] + conflict + others + turn + refresh + drain


def storm(point: Point, seed: int, measured: dict, config: dict, policy: str = "default") -> Storm:
    """Of a simulation's measurement."""
    longest = max(measured[kind]["most"] for kind in ("read_latency", "bystander_read_latency"))
    return Storm(point, seed, measured["oldest_read_wait"], longest, bound_cycles(config), policy)
