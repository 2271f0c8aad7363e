#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the guest on QEMU: the Image and the initramfs of the SoC, on harts like Rocket's in QEMU's machine `virt`.

Without a script the guest ends in a shell on this terminal (Ctrl-A X ends QEMU). With one, init runs it and the exit
code is that of the script. Exit codes of this program itself: 2 bad arguments, 124 the time is over, 125 the kernel
panicked, 126 the guest ended without a word about the script, 127 QEMU did not run.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
GUEST = ROOT / "build" / "guest"
INITRAMFS_PY = ROOT / "sw" / "guest" / "userland" / "initramfs.py"

TIME_OVER, PANIC, NO_EXIT, NO_QEMU = 124, 125, 126, 127
MEMORY_MIB = 128
LEAST_MEMORY_MIB, MOST_MEMORY_MIB = 64, 4096
"""What Linux and the initramfs need, and what a machine of the developers' surely has."""
# MTTCG, a thread for each hart, hangs now and then in QEMU 7.2.
ACCELERATOR = "tcg,thread=single"
CPU, CPU_WITH_FPU = "rv64,f=false,d=false,h=false", "rv64,h=false"
MEMORY = 0x8000_0000
"""Where the machine `virt` has it."""
CLOCK_HZ = 10_000_000
"""Of the machine `virt`'s timer."""
SLOWEST = 100


class Console:
    """Passes on what the guest prints and notes in it how the run ends."""

    def __init__(self, output):
        self.output = output
        self.exit_code = None
        self.panic = None
        self._line = b""

    def take(self, data):
        self.output.write(data)
        self.output.flush()
        *lines, self._line = (self._line + data).split(b"\n")
        for line in lines:
            if match := re.match(rb"weir: exit (\d+)\s*$", line):
                self.exit_code = int(match[1])
            elif b"Kernel panic - not syncing" in line and self.panic is None:
                self.panic = line.decode(errors="replace").strip()


def with_script(initramfs, script, output):
    """Write into `output` the archive `initramfs` with the file `script` in it as /script."""
    command = [sys.executable, INITRAMFS_PY, "--output", output, "--add-to", initramfs, "--file", f"/script={script}"]
    subprocess.run(command, check=True)


def machine(options, properties=""):
    """The beginning of QEMU's command line: harts and memory."""
    return [
        "qemu-system-riscv64",
        *("-machine", f"virt{properties}", "-cpu", CPU_WITH_FPU if options.fpu else CPU, "-accel", ACCELERATOR),
        *("-smp", str(options.harts), "-m", f"{options.memory}M"),
    ]


def changed_tree(options, output):
    """Write into `output` the machine's device tree, changed as `options` ask. OSError and CalledProcessError."""
    subprocess.run(machine(options, f",dumpdtb={output}"), capture_output=True, check=True)
    # what the guest takes for a second lasts as many
    frequency = str(CLOCK_HZ * options.slow_clock)
    subprocess.run(["fdtput", "-tu", output, "/cpus", "timebase-frequency", frequency], capture_output=True, check=True)
    if options.nodes > 1:
        node_bytes = (options.memory << 20) // options.nodes
        add_nodes(output, options.harts, [(node_bytes * node, node_bytes) for node in range(options.nodes)])


def add_nodes(tree, harts, ranges):
    """Make each of `ranges` (first byte of memory, bytes) a node of Linux in the device tree that is the file `tree`,
    and put all harts on the first. Raises CalledProcessError."""

    def change(*words):
        subprocess.run(["fdtput", words[0], tree, *words[1:]], capture_output=True, check=True)

    for node, (first, size) in enumerate(ranges):
        path = f"/memory@{MEMORY + first:x}"
        change("-cp", path)
        change("-ts", path, "device_type", "memory")
        change("-tu", path, "reg", *map(str, (0, MEMORY + first, 0, size)))
        change("-tu", path, "numa-node-id", str(node))
    for hart in range(harts):
        change("-tu", f"/cpus/cpu@{hart}", "numa-node-id", "0")
    numbers = range(len(ranges))
    change("-cp", "/distance-map")
    change("-ts", "/distance-map", "compatible", "numa-distance-map-v1")
    cells = [cell for a in numbers for b in numbers for cell in (a, b, 10 if a == b else 11)]
    change("-tu", "/distance-map", "distance-matrix", *map(str, cells))


def command(options, initramfs, tree):
    """QEMU's command line."""
    return [
        *machine(options),
        *(("-dtb", str(tree)) if tree else ()),
        *(("-icount", "shift=0,sleep=off") if options.count_instructions else ()),
        *(("-plugin", options.plugin) if options.plugin else ()),
        *("-display", "none", "-serial", "mon:stdio", "-no-reboot"),
        *("-kernel", str(options.image), "-initrd", str(initramfs)),
        *("-append", " ".join(["console=ttyS0", "quiet", "panic=-1", *options.append.split()])),
    ]


def run(options, initramfs, tree):
    """Run QEMU, console on the standard streams; returns the exit code, after a message when it is not the guest's."""
    console = Console(sys.stdout.buffer)
    source = subprocess.DEVNULL if options.script else None
    try:
        qemu = subprocess.Popen(command(options, initramfs, tree), stdin=source, stdout=subprocess.PIPE)
    except OSError as error:
        return complain(NO_QEMU, f"qemu-system-riscv64: {error.strerror}")
    over = threading.Event()

    def end():
        over.set()
        qemu.kill()

    limit = threading.Timer(options.timeout, end) if options.timeout else None
    if limit:
        limit.start()
    try:
        while data := os.read(qemu.stdout.fileno(), 65536):
            console.take(data)
        status = qemu.wait()
    finally:
        if limit:
            limit.cancel()
        qemu.kill()
        qemu.wait()
    if console.panic:
        return complain(PANIC, f"the guest's kernel panicked: {console.panic}")
    if console.exit_code is not None:
        return min(console.exit_code, 255)
    if over.is_set():
        return complain(TIME_OVER, f"the guest did not end in {options.timeout:g} s")
    if status:
        return complain(NO_QEMU, f"QEMU ended with exit code {status}")
    if options.plugin:
        return 0
    return complain(NO_EXIT, "the guest ended without the exit code of the script") if options.script else 0


def complain(code, message):
    print(f"qemu.py: {message}", file=sys.stderr)
    return code


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--harts", type=int, default=4, choices=(1, 2, 4, 8), help="harts (default %(default)s)")
    parser.add_argument("--script", type=Path, help="file that the guest runs instead of an interactive shell")
    parser.add_argument("--timeout", type=float, help="seconds after which the run is ended (default none)")
    parser.add_argument(
        "--count-instructions",
        action="store_true",
        help="let each instruction take 1 ns: the cycles that init prints are instructions then (one hart only)",
    )
    parser.add_argument(
        "--slow-clock",
        type=int,
        default=1,
        metavar="TIMES",
        help="let a second of the guest last so many seconds: there is an interrupt of the timer for more instructions",
    )
    parser.add_argument("--fpu", action="store_true", help="harts with F and D, for a kernel that knows of them")
    parser.add_argument("--plugin", help="a TCG plugin, FILE[,ARGUMENT...], which may end the run well")
    parser.add_argument("--memory", type=int, default=MEMORY_MIB, help="MiB of memory (default %(default)s)")
    parser.add_argument(
        "--nodes", type=int, default=1, choices=(1, 2, 4), help="parts of it that are nodes, all harts on the first"
    )
    parser.add_argument("--append", default="", help="words to put behind the kernel's command line")
    parser.add_argument("--image", type=Path, default=GUEST / "Image", help="kernel (default build/guest/Image)")
    parser.add_argument(
        "--initramfs", type=Path, default=GUEST / "initramfs.cpio", help="default build/guest/initramfs.cpio"
    )
    options = parser.parse_args(arguments)
    if options.timeout is not None and not options.timeout > 0:
        parser.error(f"--timeout {options.timeout:g} is not a time above 0 s")
    if not LEAST_MEMORY_MIB <= options.memory <= MOST_MEMORY_MIB:
        parser.error(f"--memory {options.memory} is not in {LEAST_MEMORY_MIB} to {MOST_MEMORY_MIB} MiB")
    if not 1 <= options.slow_clock <= SLOWEST:
        parser.error(f"--slow-clock {options.slow_clock} is not in 1 to {SLOWEST}")
    if options.count_instructions and options.harts != 1:
        parser.error(f"--count-instructions with --harts {options.harts}: QEMU 7.2 hangs with more than 1")
    for file in (options.image, options.initramfs, *filter(None, [options.script])):
        if not file.is_file():
            parser.error(f'"{file}" is not a file')
    return options


def main(arguments=None):
    options = parse(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        initramfs, tree = options.initramfs, None
        if options.slow_clock != 1 or options.nodes != 1:
            try:
                changed_tree(options, tree := folder / "tree.dtb")
            except (OSError, subprocess.CalledProcessError) as error:
                return complain(NO_QEMU, f"no device tree with a slow clock or nodes: {error}")
        if options.script is not None:
            with_script(options.initramfs, options.script, initramfs := folder / "initramfs.cpio")
        return run(options, initramfs, tree)


if __name__ == "__main__":
    sys.exit(main())
