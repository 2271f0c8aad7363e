# SPDX-License-Identifier: Apache-2.0
"""Runs programs in the guest on QEMU and records what its harts access, as traces of the lab.

usage: capture.py WORKLOAD FOLDER [--placement NAME] [--copies N] [--accesses N] [--image FILE] [--kernels FOLDER]
WORKLOAD is a program of programs.yaml, of which each hart runs a copy, or another name of workloads.py.
IMAGE is a Linux that has the harts and the floating point that the program needs; KERNELS has kernels/ compiled for it.
Writes FOLDER/hart-N.trace.zst for each hart that ran a copy, and FOLDER/record.json, which says what is recorded; what
was there stays until all is made.
Exit code 2 for wrong arguments, 1 when the capture fails.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
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
import workloads

ROOT = Path(__file__).resolve().parents[3]
LAB, GUEST = ROOT / "build" / "lab", ROOT / "build" / "guest"
EMULATOR = ROOT / "sw" / "guest" / "emulator" / "qemu.py"
INITRAMFS = ROOT / "sw" / "guest" / "userland" / "initramfs.py"
SECONDS = 1800
"""After which a guest hangs: a capture takes one on a quiet machine."""
SLOW_CLOCK = 100
"""The harts run in turn, and what they access is watched: they are some thousand times slower than the lab's. Beside a
clock that is not, the timer's interrupts have a tenth of the accesses."""
NO_WAITING = "rcupdate.rcu_expedited=1"
"""A grace period of RCU asks the harts to answer, in place of waiting for ticks of the slow clock, which takes 12 s."""


class CaptureError(Exception):
    """A capture that failed; says why."""


@dataclass(frozen=True)
class Guest:
    """What programs are run in; `kernels` is a folder of programs."""

    image: Path
    kernels: Path


def initramfs(workload: workloads.Workload, kernels: Path, folder: Path) -> Path:
    """The guest's archive with the programs, what they need, and the input of the one that has one."""
    files = {"/bin/lab-run": LAB / "lab-run"}
    with_input = {program.name: program.input for program in workload.programs if program.input is not None}
    if len(with_input) > 1:
        raise CaptureError(f"{workload.name}: {', '.join(with_input)} all have an input: must be one of them at most")
    for made in with_input.values():
        files["/input"] = folder / "input"
        files["/input"].write_bytes(made.bytes())
    for _, program in workload.groups():
        if program.package is None:
            files[program.program] = kernels / program.kernel
            if not files[program.program].is_file():
                raise CaptureError(f"{files[program.program]}: there is none: make it first")
        else:
            files |= closure.closure(LAB / "roots" / program.package, program.program, *program.opens)
    options = [word for path, file in files.items() for word in ("--file", f"{path}={file}")]
    archive = folder / "initramfs.cpio"
    base = ["--output", archive, "--add-to", GUEST / "initramfs.cpio"]
    done = subprocess.run([sys.executable, INITRAMFS, *base, *options], capture_output=True, text=True)
    if done.returncode != 0:
        raise CaptureError(f"{workload.name}: {done.stderr.strip()}")
    return archive


def packages(program: programs.Program) -> list[str]:
    """The packages that its files come from, each with its version."""
    if program.package is None:
        return []
    return (LAB / "roots" / program.package / "var/lib/weir/packages").read_text().splitlines()


def command(workload: workloads.Workload) -> str:
    """What starts it in the guest."""
    words = []
    for copies, program in workload.groups():
        words += ["--"] if words else ["lab-run"]
        words += [str(copies), program.program, *program.arguments]
    return shlex.join(words)


def contents(trace: Path) -> dict:
    """How much is in a trace (machine/describe.cpp), and the sum of its file: Snakemake takes a record of the same
    text for unchanged, and runs of it for made. Raises CaptureError."""
    done = subprocess.run([LAB / "describe", "--trace", f"weir:{trace}"], capture_output=True, text=True)
    if done.returncode != 0:
        raise CaptureError(done.stderr.strip())
    found = json.loads(done.stdout)
    del found["colours"]
    return {**found, "sha256": hashlib.sha256(trace.read_bytes()).hexdigest()}


ALIKE = 1.25
"""How many times the instructions of one copy of a program another may have in as many accesses."""


def check_alike(workload: workloads.Workload, of_harts: list[dict]) -> None:
    """Raises CaptureError where copies of a program are captured doing different work, as one that waits for another
    does; `of_harts` are the contents of the traces. Threads may have different work."""
    if workload.threads:
        return
    counts = [hart["instructions"] for hart in of_harts]
    for copies, program in workload.groups():
        least, most = min(counts[:copies]), max(counts[:copies])
        if most > ALIKE * least:
            raise CaptureError(
                f"{workload.name}: copies of {program.name} execute from {least} to {most} instructions for as many"
                f" accesses: must be at most {ALIKE} times as many"
            )
        counts = counts[copies:]


def check_length(workload: workloads.Workload, of_harts: list[dict], accesses: int) -> None:
    """Raises CaptureError where a program has ended before it made as many accesses."""
    for hart, of_hart in enumerate(of_harts):
        if of_hart["accesses"] < accesses:
            raise CaptureError(
                f"{workload.name}: hart {hart} made {of_hart['accesses']} accesses: must be {accesses}; its program has"
                " ended"
            )


KERNEL = 0.5
"""The share of a trace's accesses that the kernel has at most: of more, it is not the program that is measured."""


def check_kernel(workload: workloads.Workload, of_harts: list[dict]) -> None:
    """Raises CaptureError where the kernel has more of the accesses of all traces."""
    share = sum(hart["kernel"] for hart in of_harts) / sum(hart["accesses"] for hart in of_harts)
    if share > KERNEL:
        raise CaptureError(
            f"{workload.name}: {100 * share:.0f} % of the accesses are the kernel's: must be {100 * KERNEL:.0f} % at"
            " most; it is to be captured from where it has written its memory once (programs.yaml: skip; ready())"
        )


RANK = re.compile(r"^hart (\d+) prefers rank (\d+)\r?$", re.MULTILINE)
"""What a thread of ../kernels tells of itself (kernels/kernel.h)."""


def preferred_ranks(console: str, harts: int) -> list[int | None]:
    """Of each hart, which rank the kernel's Rank Assignment has for the thread on it; None where none told it."""
    told = {int(hart): int(rank) for hart, rank in RANK.findall(console)}
    return [told.get(hart) for hart in range(harts)]


def capture(
    workload: workloads.Workload, output: Path, placement: placements.Placement, guest: Guest, accesses: int
) -> dict:
    """Puts traces into a folder that is there and empty; what the record says. Raises CaptureError."""
    harts, memory = len(workload.programs), max(workload.memory, placement.memory)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = folder / "script"
        script.write_text("\n".join([*placement.script(), f"exec {command(workload)} >/dev/null", ""]))
        skip = ":".join("ready" if program.skip is None else str(program.skip) for program in workload.programs)
        plugin = f"{LAB / 'capture.so'},output={output},accesses={accesses},harts={harts},skip={skip}"
        if exchanged := placement.exchanged(memory):
            plugin += f",exchange={':'.join(f'{one}-{other}' for one, other in exchanged)}"
        archive = initramfs(workload, guest.kernels, folder)
        qemu = [sys.executable, EMULATOR, "--image", guest.image, "--initramfs", archive]
        qemu += ["--harts", str(harts), "--fpu", "--memory", str(memory), "--nodes", str(placement.nodes)]
        qemu += ["--timeout", str(SECONDS)]
        qemu += ["--slow-clock", str(SLOW_CLOCK)]
        qemu += ["--script", script, "--plugin", plugin]
        qemu += ["--append", f"{placement.kernel_parameter(memory)} {NO_WAITING}"]
        done = subprocess.run(qemu, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    traces = sorted(output.glob("hart-*.trace.zst"))
    if done.returncode != 0 or len(traces) < harts:
        raise CaptureError(
            f"{workload.name}: exit code {done.returncode}, {len(traces)} traces\n{done.stdout}{done.stderr}"
        )
    of_harts = [contents(trace) for trace in traces]
    check_length(workload, of_harts, accesses)
    check_alike(workload, of_harts)
    check_kernel(workload, of_harts)
    return {
        "workload": workload.name,
        "programs": [
            {
                "program": program.name,
                "copies": copies,
                "stands_for": program.stands_for,
                "packages": packages(program),
                "arguments": program.arguments,
                "skip": program.skip,
            }
            for copies, program in workload.groups()
        ],
        "accesses": accesses,
        "placement": placement.name,
        "traces": [trace.name for trace in traces],
        "contents": of_harts,
        "preferred_ranks": preferred_ranks(done.stdout, harts),
    }


def record(
    workload: workloads.Workload, output: Path, placement: placements.Placement, guest: Guest, accesses: int
) -> None:
    """Captures into a folder beside `output`, and puts what is made in the place of what was in `output`. Raises
    CaptureError, OSError."""
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent, prefix=f"{output.name}.") as name:
        made = capture(workload, Path(name), placement, guest, accesses)
        for stale in (output / "record.json", *output.glob("hart-*.trace.zst")):
            stale.unlink(missing_ok=True)
        for trace in made["traces"]:
            (Path(name) / trace).replace(output / trace)
        new = Path(name) / "record.json"
        new.write_text(json.dumps(made, indent=1) + "\n")
        new.replace(output / "record.json")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("workload", help="a program of programs.yaml, or another name of workloads.py")
    parser.add_argument("folder", type=Path, help="where the traces go")
    parser.add_argument(
        "--copies", type=int, default=workloads.COPIES, help="of a program, one for each hart (default %(default)s)"
    )
    parser.add_argument("--accesses", type=int, default=4_000_000, help="of each hart (default %(default)s)")
    parser.add_argument("--placement", default="default", help="a name in placements.yaml (default %(default)s)")
    parser.add_argument("--image", type=Path, default=LAB / "Image", help="Linux (default %(default)s)")
    parser.add_argument("--kernels", type=Path, default=LAB / "kernels", help="folder (default %(default)s)")
    options = parser.parse_args()
    if not 1 <= options.copies <= workloads.COPIES:
        parser.error(f"--copies {options.copies}: must be from 1 to {workloads.COPIES}")
    if options.accesses < 1:
        parser.error(f"--accesses {options.accesses}: must be at least 1")
    try:
        known, ways = workloads.load(options.copies), placements.load()
        if options.workload not in known:
            parser.error(f"{options.workload}: no such workload; there are {', '.join(known)}")
        if options.placement not in ways:
            parser.error(f"--placement {options.placement}: no such placement; there are {', '.join(ways)}")
        guest = Guest(options.image, options.kernels)
        record(known[options.workload], options.folder, ways[options.placement], guest, options.accesses)
    except (tables.TableError, closure.ClosureError, CaptureError, OSError) as error:
        print(f"capture.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
