# SPDX-License-Identifier: Apache-2.0
"""Files that are written whole or not at all, on a disk that becomes full at any byte."""

import os
import resource
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from litex_weir import whole_files

EXAMPLE = "boards/litex_weir/examples/axi.yml"
ROOT = Path(__file__).resolve().parents[3]
OLD = {"a.v": b"old a", "include/generated/b.h": b"old b"}
NEW = {"a.v": 300 * b"a", "include/generated/b.h": 500 * b"b", "other/c": 700 * b"c"}


@contextmanager
def file_limit(size):
    """No file of this process may become longer: a write beyond ends with an error, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)


def held(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_files_and_folders_are_made_and_replaced(tmp_path):
    whole_files.write(tmp_path / "new", OLD)
    assert held(tmp_path / "new") == OLD
    whole_files.write(tmp_path / "new", NEW)
    assert held(tmp_path / "new") == NEW


@pytest.mark.parametrize("size", [0, 1, 299, 300, 499, 500, 699])
@pytest.mark.parametrize("there", [True, False])
def test_a_full_disk_changes_nothing(tmp_path, size, there):
    folder = tmp_path / "out"
    if there:
        whole_files.write(folder, OLD)
    with file_limit(size), pytest.raises(OSError, match="File too large"):
        whole_files.write(folder, NEW)
    assert held(tmp_path) == ({f"out/{name}": text for name, text in OLD.items()} if there else {})
    assert not (folder / "other").exists() and folder.exists() == there


def test_a_folder_in_the_place_of_a_file_changes_nothing(tmp_path):
    whole_files.write(tmp_path, OLD)
    (tmp_path / "other" / "c").mkdir(parents=True)
    with pytest.raises(IsADirectoryError):
        whole_files.write(tmp_path, NEW)
    assert held(tmp_path) == OLD


def test_a_writer_that_cuts_is_found(tmp_path):
    """What `write` is for: the same with each file written in its place."""
    whole_files.write(tmp_path, OLD)
    with file_limit(299), pytest.raises(OSError, match="File too large"):
        for name, text in NEW.items():
            (tmp_path / name).write_bytes(text)
    assert held(tmp_path) != OLD


LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2)
from litex_weir import weir_gen
weir_gen.main()
"""


@pytest.mark.parametrize("part", [0.02, 0.9], ids=["LiteX's scratch files", "Weir.sv"])
def test_weir_gen_leaves_its_folder_as_it_was(tmp_path, part):
    """The core that was there; the largest file of a core is the controller."""
    largest = (ROOT / "build" / "hw" / "ecp5-lite" / "Weir.sv").stat().st_size
    before = {"weir_axi.v": b"old core", "Weir.sv": b"old controller"}
    whole_files.write(tmp_path / "out", before)
    ended = subprocess.run(
        [sys.executable, "-c", LIMITED, str(int(largest * part)), EXAMPLE, "--output", tmp_path / "out"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": "boards/litex_weir", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    last = ended.stderr.splitlines()[-1]
    assert last.startswith("weir_gen: ") and last.endswith("cannot be written: File too large"), ended.stderr
    assert "Traceback" not in ended.stderr
    assert held(tmp_path / "out") == before
