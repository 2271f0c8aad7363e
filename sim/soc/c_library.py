# SPDX-License-Identifier: Apache-2.0
"""The BIOS's C library, built once for all SoCs: it is the same for every number of harts and takes half a minute."""

import contextlib
import fcntl
import shutil
import subprocess
from pathlib import Path

# What the rest of the BIOS takes from LiteX's build of picolibc, in the order in which make dates them.
_FILES = ("cross.txt", "picolibc.h", "__libc.a", "_libc.a", "libc.a")


@contextlib.contextmanager
def shared(folder, software):
    """While the body builds the BIOS under `software` (LiteX's folder), let it take the C library from `folder`.

    If `folder` has none yet, the body builds it and it is kept there; another process that wants it waits meanwhile.
    """
    folder, built = Path(folder), Path(software) / "libc"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / _FILES[-1]).exists():
            yield
            for archive in ("__libc.a", "_libc.a", "libc.a"):
                subprocess.run(["riscv64-unknown-elf-strip", "--strip-debug", built / archive], check=True)
            _copy(built, folder)
            shutil.rmtree(built)  # objects with debug information: half a gigabyte
            return
    built.mkdir(parents=True)
    _copy(folder, built)
    yield
    shutil.rmtree(built)


def _copy(source, target):
    for name in _FILES:
        shutil.copy2(source / name, target / name)
