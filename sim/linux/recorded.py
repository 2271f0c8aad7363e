# SPDX-License-Identifier: Apache-2.0
"""A run of weir-sim of which everything is kept in a folder, for those that make many."""

import json
import subprocess

import machine
import simulation


class Failed(Exception):
    """A run that did not end as it must; the message says which and how."""


def run(soc, text, folder, advance=lambda _: None, start=None, more=()):
    """`simulate` in the guest of `soc`, from its snapshot or from `start`."""
    return simulate(machine.resume(soc, start=start), text, folder, advance, more)


def simulate(command, text, folder, advance=lambda _: None, more=()):
    """Run the script `text` in a guest that weir-sim starts by `command`, with `more` words behind: what the guest
    printed, and weir-sim's summary.

    In `folder`, whose name is the run's, are then script.sh, console.txt, messages.txt (weir-sim's) and summary.json.
    `advance` is called with the million cycles since the start, as they go by. Raises Failed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    script, summary = folder / "script.sh", folder / "summary.json"
    script.write_text(text)
    summary.unlink(missing_ok=True)
    command = [*command, "--script", script, "--progress", 5, "--summary", summary, *more]
    first = None
    with (
        (folder / "console.txt").open("wb") as stdout,
        (folder / "messages.txt").open("w") as messages,
        subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        ) as process,
    ):
        for line in process.stderr:
            messages.write(line)
            if (now := simulation.megacycles(line)) is not None:
                first = now if first is None else first
                advance(now - first)
    if process.returncode != 0:
        raise Failed(f"{folder.name}: exit code {process.returncode}; see {folder}")
    told = json.loads(summary.read_text())
    if told["violations"]:
        raise Failed(f"{folder.name}: rules of the DRAM were broken; see {folder}/messages.txt")
    return (folder / "console.txt").read_text(errors="replace").replace("\r", ""), told
