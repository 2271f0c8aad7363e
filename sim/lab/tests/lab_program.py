# SPDX-License-Identifier: Apache-2.0
"""The lab's program, and how it is run."""

import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LAB = ROOT / "build" / "lab" / "lab-rank-assignment-32gb" / "lab"
PAPER = ROOT / "sim" / "lab" / "systems" / "rank-assignment.yaml"

LINE = 64


def run(*words):
    """The program's exit code, what it measured and its complaint."""
    ended = subprocess.run([str(word) for word in (LAB, *words)], capture_output=True, text=True, check=False)
    return ended.returncode, json.loads(ended.stdout) if ended.returncode == 0 else None, ended.stderr
