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
    explanation=(
        "With a bank of its own a program's reads wait for their rows as long as they do alone: 4.7 cycles of the "
        "controller each, of 4.4 (experiments/read_waits.py). What they wait for besides is what all banks share: 0.8 "
        "cycles for the bus, 0.2 for its turns, and 2.0 more for drains of writes, in which no read of the rank goes. "
        "The shared cache has as many misses as alone on average; bzip2, xalan and glpsol have a third to a half more. "
        "All in one bank, each read waits 25.9 cycles for its row and 24.9 for drains."
    ),
)
