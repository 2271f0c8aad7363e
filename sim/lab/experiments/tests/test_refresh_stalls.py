# SPDX-License-Identifier: Apache-2.0
"""Whom refreshes stall."""

import refresh_stalls

RESULT = {
    "cores": [{}, {}],
    "counters": {
        "rank[0].refreshes": 4,
        "rank[1].refreshes": 6,
        "rank[0].refreshes_stalling": 3,
        "source_rank[0][0].read_hits": 6,
        "source_rank[0][1].read_conflicts": 2,
        "source_rank[1][0].read_misses": 3,
        "source_rank[1][1].read_hits": 9,
        "source_rank[0][0].write_hits": 50,
        "source_rank[0][0].stalled_by_refreshes": 4,
        "source_rank[1][1].stalled_by_refreshes": 5,
        "source_rank[0][1].stalls_refresh": 40,
        "source_rank[1][0].stalls_bank": 10,
        "source_rank[1][0].stalls_bus": 3,
        "source_rank[0][0].stalls_turnaround": 7,
    },
}


def test_stalls_are_those_of_all_cores():
    # 9 of 10 refreshes times 2 cores; of 20 reads 2 and 3 elsewhere, 15 hit; 40, 10 and 10 cycles
    assert refresh_stalls.stalls(RESULT) == [45.0, 25.0, 2.0, 0.5, 0.5, 75.0]
