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
)
