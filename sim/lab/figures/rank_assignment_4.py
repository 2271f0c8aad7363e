# SPDX-License-Identifier: Apache-2.0
"""What the writes of PCM cost."""

from execution_time import ExecutionTime, Saying
from figure import Setting

FIGURE = ExecutionTime(
    title="PCM: writes in drains, and with equal priority",
    source="Rank Assignment, Figure 4 and section III.D",
    bars={
        "no writes": Setting("pcm_no_writes", "no_refresh"),
        "equal priority": Setting("pcm_equal_priority", "no_refresh"),
        "write drains": Setting("pcm", "no_refresh"),
    },
    reference="no writes",
    sayings=(Saying("write drains", "no writes", 21.0),),
)
