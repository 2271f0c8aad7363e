# SPDX-License-Identifier: Apache-2.0
"""Bars on a terminal; elsewhere, in a log, a line a minute for each task that is under way."""

import threading

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


class SpokenProgress(Progress):
    """A rich Progress that says how far its tasks are where there is no terminal.

    Parameters
    ----------
    columns : those of rich.progress.Progress
    unit : what a task's numbers are of, such as "M cycles"
    every : seconds between two times that it speaks
    """

    def __init__(self, *columns, console: Console, unit: str, every: float = 60, **options):
        super().__init__(*columns, console=console, disable=not console.is_terminal, **options)
        self._unit, self._every = unit, every
        self._ended = threading.Event()
        self._voice: threading.Thread | None = None

    def start(self) -> None:
        super().start()
        if self.disable and self._voice is None:
            self._voice = threading.Thread(target=self._speak, daemon=True)
            self._voice.start()

    def stop(self) -> None:
        super().stop()
        if self._voice is not None:
            self._ended.set()
            self._voice.join()

    def _speak(self) -> None:
        while not self._ended.wait(self._every):
            for task in self.tasks:
                if not task.finished:
                    of = "" if task.total is None else f" of {task.total:.0f}"
                    elapsed = _clock(task.elapsed or 0)
                    line = f"   .. {task.description}: {task.completed:.0f}{of} {self._unit}, {elapsed}"
                    self.console.print(line, markup=False, highlight=False, soft_wrap=True)


def of_runs(title: str, console: Console) -> SpokenProgress:
    """For a task of so many runs: how many have ended."""
    columns = (
        TextColumn(title),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    return SpokenProgress(*columns, console=console, unit="runs", transient=True)
