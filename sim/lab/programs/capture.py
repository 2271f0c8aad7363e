# SPDX-License-Identifier: Apache-2.0
"""Runs a program in the guest on QEMU and records what its harts access, as traces of the lab.

usage: capture.py PROGRAM FOLDER [--placement NAME] [--copies N] [--accesses N] [--image FILE] [--kernels FOLDER]
IMAGE is a Linux that has the harts and the floating point that the program needs; KERNELS has kernels/ compiled for it.
Writes FOLDER/hart-N.trace.zst for each hart that ran a copy, and FOLDER/record.json, which says what is recorded.
Exit code 2 for wrong arguments, 1 when the capture fails.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import closure
import placements
import programs
import tables

ROOT = Path(__file__).resolve().parents[3]
LAB, GUEST = ROOT / "build" / "lab", ROOT / "build" / "guest"
EMULATOR = ROOT / "sw" / "guest" / "emulator" / "qemu.py"
INITRAMFS = ROOT / "sw" / "guest" / "userland" / "initramfs.py"
MOST_COPIES = 8
SECONDS = 600


class CaptureError(Exception):
    """A capture that failed; says why."""


@dataclass(frozen=True)
class Guest:
    """What programs are run in. `harts` is how many copies run, one on each; `kernels` is a folder of programs."""

    image: Path
    kernels: Path
    harts: int


def initramfs(program: programs.Program, kernels: Path, folder: Path) -> Path:
    """The guest's archive with the program, what it needs, and its input."""
    files = {"/bin/lab-run": LAB / "lab-run"}
    if program.package is None:
        files[program.program] = kernels / program.kernel
    else:
        files |= closure.closure(LAB / "roots" / program.package, program.program)
    if program.input is not None:
        files["/input"] = folder / "input"
        files["/input"].write_bytes(program.input.bytes())
    options = [word for path, file in files.items() for word in ("--file", f"{path}={file}")]
    archive = folder / "initramfs.cpio"
    base = ["--output", archive, "--add-to", GUEST / "initramfs.cpio"]
    subprocess.run([sys.executable, INITRAMFS, *base, *options], check=True)
    return archive


def packages(program: programs.Program) -> list[str]:
    """The packages that its files come from, each with its version."""
    if program.package is None:
        return []
    return (LAB / "roots" / program.package / "var/lib/weir/packages").read_text().splitlines()


def contents(trace: Path) -> dict:
    """How much is in a trace (machine/describe.cpp). Raises CaptureError."""
    done = subprocess.run([LAB / "describe", "--trace", f"weir:{trace}"], capture_output=True, text=True)
    if done.returncode != 0:
        raise CaptureError(done.stderr.strip())
    found = json.loads(done.stdout)
    del found["colours"]
    return found


def capture(
    program: programs.Program, output: Path, placement: placements.Placement, guest: Guest, accesses: int
) -> dict:
    """What the record says. Raises CaptureError."""
    output.mkdir(parents=True, exist_ok=True)
    for stale in (*output.glob("hart-*.trace.zst"), output / "record.json"):
        stale.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = folder / "script"
        command = shlex.join(["lab-run", str(guest.harts), program.program, *program.arguments])
        script.write_text("\n".join([*placement.script(), f"exec {command} >/dev/null", ""]))
        skip = "ready" if program.skip is None else program.skip
        plugin = f"{LAB / 'capture.so'},output={output},accesses={accesses},harts={guest.harts},skip={skip}"
        archive = initramfs(program, guest.kernels, folder)
        qemu = [sys.executable, EMULATOR, "--image", guest.image, "--initramfs", archive]
        qemu += ["--harts", str(guest.harts), "--fpu", "--memory", str(program.memory), "--timeout", str(SECONDS)]
        qemu += ["--script", script, "--plugin", plugin]
        qemu += ["--append", placement.kernel_parameter(program.memory)]
        done = subprocess.run(qemu, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    traces = sorted(output.glob("hart-*.trace.zst"))
    if done.returncode != 0 or len(traces) < guest.harts:
        raise CaptureError(
            f"{program.name}: exit code {done.returncode}, {len(traces)} traces\n{done.stdout}{done.stderr}"
        )
    return {
        "program": program.name,
        "stands_for": program.stands_for,
        "packages": packages(program),
        "arguments": program.arguments,
        "copies": guest.harts,
        "accesses": accesses,
        "skip": program.skip,
        "placement": placement.name,
        "traces": [trace.name for trace in traces],
        "contents": [contents(trace) for trace in traces],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="a name in programs.yaml")
    parser.add_argument("folder", type=Path, help="where the traces go")
    parser.add_argument("--copies", type=int, default=MOST_COPIES, help="one for each hart (default %(default)s)")
    parser.add_argument("--accesses", type=int, default=4_000_000, help="of each hart (default %(default)s)")
    parser.add_argument("--placement", default="default", help="a name in placements.yaml (default %(default)s)")
    parser.add_argument("--image", type=Path, default=LAB / "Image", help="Linux (default %(default)s)")
    parser.add_argument("--kernels", type=Path, default=LAB / "kernels", help="folder (default %(default)s)")
    options = parser.parse_args()
    if not 1 <= options.copies <= MOST_COPIES:
        parser.error(f"--copies {options.copies}: must be from 1 to {MOST_COPIES}")
    if options.accesses < 1:
        parser.error(f"--accesses {options.accesses}: must be at least 1")
    try:
        known, ways = programs.load(), placements.load()
        if options.program not in known:
            parser.error(f"{options.program}: no such program; there are {', '.join(known)}")
        if options.placement not in ways:
            parser.error(f"--placement {options.placement}: no such placement; there are {', '.join(ways)}")
        program, placement = known[options.program], ways[options.placement]
        guest = Guest(options.image, options.kernels, options.copies)
        record = capture(program, options.folder, placement, guest, options.accesses)
    except (tables.TableError, closure.ClosureError, CaptureError) as error:
        print(f"capture.py: {error}", file=sys.stderr)
        return 1
    (options.folder / "record.json").write_text(json.dumps(record, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
