# SPDX-License-Identifier: Apache-2.0
"""How weir-sim is started on Linux, from power-on or from a snapshot."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GUEST = ROOT / "build" / "guest"
sys.path += [str(ROOT / "sim" / "soc"), str(ROOT / "sw" / "guest" / "machine")]

import layout  # noqa: E402

CYCLE_LIMIT = 400_000_000
"""Two seconds of the guest's time; ten times what boots and benchmarks take."""

FIRST_BOOT = {"weir-1": 28, "weir-1-hybrid": 37, "weir-2": 33, "weir-4": 40, "weir-4-hybrid": 49, "weir-4-4rank": 45}
"""About how many million cycles a boot takes, for the progress line of the first one."""

CONSOLE_LIMIT = 1 << 20
"""Bytes on the console after which something prints without end."""

PANIC = "Kernel panic"
AT_INIT = "weir: init at cycle"
AT_EXIT = "weir: exit"

STAGES = {
    "Liftoff!": "OpenSBI and Linux",
    AT_INIT: "init",
    AT_EXIT: "end",
}
"""Texts on the console by which a run is followed."""


def files(soc):
    """What a boot of SoC `soc` (its name) needs: file -> address in memory."""
    own = GUEST / ("hybrid" if soc.endswith("-hybrid") else "")
    return {
        GUEST / f"{soc}.dtb": layout.DEVICE_TREE,
        GUEST / "fw_jump.bin": layout.FIRMWARE,
        own / "Image": layout.KERNEL,
        own / "initramfs.cpio": layout.INITRAMFS,
    }


def simulator(soc):
    return ROOT / "build" / "soc" / soc / "weir-sim"


def snapshot(soc):
    """The machine as init found it."""
    return ROOT / "build" / "linux" / soc / "snapshot"


def boot(soc, device_tree=None, initramfs=None, more=None):
    """Command line that starts Linux on `soc` from power-on, with another device tree or initramfs if one is given,
    and with `more` files in memory: file -> address."""
    others = {layout.DEVICE_TREE: device_tree, layout.INITRAMFS: initramfs}
    images = {others.get(at) or path: at for path, at in files(soc).items()} | (more or {})
    loads = [word for path, at in images.items() for word in ("--ram-image", f"{path}@{at:#x}")]
    return [simulator(soc), "--boot", hex(layout.FIRMWARE), *loads, *_limits()]


def resume(soc, script=None, start=None):
    """Command line that goes on from the snapshot of `soc`, or from that of `start`, with a script to run in the
    guest if one is given."""
    return [simulator(soc), "--resume", start or snapshot(soc), *(("--script", script) if script else ()), *_limits()]


def _limits():
    return ["--cycles", CYCLE_LIMIT, "--console-limit", CONSOLE_LIMIT, "--fail-on", PANIC]
