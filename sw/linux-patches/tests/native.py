# SPDX-License-Identifier: Apache-2.0
"""Parts of the kernel's own sources and their KUnit tests, compiled for this machine."""

import re
import subprocess
from pathlib import Path

SHIM = Path(__file__).parent / "kunit"
KERNEL = Path(__file__).resolve().parents[3] / "build" / "guest" / "kernel-source"


def part(text, start):
    """The function, struct or enum of the kernel source `text` that begins with `start`, to its closing brace."""
    found = re.search(rf"^{re.escape(start)}.*?^}};?\n", text, re.MULTILINE | re.DOTALL)
    assert found, f"no {start}"
    return found[0]


def line(text, start):
    """The line of the kernel source `text` that begins with `start`."""
    return re.search(rf"^{re.escape(start)}.*\n", text, re.MULTILINE)[0]


def functions(file, starts, old="", new=""):
    """The functions of the kernel's `file` that begin with `starts`, with their only `old` replaced by `new`."""
    source = (KERNEL / file).read_text()
    text = "\n".join(part(source, start) for start in starts)
    if old:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def program(folder, types, tested, tests):
    """Path of a program in `folder` of the texts `types` and `tested`, and the KUnit tests of the kernel's `tests`."""
    cases = re.sub(r"^#include .*\n", "", (KERNEL / tests).read_text(), flags=re.MULTILINE)
    (folder / "test.c").write_text("\n".join(['#include "kunit.h"', *types, tested, cases]))
    command = ["gcc", "-std=gnu11", "-Wall", "-Werror", "-I", SHIM, folder / "test.c", "-o", folder / "test"]
    subprocess.run(command, check=True)
    return folder / "test"


def run(path):
    """(exit code, lines printed) of the program."""
    done = subprocess.run([path], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()


def every_case_passes(path, cases):
    """Asserts that the program passes, with as many cases."""
    code, lines = run(path)
    assert code == 0, lines
    assert [line.split()[0] for line in lines] == ["ok"] * cases
