# SPDX-License-Identifier: Apache-2.0
"""Programs for the guest that are no part of its initramfs, as those of tests are."""

import subprocess
from pathlib import Path

GUEST_CC = Path(__file__).resolve().parents[3] / "build" / "guest" / "bin" / "guest-cc"


def compiled(program, *sources):
    """The `program` (path), made of C `sources`."""
    command = [GUEST_CC, "-O2", "-std=gnu11", "-Wall", "-Werror", "-s", *sources, "-o", program]
    subprocess.run(command, check=True)
    return program
