# SPDX-License-Identifier: Apache-2.0
"""Runs of simulations, two at a time, while it is shown how many have ended."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable, Iterator

from rich.console import Console
from spoken import of_runs

# The machine is planned for two cores.
JOBS = 2


class Failed(Exception):
    """A run that did not end as it must: a wrong datum, response or handshake, a hang, a broken rule of the DRAM, or a
    build that failed. The message has its last words, and what repeats it."""


def as_they_end(
    title: str, jobs: list[tuple], work: Callable, console: Console, failures: list[str]
) -> Iterator[tuple[tuple, object]]:
    """Each job with what `work(*job)` returned, in the order in which they end; what one that raises Failed says is
    added to `failures`."""
    with of_runs(title, console) as progress, concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        task = progress.add_task(title, total=len(jobs))
        running = {pool.submit(work, *job): job for job in jobs}
        for ended in concurrent.futures.as_completed(running):
            try:
                result = ended.result()
            except Failed as failure:
                failures.append(str(failure))
            else:
                yield running[ended], result
            progress.advance(task)
