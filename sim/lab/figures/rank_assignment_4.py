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
    explanation=(
        "What writes cost depends on how many there are: of the seven programs of whose accesses at most 12 % are "
        "writes the drains take 11 %, of the eleven with 24 to 50 % they take 91. A written row keeps its bank for "
        "tRCD, tWR and tRP, 122 clocks and the burst's, where one that is read keeps it for 55 (Table II), so that of "
        "a program that waits for its banks and writes as much as it reads (gups, fft) a drain takes twice as long as "
        "the reads between two drains. With equal priority reads wait for writes one by one, which is worse but for "
        "gups and dictionary, nearly each access of which opens a row."
    ),
)
