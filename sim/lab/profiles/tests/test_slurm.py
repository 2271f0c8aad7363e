# SPDX-License-Identifier: Apache-2.0
"""The same figure made here and on a Slurm cluster."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from slurm_cluster import cluster

LAB = Path(__file__).resolve().parents[2]
sys.path.append(str(LAB / "tests"))
import workflow  # noqa: E402

SETTINGS, PROGRAMS, STARTS = 3, ("gups", "set_cover"), 2
CONFIG = {
    "figure": "rank-assignment-2",
    "programs": ",".join(PROGRAMS),
    "starts": STARTS,
    "accesses": 5000,
    "fill": 50_000,
    "start_within": 50_000,
}


def make(folder: Path, words: list) -> None:
    done = workflow.start(folder, words, CONFIG)
    assert done.returncode == 0, done.stderr


def results(folder: Path) -> dict:
    """{path: what was measured} of all runs, but for the time that it took."""
    found = {}
    for path in (folder / "runs").rglob("*.json"):
        found[path.relative_to(folder)] = {**json.loads(path.read_text())["result"], "cpu_seconds": None}
    return found


@pytest.mark.long
def test_a_cluster_makes_the_same_figure(tmp_path):
    here, there, control = (tmp_path / name for name in ("here", "there", "cluster"))
    control.mkdir()
    make(here, ["--cores", 2])
    with cluster(control):
        words = ["--profile", LAB / "profiles" / "slurm", "--slurm-status-command", "squeue", "--latency-wait", 5]
        make(there, [*words, "--slurm-logdir", control / "logs"])
        jobs = subprocess.run(
            ["squeue", "--noheader", "--states=all", "--format=%T"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
    # a job of each program on each setting and of the figure; the first one has shown that the node is there
    assert jobs == ["COMPLETED"] * (1 + SETTINGS * len(PROGRAMS) + 1)
    assert len(results(there)) == SETTINGS * len(PROGRAMS) * STARTS
    assert results(there) == results(here)
    for kind in ("json", "svg"):
        figure = f"results/rank-assignment-2.{kind}"
        assert (there / figure).read_bytes() == (here / figure).read_bytes()
