#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Let the SoC find its address maps by the time that reads take, and compare with what its registers say:
build/results/map-detection.json.

map-detection.json holds what was simulated (`soc`, `controller`, `harts`, `clock_mhz`, `dram`, `cycles` of the whole
run) and `rows`, one for each map: its name `map`, `address_map` and `row_policy` as the registers had them, the
`verdict` by its number (0: certain), `right` (see is_right()), the `cycles` of the detection, how many `times` were
taken and `predictions` tried, the cycles of a read without (`low`) and with a conflict (`high`), and the masks `found`.

Exit code 0 if every map was found for certain and is the one in force, 1 if not.
"""

import argparse
import json
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from run import FIRMWARE_ADDRESS, describe

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "sim" / "progress"))
from spoken import of_runs  # noqa: E402

CYCLE_LIMIT = 80_000_000

MAPS = {
    "row_rank_bank_column": 0,
    "bank_interleaved": 3,
    "non_interleaved": 1,
    "bank_xor": 4,
    "channel_interleaved": 2,
    "rank_row_bank_column": 6,
    "programmable": 5,
}
"""In the order of sw/firmware/mapdetect/main.c; the number of each in the register `address_map`."""

POLICIES = ("open", "closed", "timeout", "adaptive")
"""As in docs/policies/row.md."""


@dataclass
class Found:
    """A map as masks by the names of the bits: found by timing, and in force by the registers."""

    name: str
    found: dict = field(default_factory=dict)
    registers: dict = field(default_factory=dict)
    address_map: int | None = None
    row_policy: int | None = None
    verdict: int | None = None
    levels: tuple = (0.0, 0.0)
    times: int = 0
    predictions: int = 0
    cycles: int = 0


def parse(console):
    """The maps in the output of sw/firmware/mapdetect."""
    maps = []
    for line in console.replace("\r", "").splitlines():
        if match := re.fullmatch(r"map (\w+)", line):
            maps.append(Found(match[1]))
        elif match := re.fullmatch(r"(address_map|row_policy) (\d+)", line):
            setattr(maps[-1], match[1], int(match[2]))
        elif match := re.fullmatch(r"(register )?([a-z]+\d+) (0x[0-9a-f]+)", line):
            (maps[-1].registers if match[1] else maps[-1].found)[match[2]] = int(match[3], 16)
        elif match := re.fullmatch(
            r"low (\d+) high (\d+) of (\d+), times (\d+), predictions (\d+), cycles (\d+)", line
        ):
            low, high, fraction, *counts = map(int, match.groups())
            maps[-1].levels = (low / fraction, high / fraction)
            maps[-1].times, maps[-1].predictions, maps[-1].cycles = counts
        elif match := re.match(r"verdict (\d+) at", line):
            maps[-1].verdict = int(match[1])
    return maps


def _masks(bits, *names):
    return {mask for name, mask in bits.items() if name.rstrip("0123456789") in names}


def _span(masks):
    sums = {0}
    for mask in masks:
        sums |= {mask ^ other for other in sums}
    return sums


def is_right(found):
    """Whether the map was found for certain and is the one in force.

    That is, every mask to the bit. For masks of software's choice: the same bits of row and column, and the same sums
    of rank masks, and of rank and bank masks; which bank has which number cannot be timed.
    """
    if found.verdict != 0 or not found.registers or found.address_map != MAPS.get(found.name):
        return False
    if found.name != "programmable":
        return found.found == found.registers
    alike = all(
        _span(_masks(found.found, *names)) == _span(_masks(found.registers, *names))
        for names in (("rank",), ("rank", "bank"))
    )
    return alike and all(_masks(found.found, name) == _masks(found.registers, name) for name in ("row", "column"))


def row(found):
    """As it stands in map-detection.json."""
    low, high = found.levels
    return {
        "map": found.name,
        "address_map": found.address_map,
        "row_policy": POLICIES[found.row_policy],
        "verdict": found.verdict,
        "right": is_right(found),
        "cycles": found.cycles,
        "times": found.times,
        "predictions": found.predictions,
        "low": round(low, 2),
        "high": round(high, 2),
        "found": {name: f"{mask:#x}" for name, mask in found.found.items()},
    }


def command(soc, script, summary):
    """The simulator of the SoC in folder `soc` with the program, told by the file `script` what to find."""
    image = f"{soc / 'firmware' / 'mapdetect.bin'}@{FIRMWARE_ADDRESS:#x}"
    words = [soc / "weir-sim", "--boot", hex(FIRMWARE_ADDRESS), "--ram-image", image, "--script", script]
    return [*map(str, words), "--summary", str(summary), "--cycles", str(CYCLE_LIMIT), "--progress", "0"]


def detect(soc, policy, maps):
    """Maps that the SoC in folder `soc` has found, the summary of the run, and what it said last."""
    folder = soc / "map-detection"
    folder.mkdir(exist_ok=True)
    script, summary = folder / f"{policy}.script", folder / f"{policy}.json"
    script.write_text(str(POLICIES.index(policy)) + "".join(str([*MAPS].index(name)) for name in maps))
    summary.unlink(missing_ok=True)
    result = subprocess.run(
        command(soc, script, summary), capture_output=True, text=True, errors="replace", check=False
    )
    (folder / f"{policy}.log").write_text(result.stdout + result.stderr)
    if not summary.exists() or not summary.read_text():
        summary.write_text(json.dumps({"cycles": None, "exit_code": result.returncode}))
    return parse(result.stdout), json.loads(summary.read_text()), result.stderr.strip()[-200:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("soc", type=Path, help="folder of a SoC of one hart with weir-sim and firmware/mapdetect.bin")
    parser.add_argument("--row-policy", choices=POLICIES, default="adaptive", help="default %(default)s")
    parser.add_argument("--maps", nargs="+", choices=[*MAPS], default=[*MAPS], help="default all")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "results", help="default %(default)s")
    options = parser.parse_args()
    for path in (options.soc / "weir-sim", options.soc / "firmware" / "mapdetect.bin", options.soc / "csr.json"):
        if not path.is_file():
            parser.error(f"{path} does not exist; `make map-detection` builds it")
    with of_runs("map detection", Console()) as progress:
        progress.add_task("map detection", total=1)
        maps, summary, last_words = detect(options.soc, options.row_policy, options.maps)
    for one in maps:
        same = "as in force" if is_right(one) else "NOT as in force"
        low, high = one.levels
        print(f"{one.name}: {same}; {low:.1f} and {high:.1f} cycles a read, found in {one.cycles / 1e6:.2f} M cycles")
    document = {**describe(options.soc), "cycles": summary["cycles"], "rows": [row(one) for one in maps]}
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "map-detection.json").write_text(json.dumps(document, indent=1) + "\n")
    if summary["exit_code"] != 0 or [one.name for one in maps] != options.maps or not all(map(is_right, maps)):
        print(f"map_detection.py: exit code {summary['exit_code']}: {last_words}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
