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
)
