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
)
