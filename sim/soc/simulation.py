# SPDX-License-Identifier: Apache-2.0
"""Runs weir-sim and shows what it does: the guest's console as it comes, and below it on a terminal a bar."""

import re
import subprocess
import threading

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

_PROGRESS = re.compile(r"weir-sim: ([\d.]+) M cycles, (\d+) kHz, \d+ s: (.*)")


def megacycles(line):
    """Since power-on, as a line of weir-sim's messages tells them; None if it tells something else."""
    found = _PROGRESS.fullmatch(line.strip())
    return float(found[1]) if found else None


class Failed(Exception):
    """The simulation did not end as it must; `code` is its exit code."""

    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


class Display:
    """The guest's console, and below it on a terminal a bar with stage, cycles, speed and what remains.

    Parameters
    ----------
    console : rich.console.Console
    name : str, what runs; the first stage
    record : Path, keeps how many million cycles the last run had, by which what remains is told
    stages : dict, text on the console -> the stage that begins with it; without any, the console's headlines are stages
    expected : float, million cycles by which what remains is told as long as there is no record
    """

    def __init__(self, console, name, record, stages=None, expected=None):
        self.console = console
        self._record = record
        self._stages = stages or {}
        self._stage = name if stages else None
        last = float(record.read_text()) if record.exists() else expected
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed:.2f} M cycles, {task.fields[speed]} kHz"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
        )
        self.progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self.progress.add_task(name, total=last, speed="?")
        self._last = last

    def message(self, line):
        """A line of the simulator's stderr: progress, or something to show."""
        match = _PROGRESS.fullmatch(line)
        if match is None:
            self.show(line)
            return
        cycles, speed, stage = float(match[1]), match[2], self._stage or match[3]
        self.progress.update(self._task, completed=cycles, speed=speed, description=stage)
        if not self.console.is_terminal:
            expected = f" of {self._last:.2f} expected" if self._last else ""
            self.show(f"weir-sim: {stage}: {cycles:.2f} M cycles{expected}, {speed} kHz")

    def line(self, line):
        """A line of the guest's console: to be shown, and perhaps a new stage."""
        self._stage = next((stage for text, stage in self._stages.items() if text in line), self._stage)
        self.show(line)

    def show(self, line):
        self.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def done(self, cycles):
        self._record.write_text(f"{cycles / 1e6:.3f}\n")


def simulate(command, display, hidden=None):
    """Run `command`, a weir-sim with its options; its console output and its cycles. Raises Failed.

    Of the console, lines between the two of `hidden`, and these, are not shown: they are for programs.
    """
    begin, end = hidden or (None, None)
    command = [*command, "--progress", "1" if display.console.is_terminal else "15"]
    lines, last_words = [], []
    with (
        display.progress,
        subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        ) as process,
    ):

        def messages():
            for line in process.stderr:
                last_words.append(line.strip())
                display.message(line.strip())

        reader = threading.Thread(target=messages)
        reader.start()
        in_block = False
        for line in process.stdout:
            lines.append(line.replace("\r", "").rstrip("\n"))
            in_block = in_block or lines[-1] == begin
            if not in_block:
                display.line(lines[-1])
            in_block = in_block and lines[-1] != end
        reader.join()
    if process.returncode != 0:
        words = (last_words or ["no message"])[-1]
        raise Failed(f"the simulation ended with exit code {process.returncode}: {words}", process.returncode)
    return "\n".join(lines), megacycles(last_words[-1]) * 1e6
