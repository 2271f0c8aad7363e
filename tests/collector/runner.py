# SPDX-License-Identifier: Apache-2.0
"""Builds suites and runs them on a number of cores, and reads what they report.

What the suites need is built for one after the other, in their order, so that no two builds write one file. A suite
runs as soon as its build has ended and a core is free, while what the next one needs is built.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from collector import command, junit
from collector.suites import Suite


@dataclass
class Result:
    """One suite that has run: its tests, how its build and its run ended, and its log.

    `run` is None where the build failed; `log` is then the build's.
    """

    suite: Suite
    outcome: junit.Outcome
    build: command.Ended
    run: command.Ended | None
    log: Path

    @property
    def seconds(self) -> float:
        return self.run.seconds if self.run else self.build.seconds


@dataclass(frozen=True)
class Listener:
    """What is called as it goes: a suite's build or run begins ("build" or "run"), a build says something, a suite has
    ended."""

    started: Callable[[Suite, str], None] = lambda suite, phase: None
    told: Callable[[str], None] = lambda line: None
    ended: Callable[[Result], None] = lambda result: None


def _log(root: Path, name: str) -> Path:
    return root / "build" / "tests" / f"{name}.log"


def _hung(what: str, suite: Suite) -> str:
    return f"the {what} was ended: nothing came from it for {suite.limit:g} minutes of the processor"


async def _build(suite: Suite, root: Path, jobs: int, told: Callable[[str], None]) -> command.Ended:
    log = _log(root, f"{suite.name}.build")
    return await command.run(suite.build or "true", root, log, suite.limit * 60, {"JOBS": str(jobs)}, told)


async def _run(suite: Suite, root: Path, build: command.Ended) -> Result:
    if build.code != 0:
        why = _hung("build", suite) if build.hung else f"the build ended with exit code {build.code}"
        return Result(suite, junit.Outcome(failures=[why]), build, None, _log(root, f"{suite.name}.build"))
    for stale in root.glob(suite.reports):
        stale.unlink()
    log = _log(root, suite.name)
    ended = await command.run(suite.command, root, log, suite.limit * 60, {})
    outcome = junit.read(sorted(root.glob(suite.reports)), ended.code)
    if ended.hung:
        outcome.failures.append(_hung("suite", suite))
    return Result(suite, outcome, build, ended, log)


async def run(suites: list[Suite], root: Path, cores: int, listener: Listener) -> list[Result]:
    """Build and run the suites, and return the results in the order of ending.

    A suite that finds too few free cores lets a smaller one go before it. A build takes one core where a suite could
    run beside it, else all that are free.
    """
    unbuilt, built, results = list(suites), [], []
    building: dict[asyncio.Task, tuple[Suite, int]] = {}
    running: dict[asyncio.Task, Suite] = {}
    try:
        while unbuilt or building or built or running:
            free = cores - sum(suite.cores for suite in running.values()) - sum(jobs for _, jobs in building.values())
            if unbuilt and not building and free > 0:
                suite, jobs = unbuilt.pop(0), max(1, free - len(built))
                listener.started(suite, "build")
                building[asyncio.create_task(_build(suite, root, jobs, listener.told))] = (suite, jobs)
                continue
            if ready := next((entry for entry in built if entry[0].cores <= free), None):
                built.remove(ready)
                listener.started(ready[0], "run")
                running[asyncio.create_task(_run(ready[0], root, ready[1]))] = ready[0]
                continue
            done, _ = await asyncio.wait([*building, *running], return_when=asyncio.FIRST_COMPLETED)
            for task in done & building.keys():
                suite, _ = building.pop(task)
                built.append((suite, task.result()))
            for task in done & running.keys():
                del running[task]
                results.append(task.result())
                listener.ended(results[-1])
    finally:
        left = [*building, *running]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
    return results
