# SPDX-License-Identifier: Apache-2.0
"""Rank Assignment and the writes of PCM."""

from execution_time import ExecutionTime, Saying
from figure import Setting

FIGURE = ExecutionTime(
    title="PCM: Rank Assignment, with writes and without",
    source="Rank Assignment, Figure 9 and section VI.D",
    bars={
        "baseline": Setting("pcm", "no_refresh"),
        "rank assignment": Setting("pcm", "no_refresh", "rank_assignment_pcm"),
        "no writes": Setting("pcm_no_writes", "no_refresh"),
        "no writes, rank assignment": Setting("pcm_no_writes", "no_refresh", "rank_assignment_pcm"),
    },
    reference="baseline",
    sayings=(
        Saying("rank assignment", "baseline", -13.3),
        Saying("no writes, rank assignment", "no writes", -6.6),
    ),
)
