#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Instructions that page colours cost while no policy is in use: the same program on a kernel with the option and on
one without, on QEMU with one hart, where each instruction takes 1 ns. The program spends its time in what allocates and
frees pages, so that what other programs lose is less.

Writes a table and, with --output, JSON. Exit code: 1 when the sum is more than the limit, 2 when an argument is bad.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
GUEST = HERE.parents[3] / "build" / "guest"
LIMIT = 0.5
"""Percent that the option may cost."""


def measure(image, program):
    """Instructions of each part of `program` on the kernel `image`, by name."""
    with tempfile.TemporaryDirectory() as folder:
        script, initramfs = Path(folder) / "script", Path(folder) / "initramfs.cpio"
        script.write_text("workload\n")
        archive = [HERE.parent.parent / "userland" / "initramfs.py", "--output", initramfs]
        added = ["--add-to", GUEST / "initramfs.cpio", "--file", f"/bin/workload={program}"]
        subprocess.run([sys.executable, *archive, *added], check=True)
        qemu = [sys.executable, HERE.parent.parent / "emulator" / "qemu.py", "--harts", "1", "--count-instructions"]
        files = ["--image", image, "--initramfs", initramfs, "--script", script]
        done = subprocess.run([*qemu, *files], capture_output=True, text=True, check=False)
    parts = {name: int(count) for name, count in re.findall(r"^cost (\w+) (\d+)\r?$", done.stdout, re.MULTILINE)}
    if done.returncode or not parts:
        raise RuntimeError(f"{image}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return parts


def compare(without, with_option):
    """A row (name, instructions without, with, percent more) for each part and for the sum."""
    if without.keys() != with_option.keys():
        raise ValueError(f"parts differ: {sorted(without)} and {sorted(with_option)}")
    pairs = [(name, without[name], with_option[name]) for name in without]
    pairs.append(("sum", sum(without.values()), sum(with_option.values())))
    return [(name, before, after, 100 * (after - before) / before) for name, before, after in pairs]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("without", type=Path, help="kernel without the option")
    parser.add_argument("with_option", metavar="with", type=Path, help="kernel with it")
    parser.add_argument("program", type=Path, help="workload.c, compiled for the guest")
    parser.add_argument("--output", type=Path, help="file for the rows, as JSON")
    options = parser.parse_args(arguments)
    for file in (options.without, options.with_option, options.program):
        if not file.is_file():
            parser.error(f'"{file}" is not a file')
    rows = compare(measure(options.without, options.program), measure(options.with_option, options.program))
    print(f"{'':12}{'without':>12}{'with':>12}{'more':>9}")
    for name, before, after, percent in rows:
        print(f"{name:12}{before:12}{after:12}{percent:8.3f}%")
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        keys = ("part", "without", "with", "percent")
        named = [dict(zip(keys, row, strict=True)) for row in rows]
        options.output.write_text(json.dumps({"rows": named}, indent=2) + "\n")
    if rows[-1][3] > LIMIT:
        print(f"{sys.argv[0]}: {rows[-1][3]:.3f} % is more than {LIMIT} %", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
