# SPDX-License-Identifier: Apache-2.0
"""The series of each kernel: every patch is named, once, in the order of its number, and in a folder with a cover
letter. No kernel is needed."""

import itertools
from pathlib import Path

import apply
import pytest

FOLDERS = sorted(path.parent for path in Path(__file__).parents[1].glob("*/series"))


def wrong(folder, patches):
    """What is wrong with `patches` as the series of `folder`, in lines."""
    lines = [f"{path.name}: not named" for path in folder.glob("*/*.patch") if path not in patches]
    series = [path.parent.name for path in patches]
    lines += [f"{name}: no cover letter" for name in set(series) if not (folder / name / "cover-letter.txt").is_file()]
    for before, patch in itertools.pairwise(patches):
        if before.parent == patch.parent:
            is_late = before.name[:4] >= patch.name[:4]
        else:
            is_late = patch.parent.name in series[: patches.index(patch)]
        if is_late:
            lines.append(f"{patch.name}: out of order")
    return lines


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_series_is_whole_and_in_order(folder):
    patches = apply.read_series(folder / "series")
    assert wrong(folder, patches) == []
    assert all(apply.files_of(patch) for patch in patches)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_series_that_is_not_is_found_out(folder):
    patches = apply.read_series(folder / "series")
    assert wrong(folder, patches[1:]) == [f"{patches[0].name}: not named"]
    assert wrong(folder, [patches[1], patches[0], *patches[2:]]) == [f"{patches[0].name}: out of order"]
