# SPDX-License-Identifier: Apache-2.0
"""Refresh policies that the hardware alone has, and what comes of them together with Rank Assignment."""

from execution_time import ExecutionTime, Saying
from figure import Setting

FIGURE = ExecutionTime(
    title="Elastic refresh, refresh pausing, preemptive command drain",
    source="Rank Assignment, Figure 11 and sections VI.G to VI.I",
    bars={
        "staggered": Setting("paper", "staggered"),
        "elastic": Setting("paper", "elastic"),
        "pausing, optimistic": Setting("paper", "pausing_optimistic"),
        "pausing": Setting("paper", "pausing"),
        "command drain": Setting("paper", "staggered_drained"),
        "Weir's default": Setting("paper", "defer_until_empty"),
        "no refresh": Setting("paper", "no_refresh"),
    },
    reference="staggered",
    sayings=(
        Saying("elastic", "staggered", -4.2),
        Saying("pausing, optimistic", "staggered", -14.0),
        Saying("pausing", "staggered", 7.2),
        Saying("command drain", "staggered", -0.9),
    ),
)
