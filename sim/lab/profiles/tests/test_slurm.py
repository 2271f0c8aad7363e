# SPDX-License-Identifier: Apache-2.0
"""The same figure made here and on a Slurm cluster."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from slurm_cluster import cluster

ROOT = Path(__file__).resolve().parents[4]
PROFILE = ROOT / "sim" / "lab" / "profiles" / "slurm"
SETTINGS, PROGRAMS, STARTS = 3, ("gups", "set_cover"), 2


def make(folder: Path, words: list, environment: dict) -> None:
    config = {
        "figure": "rank-assignment-2",
        "programs": ",".join(PROGRAMS),
        "starts": STARTS,
        "traces": "lab/small/traces",
        "runs": folder / "runs",
        "results": folder / "results",
        "accesses": 5000,
        "fill": 50_000,
        "start_within": 50_000,
    }
    command = ["snakemake", "--directory", "build", "--snakefile", "sim/lab/Snakefile", "--nolock", *words, "--config"]
    command += [f"{name}={value}" for name, value in config.items()]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
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
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    make(here, ["--cores", "2"], environment)
    with cluster(control) as of_cluster:
        words = ["--profile", str(PROFILE), "--slurm-status-command", "squeue", "--latency-wait", "5"]
        make(
            there,
            [*words, "--slurm-logdir", str(control / "logs")],
            {**environment, "SLURM_CONF": of_cluster["SLURM_CONF"]},
        )
        jobs = subprocess.run(
            ["squeue", "--noheader", "--states=all", "--format=%T"],
            env=of_cluster,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
    # a job of each run and of the figure; the first one has shown that the node is there
    assert jobs == ["COMPLETED"] * (1 + SETTINGS * len(PROGRAMS) * STARTS + 1)
    assert len(results(there)) == SETTINGS * len(PROGRAMS) * STARTS
    assert results(there) == results(here)
    for kind in ("json", "svg"):
        figure = f"results/rank-assignment-2.{kind}"
        assert (there / figure).read_bytes() == (here / figure).read_bytes()
