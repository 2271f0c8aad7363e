# SPDX-License-Identifier: Apache-2.0
"""The files that a program needs, in a root that is made of two small libraries and a program."""

import subprocess

import closure
import pytest

FOLDER = "lib/riscv64-linux-gnu"
GCC = ["riscv64-linux-gnu-gcc", "-nostdlib", "-fPIC"]


@pytest.fixture
def root(tmp_path):
    """`program` needs libfirst.so.1, a link, which needs libsecond.so; the loader is a file of its own."""
    libraries = tmp_path / "usr" / FOLDER
    libraries.mkdir(parents=True)
    (tmp_path / "lib").symlink_to("usr/lib")
    (tmp_path / "usr/bin").mkdir()
    for name, text in (("second", "int second(void) { return 2; }"), ("loader", "int loader;")):
        (tmp_path / f"{name}.c").write_text(text)
        subprocess.run([*GCC, "-shared", tmp_path / f"{name}.c", "-o", libraries / f"lib{name}.so"], check=True)
    (tmp_path / "first.c").write_text("int second(void); int first(void) { return second(); }")
    made = ["-shared", tmp_path / "first.c", "-Wl,-soname,libfirst.so.1", "-o", libraries / "libfirst.so.1.0"]
    subprocess.run([*GCC, *made, "-L", libraries, "-lsecond"], check=True)
    (libraries / "libfirst.so.1").symlink_to("libfirst.so.1.0")
    (tmp_path / "program.c").write_text("int first(void); void _start(void) { first(); }")
    linked = [tmp_path / "program.c", libraries / "libfirst.so.1.0", f"-Wl,-dynamic-linker,/{FOLDER}/libloader.so"]
    options = ["-Wl,-rpath-link", libraries, "-o", tmp_path / "usr/bin/program"]
    subprocess.run([*GCC, *linked, *options], check=True)
    return tmp_path


def test_libraries_of_libraries_and_the_loader_are_there(root):
    found = closure.closure(root, "/usr/bin/program")
    names = ["/usr/bin/program", *(f"/{FOLDER}/lib{name}" for name in ("first.so.1", "second.so", "loader.so"))]
    assert sorted(found) == sorted(names)
    assert found[f"/{FOLDER}/libfirst.so.1"].name == "libfirst.so.1.0"
    assert all(file.is_file() and not file.is_symlink() for file in found.values())


def test_a_library_that_is_opened_while_a_program_runs_is_named_beside_it(root):
    found = closure.closure(root, "/usr/bin/program", f"/{FOLDER}/libloader.so")
    assert found == closure.closure(root, "/usr/bin/program")
    opened = closure.closure(root, f"/{FOLDER}/libfirst.so.1")
    assert sorted(opened) == [f"/{FOLDER}/libfirst.so.1", f"/{FOLDER}/libsecond.so"]


@pytest.mark.parametrize("where", ["/usr/own", "$ORIGIN/../own"])
def test_libraries_lie_where_a_program_says(root, where):
    (root / "usr/own").mkdir()
    (root / "usr" / FOLDER / "libsecond.so").rename(root / "usr/own/libsecond.so")
    linked = [root / "first.c", "-L", root / "usr/own", "-lsecond", f"-Wl,-rpath,{where}"]
    subprocess.run([*GCC, "-shared", *linked, "-o", root / "usr/lib/libown.so"], check=True)
    found = closure.closure(root, "/usr/lib/libown.so")
    assert [file.name for file in found.values()] == ["libown.so", "libsecond.so"]


def test_a_library_that_is_missing_is_told(root):
    (root / "usr" / FOLDER / "libsecond.so").unlink()
    with pytest.raises(closure.ClosureError, match=f"/{FOLDER}/libfirst.so.1 needs libsecond.so: not in {root}"):
        closure.closure(root, "/usr/bin/program")


def test_a_program_that_is_missing_or_none_is_told(root):
    with pytest.raises(closure.ClosureError, match=f"/usr/bin/none: not in {root}"):
        closure.closure(root, "/usr/bin/none")
    (root / "usr/bin/text").write_text("no program")
    with pytest.raises(closure.ClosureError, match="/usr/bin/text: no ELF file"):
        closure.closure(root, "/usr/bin/text")
