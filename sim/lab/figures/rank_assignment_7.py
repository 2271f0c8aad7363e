# SPDX-License-Identifier: Apache-2.0
"""What Rank Assignment gains."""

from execution_time import ExecutionTime, Saying
from figure import Setting

FIGURE = ExecutionTime(
    title="Rank Assignment, 32 Gb chips above 85 degrees",
    source="Rank Assignment, Figure 7 and section VI.A, VI.B",
    bars={
        "staggered": Setting("paper", "staggered"),
        "simultaneous": Setting("paper", "simultaneous"),
        "rank assignment": Setting("paper", "staggered", "rank_assignment"),
        "no refresh": Setting("paper", "no_refresh"),
        "no refresh, rank assignment": Setting("paper", "no_refresh", "rank_assignment"),
    },
    reference="staggered",
    sayings=(
        Saying("rank assignment", "staggered", -18.6),
        Saying("rank assignment", "no refresh", 11.4),
        Saying("rank assignment", "simultaneous", -4.1),
        Saying("no refresh, rank assignment", "no refresh", -5.9),
    ),
    explanation=(
        "The paper's numbers are within the intervals or near, but for what Rank Assignment gains without refresh, "
        "where copies that have all ranks in common lose little to each other's rows here."
    ),
)
