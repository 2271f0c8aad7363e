# SPDX-License-Identifier: Apache-2.0
"""A command of bash in a session of its own: how long it took, and whether it hung.

It hangs when it writes nothing for as long as its limit says. That time is counted in processor time as long as the
command gets any, so that a busy machine ends nothing that goes on, and by the clock while the command asks for none.
"""

import asyncio
import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from collector import session

_POLL = 1.0
"""Seconds between two looks at a command."""

_IDLE = 0.01
"""A command that gets less than this share of a core asks for none: it waits."""

_ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
"""Without what a make that this runs under says to its own: the makes of a command share cores by JOBS."""


@dataclass(frozen=True)
class Ended:
    """A command that has ended: exit code (negative for a signal), seconds by the clock and of the processor."""

    code: int
    seconds: float
    cpu_seconds: float
    hung: bool


class _Stall:
    """Seconds since the log grew, as the module's head says they count."""

    def __init__(self, log: Path, leader: int):
        self._log, self._leader = log, leader
        self._size, self._cpu, self._time = 0, 0.0, time.monotonic()
        self.seconds = 0.0

    def look(self) -> None:
        size, cpu, now = self._log.stat().st_size, session.cpu_seconds(self._leader), time.monotonic()
        used, elapsed = max(0.0, cpu - self._cpu), now - self._time
        self.seconds += elapsed if used < _IDLE * elapsed else min(used, elapsed)
        if size != self._size:
            self.seconds = 0.0
        self._size, self._cpu, self._time = size, cpu, now


def _cpu_seconds(times: Path) -> float:
    """What bash's `times` has written of its children: minutes and seconds, user and system."""
    if not times.exists():
        return 0.0
    found = re.findall(r"(\d+)m([\d.]+)s", times.read_text())
    return sum(60 * int(minutes) + float(seconds) for minutes, seconds in found)


async def run(
    command: str,
    root: Path,
    log: Path,
    limit: float,
    environment: dict[str, str],
    told: Callable[[str], None] = lambda line: None,
) -> Ended:
    """Run the command in root, its output into the log; `told` gets each line of it as it comes.

    Parameters
    ----------
    limit : seconds without progress after which it is ended as hung
    environment : variables beside those of this process

    When the task is cancelled, everything that the command started is ended first.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    times = log.with_suffix(".times")
    times.unlink(missing_ok=True)
    start, hung = time.monotonic(), False
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *("bash", "-c", f"trap 'times > \"{times}\"' EXIT\n{command}"),
            cwd=root,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
            env=_ENVIRONMENT | {"PYTHONUNBUFFERED": "1"} | environment,
        )
        try:
            with log.open(errors="replace") as lines:
                stall, waiting = _Stall(log, process.pid), asyncio.create_task(process.wait())
                while not hung and not (await asyncio.wait([waiting], timeout=_POLL))[0]:
                    _tell(lines, told)
                    stall.look()
                    hung = stall.seconds > limit
                _tell(lines, told)
        finally:
            await session.end(process.pid)
            await process.wait()
    return Ended(process.returncode, time.monotonic() - start, _cpu_seconds(times), hung)


def _tell(lines, told: Callable[[str], None]) -> None:
    """Whole lines that have come since the last time; what remains of the last one waits."""
    while True:
        place = lines.tell()
        line = lines.readline()
        if not line.endswith("\n"):
            lines.seek(place)
            return
        told(line.rstrip("\n"))
