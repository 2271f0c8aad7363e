#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compile Linux with the first patch, with the first two, and so on: a series that is bisected must build everywhere.

The kernel has the options of --config as far as the patches so far have brought them, and LINEs over them; a warning
counts as an error (CONFIG_WERROR). The selftests that a patch touches are compiled, too. BUILD keeps the source and the
objects, so that the next patch compiles no more than it must, and has in BUILD/log what the compiler said.

Exit code: 1 when a patch does not apply or compile, which is named; 2 when an argument is bad.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import apply
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

SELFTESTS = Path("tools", "testing", "selftests")
HELPERS = {"weir_pmu.c": ["weir_device.c"], "weir_sysfs.c": ["weir_device.c"], "weir_device.c": None}
"""Sources of selftests -> what they are linked with; None: no program of its own."""


class BuildError(Exception):
    """Something that does not compile; says what."""


def run(command, log):
    """Run `command`, its output into the file `log`; whether it succeeded."""
    return subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, check=False).returncode == 0


def compile_kernel(source, objects, fragment, log):
    """Image of `source` in the folder `objects` with the options of the file `fragment`. Raises BuildError."""
    make = ["make", "-C", source, f"O={objects}", "ARCH=riscv", "CROSS_COMPILE=ccache riscv64-linux-gnu-"]
    if not run([*make, f"KCONFIG_ALLCONFIG={fragment}", "allnoconfig"], log):
        raise BuildError("the configuration")
    if not run([*make, f"-j{os.cpu_count()}", "Image"], log):
        raise BuildError("the kernel")


def compile_selftests(source, files, compiler, folder, log):
    """The programs among `files` (of the tree `source`) that are selftests. Raises BuildError."""
    for file in files:
        helpers = HELPERS.get(file.name, [])
        if not file.is_relative_to(SELFTESTS) or file.suffix != ".c" or helpers is None:
            continue
        sources = [source / file, *(source / file.parent / helper for helper in helpers)]
        words = [compiler, "-O2", "-std=gnu11", "-Wall", "-Werror", *sources, "-o", folder / "selftest"]
        if not run(words, log):
            raise BuildError(f"{file}")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("series", type=Path, help="file that names the patches beside it")
    parser.add_argument("tree", type=Path, help="source tree, patched or not; it is copied")
    parser.add_argument("build", type=Path, help="folder for the copy, the objects and the log")
    parser.add_argument("--compiler", type=Path, required=True, help="C compiler of the guest, for the selftests")
    parser.add_argument("--config", type=Path, required=True, help="fragment of the kernel's configuration")
    parser.add_argument("--from", dest="first", default="", metavar="PATCH", help="begin with this one of the series")
    parser.add_argument("lines", nargs="*", metavar="LINE", help="more lines of the configuration: CONFIG_KUNIT=y")
    options = parser.parse_args(arguments)
    try:
        patches = apply.read_series(options.series)
    except apply.SeriesError as error:
        parser.error(str(error))
    names = [patch.name for patch in patches]
    if options.first and options.first not in names:
        parser.error(f'--from "{options.first}": {options.series} has no such patch')
    first = names.index(options.first) if options.first else 0
    build, compiler = options.build.resolve(), options.compiler.resolve()
    (build / "objects").mkdir(parents=True, exist_ok=True)
    source, objects, fragment = build / "source", build / "objects", build / "weir.config"
    if not source.is_dir():
        shutil.copytree(options.tree, source, symlinks=True)
    fragment.write_text("\n".join([options.config.read_text(), "CONFIG_WERROR=y", *options.lines, ""]))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console()
    with Progress(*columns, console=console) as progress, (build / "log").open("wb") as log:
        task = progress.add_task("patches", total=len(patches) - first)
        for count, patch in enumerate(patches[first:], first + 1):
            progress.update(task, description=patch.name)
            try:
                apply.apply_series(patches[:count], source)
                compile_kernel(source, objects, fragment, log)
                compile_selftests(source, apply.files_of(patch), compiler, build, log)
            except (apply.PatchError, BuildError) as error:
                print(f"each_patch.py: with {patch.name}: {error}; see {build / 'log'}", file=sys.stderr)
                return 1
            progress.advance(task)
            if not console.is_terminal:
                console.print(f"{patch.name}: compiles", highlight=False, soft_wrap=True)
    console.print(f"states of the series that compile: {len(patches) - first}", highlight=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
