# SPDX-License-Identifier: Apache-2.0
"""Fine granularity refresh."""

from execution_time import ExecutionTime, Saying
from figure import Setting

FIGURE = ExecutionTime(
    title="Fine granularity refresh, optimistic and with the recovery that DDR4 has",
    source="Rank Assignment, Figure 10 and section VI.F",
    bars={
        "no refresh": Setting("paper", "no_refresh"),
        "staggered": Setting("paper", "staggered"),
        "2x, optimistic": Setting("paper", "fine_2x_optimistic"),
        "4x, optimistic": Setting("paper", "fine_4x_optimistic"),
        "2x": Setting("paper", "fine_2x"),
        "4x": Setting("paper", "fine_4x"),
    },
    reference="staggered",
    sayings=(Saying("4x, optimistic", "staggered", -10.1), Saying("4x", "staggered", 24.0)),
    explanation=(
        "Four parts of 350 ns take more than twice as long as a refresh of 640: some rank of four is refreshed all "
        "the time, and two are for 44 % of it (experiments/refresh_overlap.py). Optimistic parts take as much of the "
        "time as whole refreshes, 66 %, but none for longer than 160 ns. By the time without refresh 4x costs 61 % "
        "here, by the paper's numbers 70, and optimistic 4x 17, by the paper's 23; whole refreshes cost 35 and 37. "
        "The programs with ten misses and more in 1000 instructions gain 20 % by optimistic parts, the others 8: the "
        "average depends on their mix."
    ),
)
