# SPDX-License-Identifier: Apache-2.0
"""Rank Assignment with smaller chips at normal temperature, and with one channel."""

from execution_time import ExecutionTime, Saying
from figure import Setting

OWN = "rank_assignment"
# what it is called: machine, placement of Rank Assignment, what the paper saves
CASES = {
    "32 Gb, hot": ("paper", OWN, -18.6),
    "one channel, hot": ("one_channel", f"{OWN}_one_channel", -18.6),
    "32 Gb": ("normal_32gb", OWN, -10.8),
    "16 Gb": ("normal_16gb", OWN, -8.8),
    "8 Gb": ("normal_8gb", OWN, -7.9),
}


def bars() -> dict[str, Setting]:
    found = {}
    for case, (machine, placement, _) in CASES.items():
        found[f"{case}: staggered"] = Setting(machine, "staggered")
        found[f"{case}: rank assignment"] = Setting(machine, "staggered", placement)
    return found


FIGURE = ExecutionTime(
    title="Rank Assignment with other memories",
    source="Rank Assignment, section VI.K; hot is above 85 degrees",
    bars=bars(),
    reference="32 Gb, hot: staggered",
    explanation=(
        "With one channel most programs save as many cycles for each DRAM access as with two, of a time that is longer "
        "by what the bus takes. fft and linpack, whose accesses are half writes, are slower: their one write queue "
        "stands full of what is for ranks that are refreshed. Where writes cost nothing Rank Assignment takes 15 and "
        "6 % off their time, with queues of 64 in place of 32 it takes 2 and 5 %."
    ),
    sayings=tuple(
        Saying(f"{case}: rank assignment", f"{case}: staggered", percent) for case, (_, _, percent) in CASES.items()
    ),
)
