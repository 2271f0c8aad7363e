# SPDX-License-Identifier: Apache-2.0
"""Where the minutes go: build/results/test_time.json.

`rows` has one for each suite, in the order of their ends: `suite`, `build` and `run` in seconds by the clock,
`build_cpu` and `run_cpu` of the processor, `passed`, `failed`, `skipped`. A suite's build is what no suite built before
it had made; a suite whose build failed has no run. `steps` are the build's steps, the longest first: `step`, `seconds`,
`cpu`. `seconds` is the whole, on `cores` cores.
"""

import json
from pathlib import Path

from collector.runner import Result


def steps(durations: Path, since: float) -> list[dict]:
    """The steps of setup/step that have ended after `since` (seconds since the epoch)."""
    found = []
    for record in durations.iterdir() if durations.is_dir() else ():
        if record.is_file() and record.stat().st_mtime >= since and not record.name.startswith("test-"):
            seconds, cpu = (float(word) for word in record.read_text().split())
            found.append({"step": record.name, "seconds": seconds, "cpu": cpu})
    return sorted(found, key=lambda step: -step["cpu"])


def _row(result: Result) -> dict:
    return {
        "suite": result.suite.name,
        "build": round(result.build.seconds, 1),
        "run": round(result.run.seconds, 1) if result.run else None,
        "build_cpu": round(result.build.cpu_seconds, 1),
        "run_cpu": round(result.run.cpu_seconds, 1) if result.run else None,
        "passed": result.outcome.passed,
        "failed": len(result.outcome.failures),
        "skipped": result.outcome.skipped,
    }


def write(path: Path, results: list[Result], durations: Path, since: float, seconds: float, cores: int) -> None:
    """Write the file beside its place and put it there."""
    content = {
        "seconds": round(seconds, 1),
        "cores": cores,
        "rows": [_row(result) for result in results],
        "steps": steps(durations, since),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".new")
    beside.write_text(json.dumps(content, indent=1) + "\n")
    beside.replace(path)
