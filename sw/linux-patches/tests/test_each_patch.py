# SPDX-License-Identifier: Apache-2.0
"""A series over a tree with the two targets that each_patch.py asks of a kernel: the patch is named that compiles only
with one that follows."""

import subprocess
import sys
from pathlib import Path

import pytest

EACH_PATCH = Path(__file__).resolve().parents[1] / "each_patch.py"
MAKEFILE = "allnoconfig:\n\t@cp $(KCONFIG_ALLCONFIG) $(O)/.config\nImage:\n\t@cc -Werror -c kernel.c -o $(O)/kernel.o\n"
KERNEL = "int first(void)\n{\n\treturn 1;\n}\n"
CALL = """--- a/kernel.c
+++ b/kernel.c
@@ -1,4 +1,4 @@
 int first(void)
 {
-\treturn 1;
+\treturn second();
 }
"""
DECLARE = """--- a/kernel.c
+++ b/kernel.c
@@ -1,2 +1,3 @@
+int second(void);
 int first(void)
 {
"""
SELFTEST = "--- /dev/null\n+++ b/tools/testing/selftests/a_test.c\n@@ -0,0 +1 @@\n+{}\n"


@pytest.fixture
def compile_each(tmp_path):
    """Function that compiles a kernel with `patches`, each name=text, in the order given."""
    tree, folder = tmp_path / "tree", tmp_path / "patches"
    tree.mkdir()
    folder.mkdir()
    (tree / "Makefile").write_text(MAKEFILE)
    (tree / "kernel.c").write_text(KERNEL)
    (folder / "config").write_text("CONFIG_A=y\n")

    def run(*options, **patches):
        for name, text in patches.items():
            (folder / f"{name}.patch").write_text("A message.\n---\n" + text)
        (folder / "series").write_text("".join(f"{name}.patch\n" for name in patches))
        command = [sys.executable, EACH_PATCH, "--compiler", "/usr/bin/cc", "--config", folder / "config", *options]
        command += [folder / "series", tree, tmp_path / "build", "CONFIG_B=y"]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    return run


def test_all_patches_compile(compile_each, tmp_path):
    done = compile_each(declare=DECLARE, call=CALL.replace("@@ -1,4 +1,4 @@", "@@ -2,4 +2,4 @@"))
    assert done.returncode == 0, done.stderr
    assert "states of the series that compile: 2" in done.stdout
    assert (tmp_path / "build/objects/.config").read_text().split() == ["CONFIG_A=y", "CONFIG_WERROR=y", "CONFIG_B=y"]
    assert (tmp_path / "tree/kernel.c").read_text() == KERNEL


def test_a_patch_is_named_that_needs_a_later_one(compile_each):
    done = compile_each(call=CALL, declare=DECLARE)
    assert done.returncode == 1
    assert "with call.patch: the kernel" in done.stderr


def test_the_states_before_a_patch_are_left_out(compile_each):
    done = compile_each("--from", "declare.patch", call=CALL, declare=DECLARE)
    assert done.returncode == 0, done.stderr
    assert "states of the series that compile: 1" in done.stdout


def test_a_selftest_that_does_not_compile_is_named(compile_each):
    done = compile_each(declare=DECLARE, test=SELFTEST.format("int main(void) { return missing(); }"))
    assert done.returncode == 1
    assert "with test.patch: tools/testing/selftests/a_test.c" in done.stderr
    assert compile_each(declare=DECLARE, test=SELFTEST.format("int main(void) { return 0; }")).returncode == 0


def test_a_patch_that_is_not_in_the_series_is_refused(compile_each):
    done = compile_each("--from", "other.patch", declare=DECLARE)
    assert done.returncode == 2
    assert '--from "other.patch"' in done.stderr
