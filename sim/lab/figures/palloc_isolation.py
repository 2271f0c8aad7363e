# SPDX-License-Identifier: Apache-2.0
"""Programs beside hostile ones, with banks of all and with private ones."""

from figure import Setting
from slowdown import Slowdown

ALONE = Setting("palloc", "defer_until_empty")
BARS = {"all banks": ALONE, "private banks": Setting("palloc", "defer_until_empty", "palloc_private")}

FIGURE = Slowdown(
    title="Beside three copies of STREAM, in all banks and in private ones",
    source='PALLOC (slides), "Performance Isolation on 4 Cores", which has no numbers in its text',
    bars=BARS,
    alone=ALONE,
    sayings={},
    explanation=(
        "Private banks take the wait for rows from 5.0 cycles of the controller for each read to 2.0, 1.2 alone "
        "(experiments/read_waits.py), and the slowdown of all programs but fft from 3.70 times to 3.20. What is left "
        "is the shared cache's: alone the programs have 8.3 misses in 1000 instructions, beside STREAM 15.3 and, with "
        "private banks, 16.2. Page colours that choose banks choose sets of the cache, too, and four banks of sixteen "
        "are a quarter of it: fft, which the cache holds alone (1.2 misses), has 37.5 beside STREAM and 40.5 with "
        "private banks."
    ),
)
