# SPDX-License-Identifier: Apache-2.0
"""Patch series over small trees: order, moved hunks, what is said of a patch that fails, which changes nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

APPLY = Path(__file__).resolve().parents[1] / "apply.py"
LETTERS = [f"line {letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]


def text(lines):
    return "".join(line + "\n" for line in lines)


def change(file, number, old, new, before, after):
    """A hunk that turns line `number`, `old`, of `file` into `new`, with a line of context on either side."""
    return f"--- a/{file}\n+++ b/{file}\n@@ -{number - 1},3 +{number - 1},3 @@\n {before}\n-{old}\n+{new}\n {after}\n"


C_TO_X = change("dir/letters", 3, "line c", "line X", "line b", "line d")
X_TO_Y = change("dir/letters", 3, "line X", "line Y", "line b", "line d")
NEW_FILE = "--- /dev/null\n+++ b/dir/new\n@@ -0,0 +1 @@\n+made\n"


class Tree:
    def __init__(self, folder):
        self.tree = folder / "tree"
        self.patches = folder / "patches"
        self.file = self.tree / "dir" / "letters"
        self.file.parent.mkdir(parents=True)
        self.patches.mkdir()
        self.file.write_text(text(LETTERS))

    def apply(self, **patches):
        """Apply `patches`, NAME=TEXT, in the order given."""
        for name, content in patches.items():
            (self.patches / f"{name}.patch").write_text("A message.\n---\n" + content)
        series = self.patches / "series"
        series.write_text("# the series\n" + "".join(f"{name}.patch\n" for name in patches))
        return self.run(series)

    def run(self, series):
        return subprocess.run([sys.executable, APPLY, series, self.tree], capture_output=True, text=True)

    def contents(self):
        return {path.relative_to(self.tree): path.read_bytes() for path in self.tree.rglob("*") if path.is_file()}

    def lines(self):
        return self.file.read_text().splitlines()


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path)


def test_patches_apply_in_the_order_of_the_series(tree):
    assert tree.apply(b=C_TO_X, a=X_TO_Y).returncode == 0
    assert tree.lines()[2] == "line Y"


def test_the_order_matters(tree):
    done = tree.apply(a=X_TO_Y, b=C_TO_X)
    assert done.returncode == 1
    assert "a.patch: dir/letters: hunk 1" in done.stderr


def test_a_hunk_that_has_moved_is_found(tree):
    tree.file.write_text(text([f"newer {number}" for number in range(9)] + LETTERS))
    assert tree.apply(a=C_TO_X).returncode == 0
    assert tree.lines()[11] == "line X"


def test_a_hunk_with_other_lines_around_it_is_taken_and_named(tree):
    head = "--- a/dir/letters\n+++ b/dir/letters\n@@ -1,7 +1,7 @@\n"
    stale = head + " line old\n line b\n line c\n-line d\n+line X\n line e\n line f\n line g\n"
    done = tree.apply(good=change("dir/letters", 20, "line t", "line T", "line s", "line u"), stale=stale)
    assert done.returncode == 0
    assert tree.lines()[3] == "line X"
    assert done.stderr == "apply.py: stale.patch: dir/letters: hunk 1, at line 1, has other lines around it\n"


def test_the_second_hunk_that_fails_is_named_and_nothing_changes(tree):
    second = change("dir/letters", 20, "line wrong", "line X", "line s", "line u").split("\n", 2)[2]
    before = tree.contents()
    done = tree.apply(good=C_TO_X.replace("X", "Z"), broken=C_TO_X.replace("line c", "line Z") + second, never=X_TO_Y)
    assert done.returncode == 1
    assert "broken.patch: dir/letters: hunk 2, for line 19" in done.stderr
    assert "good.patch" not in done.stderr
    assert tree.contents() == before


def test_a_file_that_is_not_in_the_tree_is_named(tree):
    done = tree.apply(a=change("dir/missing", 3, "line c", "line X", "line b", "line d"))
    assert done.returncode == 1
    assert "a.patch: dir/missing: no such file" in done.stderr
    assert not (tree.tree / "dir" / "missing").exists()


@pytest.mark.parametrize(
    "content", ["no hunk at all\n", "--- a/dir/letters\n+++ b/dir/letters\n@@ -2,3 +2,3 @@\n line b\n"]
)
def test_a_patch_that_is_none_is_named(tree, content):
    before = tree.contents()
    done = tree.apply(good=C_TO_X, odd=content)
    assert done.returncode == 1
    assert "odd.patch" in done.stderr
    assert tree.contents() == before


@pytest.mark.parametrize("name", ["a/../../outside", "/outside", "letters"])
def test_no_patch_reaches_out_of_the_tree(tree, name):
    done = tree.apply(a=C_TO_X.replace("b/dir/letters", name))
    assert done.returncode == 1
    assert name in done.stderr


def test_a_patch_that_is_applied_twice_is_named(tree):
    done = tree.apply(first=C_TO_X, again=C_TO_X)
    assert done.returncode == 1
    assert "again.patch: dir/letters: hunk 1" in done.stderr


def test_another_series_starts_from_the_tree_without_patches(tree):
    tree.apply(a=C_TO_X, b=NEW_FILE)
    assert (tree.tree / "dir" / "new").read_text() == "made\n"
    assert tree.apply(c=C_TO_X.replace("line X", "line Q")).returncode == 0
    assert tree.lines()[2] == "line Q"
    assert not (tree.tree / "dir" / "new").exists()


def test_no_patches_bring_the_tree_back(tree):
    tree.apply(a=C_TO_X, b=NEW_FILE)
    assert tree.apply().returncode == 0
    assert tree.lines() == LETTERS
    assert not (tree.tree / "dir" / "new").exists()


def test_files_whose_content_stays_are_not_written(tree):
    other = tree.tree / "dir" / "other"
    other.write_text(text(LETTERS))
    tree.apply(a=C_TO_X, b=C_TO_X.replace("dir/letters", "dir/other"))
    before = other.stat().st_mtime_ns, tree.file.stat().st_mtime_ns
    tree.apply(a=C_TO_X.replace("line X", "line Q"), b=C_TO_X.replace("dir/letters", "dir/other"))
    assert other.stat().st_mtime_ns == before[0]
    assert tree.lines()[2] == "line Q"


def test_a_series_that_names_what_is_not_there_is_refused(tree):
    series = tree.patches / "series"
    series.write_text("0001-missing.patch\n")
    done = tree.run(series)
    assert done.returncode == 2
    assert "0001-missing.patch" in done.stderr


def test_a_missing_series_or_tree_is_refused(tree):
    assert tree.run(tree.patches / "none").returncode == 2
    tree.apply(a=C_TO_X)
    tree.tree.rename(tree.tree.parent / "elsewhere")
    assert tree.run(tree.patches / "series").returncode == 2
