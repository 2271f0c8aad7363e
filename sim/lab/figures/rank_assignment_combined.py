# SPDX-License-Identifier: Apache-2.0
"""Rank Assignment together with refresh policies of the hardware, which the paper leaves open."""

from execution_time import ExecutionTime, Saying
from figure import Setting

OWN = "rank_assignment"
TOGETHER = ("rank assignment", "and elastic", "and pausing, optimistic", "and 4x, optimistic", "and command drain")

FIGURE = ExecutionTime(
    title="Rank Assignment together with refresh policies of the hardware",
    source="Rank Assignment, section VI.J, future work there; the paper's number is that of Rank Assignment alone",
    bars={
        "staggered": Setting("paper", "staggered"),
        "rank assignment": Setting("paper", "staggered", OWN),
        "and elastic": Setting("paper", "elastic", OWN),
        "and pausing, optimistic": Setting("paper", "pausing_optimistic", OWN),
        "and 4x, optimistic": Setting("paper", "fine_4x_optimistic", OWN),
        "and command drain": Setting("paper", "staggered_drained", OWN),
        "and Weir's default": Setting("paper", "defer_until_empty", OWN),
        "and no refresh": Setting("paper", "no_refresh", OWN),
    },
    reference="staggered",
    sayings=tuple(Saying(label, "staggered", -18.6) for label in TOGETHER),
    explanation=(
        "Each policy that spares a core some of the wait for its own rank takes off a part of what Rank Assignment "
        "leaves, 10.6 points of the time: optimistic pausing 3.3 of them, optimistic 4x 2.1, elastic refresh 1.8. "
        "Elastic refresh gains little beside it, where it gains 13 % alone: copies that wait for different ranks "
        "leave none idle, so that fewer refreshes fall together (cg: some rank is refreshed 52 % of the time, and 32 "
        "without Rank Assignment; experiments/refresh_overlap.py)."
    ),
)
