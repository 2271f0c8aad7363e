# SPDX-License-Identifier: Apache-2.0
"""Each patch of the guest's kernel goes with `git am` onto the tree that those before it have left, as it would for
whoever is sent the series: git takes no hunk whose context is stale, which GNU patch does. `make guest` unpacks the
kernel; only the files that the patches touch are looked at."""

import subprocess
from pathlib import Path

import apply
import pytest

ROOT = Path(__file__).resolve().parents[3]
KERNEL = ROOT / "build" / "guest" / "kernel-source"
SERIES = apply.read_series(ROOT / "sw" / "linux-patches" / "6.12" / "series")


def git(repository, *arguments):
    """What `git arguments` says in `repository`, and whether it succeeded."""
    who = ["-c", "user.name=Test", "-c", "user.email=test@weir.invalid", "-c", "commit.gpgSign=false"]
    command = ["git", *who, "-c", "gc.auto=0", "-c", "core.hooksPath=/dev/null", *map(str, arguments)]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr, done.returncode == 0


def touched():
    """Files that the series changes, makes or removes."""
    return {file for patch in SERIES for file in apply.files_of(patch)}


@pytest.fixture(scope="module")
def pristine(tmp_path_factory):
    """A repository with the files of the kernel that the series touches, as they are without it."""
    repository = tmp_path_factory.mktemp("kernel")
    git(repository, "init", "--quiet")
    for file in touched():
        apply.write(repository / file, apply.before_patches(KERNEL, file))
    git(repository, "add", "--all", "--force")
    said, good = git(repository, "commit", "--quiet", "--message", "Linux")
    assert good, said
    git(repository, "tag", "linux")
    return repository


def refused(repository, patches):
    """Name of the first of `patches` that git does not apply to Linux, and what it says; None if all apply."""
    git(repository, "am", "--abort")
    git(repository, "reset", "--quiet", "--hard", "linux")
    said, good = git(repository, "am", "--quiet", *patches)
    if good:
        return None
    applied = int(git(repository, "rev-list", "--count", "linux..HEAD")[0])
    return patches[applied].name, said


def test_each_patch_applies_to_those_before_it(pristine):
    assert refused(pristine, SERIES) is None
    for file in touched():
        built = KERNEL / file
        assert (pristine / file).exists() == built.exists(), file
        assert not built.exists() or (pristine / file).read_bytes() == built.read_bytes(), file


def test_a_patch_with_stale_context_is_named(pristine, tmp_path):
    """The first line of the context of a hunk is another, which GNU patch takes."""
    at = next(i for i, patch in enumerate(SERIES) if "+++ b/mm/vmscan.c" in patch.read_text())
    head, hunk = SERIES[at].read_text().split("+++ b/mm/vmscan.c\n", 1)
    position, first, rest = hunk.split("\n", 2)
    assert first.startswith(" ")
    stale = tmp_path / SERIES[at].name
    stale.write_text(f"{head}+++ b/mm/vmscan.c\n{position}\n /* stale */\n{rest}")
    name, said = refused(pristine, [*SERIES[:at], stale, *SERIES[at + 1 :]])
    assert name == stale.name
    assert "patch failed: mm/vmscan.c" in said
