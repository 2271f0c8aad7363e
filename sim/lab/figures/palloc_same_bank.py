# SPDX-License-Identifier: Apache-2.0
"""Programs in one bank, and in banks of their own."""

from figure import Setting
from slowdown import Slowdown

FIGURE = Slowdown(
    title="Beside three copies of STREAM, all in one bank and each in its own",
    source='PALLOC (slides), "Samebank vs. Diffbank": no interference with banks of one\'s own',
    bars={
        "same bank": Setting("palloc", "defer_until_empty", "palloc_same_bank"),
        "own bank": Setting("palloc", "defer_until_empty", "palloc_own_bank"),
    },
    alone=None,
    sayings={"own bank": 1.0},
    explanation="Programs share the bus and the last-level cache, too.",
)
