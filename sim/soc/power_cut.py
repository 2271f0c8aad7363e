#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cut the power of a simulated SoC while pages move, and boot it again: build/results/power_cut.json.

A workload runs with pages that move by utility, and flushes at checkpoints. In cycles by chance it loses its power:
what the DRAM held, the harts' caches and the controller's queues are gone, what the cells of NVM held stays. A second
machine begins with that and with noise in DRAM; its firmware walks the table of pointers, enables remapping, and
compares the workload with what it was at the last checkpoint or later. Beside that, here, every line of the workload's
homes in NVM must still name itself, and the table must hold as many entries as the firmware has found and none after it
has cleared it.

Two cuts are then broken on purpose, and must be found wrong: NVM as it was before the checkpoint, and a page lost.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import hybrid
import hybrid_memory
from rich.console import Console

ROOT = Path(__file__).resolve().parents[2]
LIMIT_EXIT, CYCLE_LIMIT = 124, 60_000_000
BEGIN_MARK = "policies: reads"


class Machine:
    """Runs of one SoC in a folder. Each of them raises hybrid.Failed for an exit code that is not among `codes`."""

    def __init__(self, soc, folder, options):
        self.soc, self.folder, self.options = soc, folder, options
        self.firmware = (soc / "firmware" / "policies.bin").read_bytes()

    def run(self, name, *words, codes=(0,)):
        summary = self.folder / f"{name}.json"
        command = [self.soc / "weir-sim", "--cycles", CYCLE_LIMIT, "--progress", 0, "--summary", summary, *words]
        ended = subprocess.run(
            [str(word) for word in command], capture_output=True, text=True, errors="replace", check=False
        )
        (self.folder / f"{name}.log").write_text(ended.stdout + ended.stderr)
        if ended.returncode not in codes:
            raise hybrid.Failed(f"{name}: exit code {ended.returncode}; see {self.folder}/{name}.log")
        return ended, json.loads(summary.read_text())

    def begin(self, policy, content):
        """What a machine is started with, as options of weir-sim."""
        image, script = self.folder / "memory.bin", self.folder / f"{policy}.script"
        image.write_bytes(content)
        script.write_text(hybrid.script(policy, self.options))
        start = hybrid_memory.MAIN_RAM + hybrid_memory.FIRMWARE
        return (
            *("--boot", f"{start:#x}", "--ram-image", f"{image}@{hybrid_memory.MAIN_RAM:#x}"),
            *("--script", script),
        )


def rows(ended):
    lines = ended.stdout.replace("\r", "").splitlines()
    return [json.loads(line) for line in lines[lines.index(hybrid.BEGIN) + 1 : lines.index(hybrid.END)]]


def cut(machine, initial, cycles):
    """What memory holds after each of so many cycles, in rising order; each run goes on where the last one ended."""
    words = machine.begin("utility_pages", initial)
    for number, cycle in enumerate(cycles):
        dump, snapshot = machine.folder / "dump.bin", machine.folder / f"{number}.snapshot"
        machine.run(
            *(f"cut-{number}", *words, "--save", snapshot, "--save-at", cycle),
            *("--ram-dump", f"{dump}@{hybrid_memory.MAIN_RAM:#x}+{len(initial)}"),
        )
        yield dump.read_bytes()
        words = ("--resume", snapshot)


def boot_again(machine, name, dump, noise, codes=(0,)):
    """The firmware's row, and the table of pointers in the end."""
    image = hybrid_memory.after_cut(dump, machine.firmware, noise)
    dump_after = machine.folder / "after.bin"
    ended, _ = machine.run(
        *(name, *machine.begin("after_cut", image)),
        *("--ram-dump", f"{dump_after}@{hybrid_memory.MAIN_RAM:#x}+{len(dump)}"),
        codes=codes,
    )
    (row,) = rows(ended)
    return row, hybrid_memory.pointers(dump_after.read_bytes())


def judge(row, dump, left):
    """What is wrong with a cut, as sentences."""
    wrong = []
    lost = hybrid_memory.lost_lines(dump)
    entries = len(hybrid_memory.pointers(dump))
    if lost:
        wrong.append(f"{lost} lines of NVM do not name themselves")
    if row["wrong_words"]:
        wrong.append(f"{row['wrong_words']} words are older than the checkpoint, or none that was ever written")
    if row["bad_entries"] or row["pages_in_dram"] != entries:
        wrong.append(f"the table has {entries} entries, of which the firmware found {row['pages_in_dram']}")
    if left:
        wrong.append(f"the firmware left {len(left)} entries in the table")
    return wrong


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("soc", type=Path, help="folder of a SoC with weir-sim and firmware/policies.bin")
    parser.add_argument("--cuts", type=int, default=8, help="default %(default)s")
    parser.add_argument("--accesses", type=int, default=12000, help="of the workload, default %(default)s")
    parser.add_argument(
        "--checkpoint", type=int, default=3000, help="accesses from one to the next, default %(default)s"
    )
    parser.add_argument("--frames", type=int, default=64, help="DRAM for pages that move, default %(default)s")
    parser.add_argument("--interval", type=int, default=400000, help="cycles, default %(default)s")
    parser.add_argument("--time-scale", type=int, default=1, help="default %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of accesses, cuts and noise, default %(default)s")
    parser.add_argument("--output", type=Path, default=ROOT / "build/results", help="default %(default)s")
    found = parser.parse_args(arguments)
    if found.cuts < 1:
        parser.error(f"--cuts {found.cuts}: must be at least 1")
    return found


def main(arguments=None):
    options = parse(arguments)
    console = Console(highlight=False)
    chance = random.Random(options.seed)
    workload = SimpleNamespace(**vars(options), pointers="table", hot_pages=6, hot_share=0.9, writes=0.5)
    with tempfile.TemporaryDirectory() as temporary:
        machine = Machine(options.soc, Path(temporary), workload)
        content, address = hybrid_memory.image(machine.firmware)
        initial = bytes(address - hybrid_memory.MAIN_RAM) + content
        found = []
        try:
            ended, summary = machine.run("whole", *machine.begin("utility_pages", initial), "--mark", BEGIN_MARK)
            begin = summary["marks"][BEGIN_MARK]
            (row,) = rows(ended)
            console.print(f"uncut: {row['pages_promoted']} pages promoted, {row['pages_evicted']} evicted")
            cycles = sorted(chance.randrange(begin, begin + row["cycles"]) for _ in range(options.cuts))
            for number, (cycle, dump) in enumerate(zip(cycles, cut(machine, initial, cycles), strict=True)):
                row, left = boot_again(machine, f"after-{number}", dump, chance, codes=(0, 1))
                row.update(cut=cycle, wrong=judge(row, dump, left))
                found.append(row)
                console.print(
                    f"cut in cycle {cycle}: checkpoint {row['checkpoint']}, {row['pages_in_dram']} pages were in DRAM, "
                    + ("; ".join(row["wrong"]) or f"{row['words_checked']} words right")
                )
            broken = (hybrid_memory.with_homes_of(dump, initial), hybrid_memory.without_a_page(dump))
            for name, image in zip(("older than the checkpoint", "without a page"), broken, strict=True):
                row, left = boot_again(machine, "broken", image, chance, codes=(0, 1))
                if not judge(row, image, left) or not row["wrong_words"]:
                    raise hybrid.Failed(f"NVM that is {name} was found right")
                console.print(f"NVM {name}: found wrong, as it must be")
        except hybrid.Failed as failure:
            console.print(f"power_cut.py: {failure}", style="red", markup=False, soft_wrap=True)
            return 1
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "power_cut.json").write_text(
        json.dumps({"soc": options.soc.name, "rows": found}, indent=1) + "\n"
    )
    return int(any(row["wrong"] for row in found))


if __name__ == "__main__":
    sys.exit(main())
