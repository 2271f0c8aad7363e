# SPDX-License-Identifier: Apache-2.0
"""The kernel's selftests of policies that choose where pages lie, for whoever runs them in a guest."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "sw" / "guest" / "userland"))

import guest_cc  # noqa: E402
import initramfs as archive  # noqa: E402

SOURCES = ROOT / "build" / "guest" / "kernel-source" / "tools" / "testing" / "selftests"
"""They come with the patches, so they are there when the kernel has been built."""

CHECKS = {
    "colours_test": 6,
    "delegation_test": 34,
    "files_test": 9,
    "palloc_test": 23,
    "rank_test": 23,
    "vip_test": 24,
    "migration_test": 24,
}
"""How many checks each of them has."""

FILL_MEMORY = {"rank_test": 3, "vip_test": 3}
"""How many of these are skipped with few pages, which FEW_PAGES in the environment asks for."""

FEW_PAGES = ("PAGE_COLOUR_TEST_PAGES", "NODE_TEST_PAGES")

COLOURS = ("colours_test", "delegation_test", "files_test", "palloc_test")
"""Those of page colours that the guest's own kernel has all for."""

NODES = ("rank_test", "vip_test")
"""Those of ranks that are nodes."""


def compiled(folder, names=COLOURS):
    """Path in the guest -> its program, compiled into `folder` (Path), of each of `names`."""
    folders = {name: SOURCES / ("memory_nodes" if name in NODES else "page_colour") for name in names}
    return {f"/bin/{name}": guest_cc.compiled(folder / name, at / f"{name}.c") for name, at in folders.items()}


def initramfs(folder, names=COLOURS):
    """The guest's initramfs with the selftests `names` in it, as a file in `folder` (Path)."""
    output = folder / "initramfs.cpio"
    files = [word for path, local in compiled(folder, names).items() for word in ("--file", f"{path}={local}")]
    base = ROOT / "build" / "guest" / "initramfs.cpio"
    assert archive.main(["--output", str(output), "--add-to", str(base), *files]) == 0
    return output


def wrong(name, text, skipped=0):
    """What was wrong when the selftest printed `text`, in lines; none if it made all its checks, all were right and so
    many were skipped."""
    results = re.findall(r"^(?:ok|not ok) \d+ .*", text, re.MULTILINE)
    lines = [line for line in results if not line.startswith("ok")]
    if len(results) != CHECKS[name]:
        lines.append(f"{len(results)} checks of {CHECKS[name]}")
    if not re.search(rf" fail:0 xfail:0 xpass:0 skip:{skipped} error:0$", text, re.MULTILINE):
        lines.append(f"the totals do not say that nothing failed and {skipped} were skipped")
    return lines
