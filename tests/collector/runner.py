# SPDX-License-Identifier: Apache-2.0
"""Runs suites on a number of cores and reads what they report."""

import asyncio
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from collector import junit
from collector.suites import Suite


@dataclass
class Result:
    """One suite that has run: its tests, its wall-clock time in seconds and its log."""

    suite: Suite
    outcome: junit.Outcome
    seconds: float
    log: Path


async def _end(process: asyncio.subprocess.Process) -> None:
    """End the suite's whole process group, by SIGTERM and, if it stays, SIGKILL."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            return
        try:
            await asyncio.wait_for(process.wait(), timeout=5)
        except TimeoutError:
            continue


async def _run(suite: Suite, root: Path) -> Result:
    for stale in root.glob(suite.reports):
        stale.unlink()
    log = root / "build" / "tests" / f"{suite.name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    hung = False
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            "bash",
            "-c",
            suite.command,
            cwd=root,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            await asyncio.wait_for(process.wait(), timeout=suite.limit * 60)
        except TimeoutError:
            hung = True
        finally:
            await _end(process)
    outcome = junit.read(sorted(root.glob(suite.reports)), process.returncode)
    if hung:
        outcome.failures.append(f"the suite was ended after its limit of {suite.limit:g} minutes")
    return Result(suite, outcome, time.monotonic() - start, log)


async def run(
    suites: list[Suite],
    root: Path,
    cores: int,
    started: Callable[[Suite], None],
    ended: Callable[[Result], None],
) -> list[Result]:
    """Run the suites in their order, as many at once as the cores hold, and return the results in the order of ending.

    A suite that finds too few free cores lets a smaller one go before it. `started` and `ended` are called as it goes.
    """
    waiting, running, results = list(suites), {}, []
    while waiting or running:
        free = cores - sum(suite.cores for suite in running.values())
        ready = next((suite for suite in waiting if suite.cores <= free), None)
        if ready:
            waiting.remove(ready)
            started(ready)
            running[asyncio.create_task(_run(ready, root))] = ready
            continue
        done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            del running[task]
            results.append(task.result())
            ended(results[-1])
    return results
