# SPDX-License-Identifier: Apache-2.0
"""Simultaneous and staggered refresh."""

from execution_time import ExecutionTime, Saying
from figure import Setting

FIGURE = ExecutionTime(
    title="Simultaneous and staggered refresh of 32 Gb chips above 85 degrees",
    source="Rank Assignment, Figure 2 and section III.C",
    bars={
        "staggered": Setting("paper", "staggered"),
        "simultaneous": Setting("paper", "simultaneous"),
        "no refresh": Setting("paper", "no_refresh"),
    },
    reference="staggered",
    sayings=(Saying("simultaneous", "staggered", -12.6), Saying("no refresh", "staggered", -27.0)),
    explanation=(
        "The paper's numbers are within the intervals or near. A core waits for a rank that refreshes only if it "
        "misses meanwhile: programs with ten misses and more in 1000 instructions (programs-measured) lose more than "
        "the average, the others less."
    ),
)
