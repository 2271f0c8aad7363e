#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bring a source tree to the state that a series of patches describes, whatever patches it has had before.

SERIES names the patches, one on a line, in their order; `#` starts a comment. Either all of them apply and the tree is
changed, or the first that does not is named with its file and hunk, and the tree stays as it was. Hunks may have moved
within their file: GNU patch looks for them. One whose outer lines of context have changed (fuzz) is taken, so that the
kernel builds where a point release has touched these, and named: git does not take it. Only files whose content changes
are written, so that make compiles no more than it must. What the patched files were like before is kept under
TREE/.patched.

Exit code: 1 when a patch does not apply, 2 when an argument or the series is bad.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

STATE = ".patched"


class PatchError(Exception):
    """A patch that does not apply; says which file and hunk."""


class SeriesError(Exception):
    """A series that names no patches, or no readable ones."""


def read_series(series):
    """Paths of the patches that the file `series` names, in order."""
    try:
        lines = [line.split("#")[0].strip() for line in series.read_text().splitlines()]
    except OSError as error:
        raise SeriesError(f"{series}: {error.strerror}") from error
    names = [line for line in lines if line]
    for name in names:
        if not (series.parent / name).is_file():
            raise SeriesError(f'{series}: names "{name}", which is not there')
        if names.count(name) > 1:
            raise SeriesError(f'{series}: names "{name}" more than once')
    return [series.parent / name for name in names]


def files_of(patch):
    """Paths, relative to the tree, of the files that `patch` changes, makes or removes."""
    sides = re.findall(r"^--- (\S+).*\n\+\+\+ (\S+)", patch.read_text(), re.MULTILINE)
    names = [new if new != "/dev/null" else old for old, new in sides]
    if not names:
        raise PatchError(f"{patch.name}: changes no file")
    files = [Path(*Path(name).parts[1:]) for name in names]
    for name, file in zip(names, files, strict=True):
        if Path(name).is_absolute() or ".." in file.parts or not file.parts:
            raise PatchError(f'{patch.name}: "{name}" is not a file of the tree with one leading folder (a/, b/)')
    return files


def apply_patch(patch, folder):
    """Apply `patch` to the files in `folder`; returns a line for each hunk that did not fit to the letter."""
    command = ["patch", "--strip=1", "--batch", "--forward", "--no-backup-if-mismatch", "--reject-file=-", "--unified"]
    with patch.open() as source:
        done = subprocess.run(command, cwd=folder, stdin=source, capture_output=True, text=True)
    output = done.stdout + done.stderr
    file = "?"
    if done.returncode == 0:
        fuzzy = []
        for line in output.splitlines():
            if match := re.match(r"patching file '?([^'\s]+)'?", line):
                file = match[1]
            elif match := re.match(r"Hunk #(\d+) succeeded at (\d+) with fuzz", line):
                fuzzy.append(f"{patch.name}: {file}: hunk {match[1]}, at line {match[2]}, has other lines around it")
        return fuzzy
    for line in output.splitlines():
        if match := re.match(r"(?:(?:patching|checking) file |\|\+\+\+ b/)'?([^'\s]+)'?", line):
            file = match[1]
        elif match := re.match(r"Hunk #(\d+) (?:FAILED|ignored) at (\d+)", line):
            raise PatchError(f"{patch.name}: {file}: hunk {match[1]}, for line {match[2]}, finds no place")
        elif match := re.match(r"(?:Reversed \(or previously applied\) patch detected|Skipping patch)", line):
            raise PatchError(f"{patch.name}: {file}: hunk 1 finds no place, or is applied already")
        elif match := re.match(r"can't find file to patch|No file to patch", line):
            file = next(iter(re.findall(r"\|\+\+\+ b/(\S+)", output)), file)
            raise PatchError(f"{patch.name}: {file}: no such file in the tree")
        elif match := re.match(r"patch: \*\*\*\* (.*)", line):
            raise PatchError(f"{patch.name}: {file}: {match[1]}")
    raise PatchError(f"{patch.name}: {file}: {output.strip()}")


def before_patches(tree, file):
    """Content of `file` before any patch, None if it was not there."""
    state = tree / STATE
    if (state / "absent" / file).exists():
        return None
    for path in (state / "original" / file, tree / file):
        if path.exists():
            return path.read_bytes()
    return None


def touched_before(tree):
    """Files that patches of an earlier run changed or made."""
    folders = [tree / STATE / kind for kind in ("original", "absent")]
    return {path.relative_to(folder) for folder in folders for path in folder.rglob("*") if path.is_file()}


def keep_original(tree, file, content):
    """Note in the tree's state what `file` was like before any patch."""
    path = tree / STATE / ("absent" if content is None else "original") / file
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content or b"")


def write(path, content):
    """Let `path` have `content` (None: not be there); untouched when that is so."""
    if content is None:
        path.unlink(missing_ok=True)
    elif not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def apply_series(patches, tree):
    """Bring `tree` to the state that `patches` describe; PatchError, and nothing changed, if one does not apply.
    Returns a line for each hunk that did not fit to the letter."""
    touched = {patch: files_of(patch) for patch in patches}
    files = {file for some in touched.values() for file in some} | touched_before(tree)
    originals = {file: before_patches(tree, file) for file in files}
    with tempfile.TemporaryDirectory() as folder:
        for file, content in originals.items():
            write(Path(folder) / file, content)
        fuzzy = [line for patch in patches for line in apply_patch(patch, folder)]
        results = {}
        for file in files:
            path = Path(folder) / file
            results[file] = path.read_bytes() if path.exists() else None
    for file, content in originals.items():
        keep_original(tree, file, content)
    for file, content in results.items():
        write(tree / file, content)
    return fuzzy


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("series", type=Path, help="file that names the patches beside it")
    parser.add_argument("tree", type=Path, help="source tree to patch")
    options = parser.parse_args(arguments)
    if not options.tree.is_dir():
        parser.error(f'TREE "{options.tree}" is not a folder')
    if shutil.which("patch") is None:
        parser.error("GNU patch is not installed")
    try:
        for line in apply_series(read_series(options.series), options.tree.resolve()):
            print(f"apply.py: {line}", file=sys.stderr)
    except SeriesError as error:
        parser.error(str(error))
    except PatchError as error:
        print(f"apply.py: {error}; {options.tree} is as it was", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
