# SPDX-License-Identifier: Apache-2.0
"""Snakemake on the small traces, with all that it makes in a folder."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def start(folder: Path, words: list, config: dict) -> subprocess.CompletedProcess:
    """Runs it with these options and this config, without what an outer make hands on."""
    given = {"traces": "lab/small/traces", "runs": folder / "runs", "results": folder / "results", **config}
    command = ["snakemake", "--directory", "build", "--snakefile", "sim/lab/Snakefile", "--nolock", *words, "--config"]
    command += [f"{name}={value}" for name, value in given.items()]
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    words = [str(word) for word in command]
    return subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
