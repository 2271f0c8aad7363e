#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cut the power of Linux on the simulated SoC with an NVM region while it writes a journal to persistent memory, have
it find the journal again, and see that nothing is lost that was synced.

One run writes records to /dev/pmem0 (sw/guest/hybrid/nvm-journal.c) and tells each that is synced; it is looked at in
cycles by chance, and right after records were synced. For each of these cuts a machine has in its persistent memory
what the cells of NVM held in that cycle, and in everything else what it has after a boot; some boot from power-on. It
reads the journal and appends to it.

Writes build/results/power_cut.json, an object with `rows`, one for each cut; and under build/power_cut each run's
console. Exit code 1 when a record is lost, or a run fails.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "sim" / "linux"), str(ROOT / "sim" / "progress")]

import machine  # noqa: E402
import recorded  # noqa: E402
from recorded import Failed  # noqa: E402
from rich.console import Console  # noqa: E402
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn  # noqa: E402
from spoken import SpokenProgress  # noqa: E402

SOC = "weir-1-hybrid"
RESULTS = ROOT / "build" / "results" / "power_cut.json"
FOLDER = ROOT / "build" / "power_cut"
PARALLEL = 2
"""Runs at a time."""

PLACES = 8
"""Of the ring; a record goes over the oldest."""
RECORD_BYTES = 4096
BEGINS, ENDS = "journal begins", "journal ends"
SYNCED = "+"
"""What the guest prints when a record is synced."""

SOON = 2000
"""Cycles after which a write that nothing asked for has left the queue as a rule."""

UNPROTECTED = "echo 'write through' >/sys/block/pmem0/queue/write_cache\n"
"""Has Linux send no flush: what nvm-journal takes for synced may wait in the controller's queue."""

WRITES_WAIT = """cd /sys/bus/platform/drivers/weir/*/policies
echo 4095 >age_limit; echo $(($(cat ../geometry/write_queue) - 1)) >high_water_mark
echo $(($(cat high_water_mark) - 1)) >low_water_mark; echo high_mark >drain_start
cd /
"""
"""Has writes wait in the controller's queue as long as it lets them, so that what only waits there is missed."""


@dataclass(frozen=True)
class Found:
    """What a machine found of the journal: numbers of whole records, how many are torn, and whether it could append."""

    records: frozenset[int]
    torn: int
    appended: bool


def found(console: str) -> Found:
    """What the guest printed of the journal: as it was found, and once more when a record was appended."""
    parts = re.split(rf"^{ENDS}$", console, flags=re.MULTILINE)

    def records(text):
        return frozenset(int(number) for number in re.findall(r"^record (\d+)$", text, re.MULTILINE))

    first = records(parts[0])
    then = records(parts[1]) if len(parts) > 1 else frozenset()
    newest = max(first, default=0) + 1
    kept = {number for number in first if number > newest - PLACES}
    torn = len(re.findall(r"^torn place \d+$", parts[0], re.MULTILINE))
    return Found(first, torn, then == kept | {newest})


def lost(synced: int, what: Found) -> str:
    """What is wrong with what was found, when so many records had been synced; empty if nothing is."""
    # the record that is being written goes over the oldest
    wanted = set(range(max(1, synced - PLACES + 2), synced + 1))
    if missing := sorted(wanted - what.records):
        return f"lost {', '.join(map(str, missing))} of {synced}"
    if strange := sorted(number for number in what.records if not synced - PLACES < number <= synced + 1):
        return f"found {', '.join(map(str, strange))} after {synced}"
    if what.torn > 1:
        return f"{what.torn} torn records"
    return "" if what.appended else "could not append"


def synced_until(console: bytes, console_bytes: int) -> int:
    """How many records the guest had told that they are synced when it had printed so much."""
    _, begins, told = console[:console_bytes].partition(BEGINS.encode())
    return told.count(SYNCED.encode()) if begins else 0


def places() -> tuple[int, int]:
    """Bus addresses: of the persistent memory, and of the UART."""
    tree = (machine.GUEST / f"{SOC}.dts").read_text()
    (persistent,) = re.findall(r"persistent@([0-9a-f]+) {", tree)
    (uart,) = re.findall(r"serial@([0-9a-f]+) {", tree)
    return int(persistent, 16), int(uart, 16)


def write_script(records: int, uart: int, protected: bool) -> str:
    settings = WRITES_WAIT + ("" if protected else UNPROTECTED)
    return f"{settings}nvm-journal /dev/pmem0 clear && nvm-journal /dev/pmem0 {records} {uart:#x}\n"


RECOVER = "nvm-journal /dev/pmem0 1\n"
FORGET = """echo 1 >/proc/sys/vm/drop_caches
eval "$(weir-freeze)"
"""
"""Has Linux forget what it read of the device while it booted, when other cells were there, and saves the machine."""


def choose(cuts: int, seed: int, first: int, last: int, syncs: list[int]) -> list[int]:
    """The cycles to cut in: half of them by chance, half within some cycles after a record was synced."""
    chance = random.Random(seed)
    directed = [cycle + chance.randrange(SOON) for cycle in chance.choices(syncs, k=cuts // 2)]
    chosen = set(directed)
    while len(chosen) < cuts:
        chosen.add(chance.randrange(first, last))
    return sorted(chosen)


def ready(folder: Path) -> Path:
    """The machine that has read nothing of the device."""
    return folder / "ready" / "snapshot"


def write_journal(options, folder: Path, persistent: int, uart: int) -> list[dict]:
    """The cuts, each with its cycle and how many records were synced, whose cells are then in files of `folder`, as is
    the machine that has read nothing of the device. Raises Failed."""
    recorded.run(SOC, FORGET, folder / "ready", more=("--save", ready(folder)))
    script = write_script(options.records, uart, options.flush)
    marks = [word for number in range(1, options.records + 1) for word in ("--mark", SYNCED * number)]
    marks += ["--mark", BEGINS, "--mark", ENDS]
    _, told = recorded.run(SOC, script, folder / "marked", start=ready(folder), more=marks)
    cycles = told["marks"]
    syncs = [cycles[SYNCED * number] for number in range(1, options.records + 1)]
    chosen = choose(options.cuts, options.seed, cycles[BEGINS], cycles[ENDS], syncs)

    cells = folder / "cells"
    cells.mkdir(parents=True)
    words = [word for cycle in chosen for word in ("--cut", cycle)]
    words += ["--cells", f"{PLACES * RECORD_BYTES}@{persistent:#x}", "--cuts-to", cells]
    _, told = recorded.run(SOC, script, folder / "cut", start=ready(folder), more=words)
    console = (folder / "cut" / "console.txt").read_bytes()
    rows = [{"cycle": cut["cycle"], "synced": synced_until(console, cut["console_bytes"])} for cut in told["cuts"]]
    if len(rows) != len(chosen) or rows[-1]["synced"] == 0:
        raise Failed(f"{folder}: {len(rows)} cuts of {len(chosen)}, the last with {rows[-1]['synced']} records synced")
    return rows


def recover(row: dict, folder: Path, persistent: int, boots: bool) -> dict:
    """The row of a cut with what was found. Raises Failed."""
    image = folder / "cells" / f"{row['cycle']}.cells"
    run = folder / f"{'boot' if boots else 'cut'}-{row['cycle']}"
    if boots:
        text, _ = recorded.simulate(machine.boot(SOC, more={image: persistent}), RECOVER, run)
    else:
        more = ("--ram-image", f"{image}@{persistent:#x}")
        text, _ = recorded.run(SOC, RECOVER, run, start=ready(folder), more=more)
    what = found(text)
    return row | {"boots": boots, "found": sorted(what.records), "torn": what.torn, "wrong": lost(row["synced"], what)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cuts", type=int, default=200, help="how often the power is cut (default %(default)s)")
    parser.add_argument("--boots", type=int, default=2, help="after how many of them a machine boots from power-on")
    parser.add_argument("--records", type=int, default=50, help="that are written (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the cycles (default %(default)s)")
    parser.add_argument(
        "--no-flush", dest="flush", action="store_false", help="have Linux send no flush, which must be found out"
    )
    options = parser.parse_args()
    for name, least in (("cuts", 2), ("boots", 0), ("records", 1), ("seed", 0)):
        if getattr(options, name) < least:
            parser.error(f"--{name} {getattr(options, name)}: at least {least}")
    if options.boots > options.cuts:
        parser.error(f"--boots {options.boots}: at most one for each of --cuts {options.cuts}")
    if not machine.snapshot(SOC).is_file():
        parser.error(f"{machine.snapshot(SOC)} does not exist; `make snapshot SOC={SOC}` makes it")
    persistent, uart = places()
    console, rows, failed = Console(), [], []
    shutil.rmtree(FOLDER, ignore_errors=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with SpokenProgress(*columns, console=console, unit="cuts") as progress, ThreadPoolExecutor(PARALLEL) as pool:
        try:
            cuts = write_journal(options, FOLDER, persistent, uart)
        except Failed as error:
            print(f"power_cut.py: {error}", file=sys.stderr)
            return 1
        # the last ones, of which most is to be found
        runs = [(row, True) for row in cuts[len(cuts) - options.boots :]] + [(row, False) for row in cuts]
        task = progress.add_task("power cuts", total=len(runs))
        for future in as_completed([pool.submit(recover, row, FOLDER, persistent, boots) for row, boots in runs]):
            try:
                rows.append(future.result())
            except Failed as error:
                failed.append(str(error))
            progress.advance(task)
    rows.sort(key=lambda row: (row["cycle"], row["boots"]))
    wrong = [f"cut in cycle {row['cycle']}: {row['wrong']}" for row in rows if row["wrong"]]
    for message in failed + wrong:
        print(f"power_cut.py: {message}", file=sys.stderr)
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps({"seed": options.seed, "flush": options.flush, "rows": rows}, indent=1) + "\n")
    torn = sum(row["torn"] for row in rows)
    print(
        f"{len(rows)} recoveries, {torn} torn records, {len(wrong)} with records lost; seed {options.seed}; {RESULTS}"
    )
    return 1 if failed or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
