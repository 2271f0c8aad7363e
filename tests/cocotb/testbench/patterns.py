# SPDX-License-Identifier: Apache-2.0
"""When a channel pauses: streams of True (pause) and False, one for each cycle."""

from collections.abc import Iterator
from itertools import cycle, repeat
from random import Random


def alternating() -> Iterator[bool]:
    return cycle((True, False))


def often(random: Random) -> Iterator[bool]:
    """Three cycles of four, at random."""
    while True:
        yield random.random() < 0.75


def in_runs(random: Random) -> Iterator[bool]:
    """Runs of up to 40 paused cycles, runs of up to 40 cycles at full speed."""
    while True:
        for paused in (True, False):
            yield from repeat(paused, random.randint(1, 40))


BACK_PRESSURE = ("never", "answers", "data", "addresses", "all")


def back_pressure(name: str, random: Random) -> dict[str, Iterator[bool]]:
    """A pattern for each channel of a port that pauses, by a name of BACK_PRESSURE."""
    return {
        "never": {},
        "answers": {"b": in_runs(random), "r": in_runs(random)},
        "data": {"w": often(random), "r": alternating()},
        "addresses": {"aw": in_runs(random), "ar": in_runs(random)},
        "all": {channel: often(random) for channel in ("aw", "w", "b", "ar", "r")},
    }[name]
