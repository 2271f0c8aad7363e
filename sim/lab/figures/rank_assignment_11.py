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
    explanation=(
        "Elastic refresh gains three times as much as in the paper, as refreshes fall together under it: while one "
        "rank is refreshed most cores wait for it, the others fall idle, and a rank that is idle is what elastic "
        "refresh waits for. Some rank is refreshed 31 to 55 % of the time, by program, instead of 66 "
        "(experiments/refresh_overlap.py); under simultaneous refresh, which is the end of that way, it is 17 %. "
        "Pausing with the recovery that parts have takes 1400 ns in four parts in place of 640: some rank is "
        "refreshed 89 % of the time. Optimistic pausing is a little better than the paper's: its parts fall together "
        "too, so that in cg some rank is refreshed 55 % of the time."
    ),
)
