# SPDX-License-Identifier: Apache-2.0
"""Draw hybrid.json: run times of the policies, what they moved, and the latency of each path."""

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt

_DRAM, _NVM = "#0b6e99", "#c9a227"


def draw(document, folder):
    """Write hybrid.svg and hybrid.png into `folder`."""
    policies = [row for row in document["rows"] if row["kind"] == "policy"]
    latencies = [row for row in document["rows"] if row["kind"] == "latency"]
    figure, (times, moves, paths) = plt.subplots(1, 3, figsize=(14, 4.2), layout="constrained")
    names = [row["policy"].replace("_", "\n") for row in policies]
    times.bar(names, [row["cycles"] / 1e6 for row in policies], color=_DRAM)
    times.set_ylabel("M cycles")
    times.set_title("Run time")
    moves.bar(names, [row["bytes_moved"] / 1e6 for row in policies], color=_NVM)
    moves.set_ylabel("MB")
    moves.set_title("Moved between DRAM and NVM")
    paths.barh([row["path"] for row in latencies], [row["cycles"] for row in latencies], color=_DRAM)
    paths.invert_yaxis()
    paths.set_xlabel("cycles of a load")
    paths.set_title("Latency of a path, idle")
    for axes in (times, moves):
        axes.grid(axis="y", alpha=0.3)
        axes.tick_params(axis="x", labelsize=8)
    for suffix in ("svg", "png"):
        figure.savefig(folder / f"hybrid.{suffix}", dpi=80)
    plt.close(figure)
