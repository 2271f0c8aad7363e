#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Let the SoC find each of its address maps by the time that reads take, and compare with what its registers say.

Exit code 0 if every map was found for certain and is the one in force, 1 if not.
"""

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ADDRESS = 0x8020_0000
CYCLE_LIMIT = 40_000_000


@dataclass
class Found:
    """A map as masks by the names of the bits: found by timing, and in force by the registers."""

    name: str
    found: dict = field(default_factory=dict)
    registers: dict = field(default_factory=dict)
    verdict: int | None = None
    levels: tuple = ()
    cycles: int = 0


def parse(console):
    """The maps in the output of sw/firmware/mapdetect."""
    maps = []
    for line in console.replace("\r", "").splitlines():
        if match := re.fullmatch(r"map (\w+)", line):
            maps.append(Found(match[1]))
        elif match := re.fullmatch(r"(register )?([a-z]+\d+) (0x[0-9a-f]+)", line):
            (maps[-1].registers if match[1] else maps[-1].found)[match[2]] = int(match[3], 16)
        elif match := re.match(r"low (\d+) high (\d+) of (\d+), .*, cycles (\d+)", line):
            low, high, fraction, cycles = map(int, match.groups())
            maps[-1].levels, maps[-1].cycles = (low / fraction, high / fraction), cycles
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

    That is: the same bits of row and column, and the same sums of rank masks, and of rank and bank masks; which bank
    has which number cannot be timed.
    """
    if found.verdict != 0 or not found.registers:
        return False
    alike = all(
        _span(_masks(found.found, *names)) == _span(_masks(found.registers, *names))
        for names in (("rank",), ("rank", "bank"))
    )
    return alike and all(_masks(found.found, name) == _masks(found.registers, name) for name in ("row", "column"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("soc", type=Path, help="folder of a SoC of one hart with weir-sim and firmware/mapdetect.bin")
    soc = parser.parse_args().soc
    image = soc / "firmware" / "mapdetect.bin"
    for path in (soc / "weir-sim", image):
        if not path.is_file():
            parser.error(f"{path} does not exist; `make map-detection` builds it")
    command = [soc / "weir-sim", "--boot", f"{ADDRESS:#x}", "--ram-image", f"{image}@{ADDRESS:#x}"]
    command += ["--cycles", str(CYCLE_LIMIT), "--progress", "0"]
    result = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    maps = parse(result.stdout)
    for one in maps:
        same = "as in force" if is_right(one) else "NOT as in force"
        low, high = one.levels
        print(f"{one.name}: {same}; {low:.1f} and {high:.1f} cycles a read, found in {one.cycles / 1e6:.2f} M cycles")
    if result.returncode != 0 or not maps or not all(map(is_right, maps)):
        print(f"map_detection.py: exit code {result.returncode}: {result.stderr.strip()[-200:]}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
