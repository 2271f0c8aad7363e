# SPDX-License-Identifier: Apache-2.0
"""Draw run.json: latency over the footprint, and bandwidth by kind of access, of one hart and of all at once."""

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import results

_ONE, _ALL, _STRIDES = "#7fb3c8", "#0b6e99", "#c9a227"
_LINE_BYTES = 64


def draw(document, folder):
    """Write run.svg and run.png into `folder`."""
    figure, (latency, bandwidth) = plt.subplots(1, 2, figsize=(12, 4.6), layout="constrained")
    _draw_latency(latency, document)
    _draw_bandwidth(bandwidth, document)
    harts = document["harts"]
    figure.suptitle(f"{document['controller']}, {harts} Rocket hart{'s' * (harts > 1)}, {document['dram']}")
    for suffix in ("svg", "png"):
        figure.savefig(folder / f"run.{suffix}", dpi=120)
    plt.close(figure)


def _draw_latency(axes, document):
    rows = [row for row in document["rows"] if row["test"] == "chase_latency"]

    def line(label, chosen, **style):
        points = [(row["footprint_bytes"], row["value"]) for row in chosen]
        if points:
            axes.plot(*zip(*points, strict=True), marker="o", label=label, **style)

    alone = [row for row in rows if row["harts"] == 1]
    line("one hart, random lines", [row for row in alone if row["stride_bytes"] == _LINE_BYTES], color=_ONE)
    strides = [row for row in alone if row["stride_bytes"] != _LINE_BYTES]
    line("one hart, strides", strides, color=_STRIDES, linestyle="none")
    for row in strides:
        place = (row["footprint_bytes"], row["value"])
        style = {"fontsize": 7, "rotation": 60, "ha": "right", "va": "top"}
        axes.annotate(results.size(row["stride_bytes"]), place, xytext=(2, -4), textcoords="offset points", **style)
    if document["harts"] > 1:
        loaded = [row for row in rows if row["harts"] > 1]
        line(f"{document['harts']} harts at once", loaded, color=_ALL, linestyle="none")
    axes.set_xscale("log", base=2)
    ticks = sorted({row["footprint_bytes"] for row in rows})
    axes.set_xticks(ticks, [results.size(tick) for tick in ticks], rotation=60, fontsize=8)
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel("footprint of a hart")
    axes.set_ylabel("cycles of a load")
    axes.set_title("Pointer chase")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, loc="lower right")


def _draw_bandwidth(axes, document):
    rows = [row for row in document["rows"] if row["unit"] == "MB/s"]
    kinds = list(dict.fromkeys((row["test"], row["footprint_bytes"]) for row in rows))
    counts = sorted({row["harts"] for row in rows})
    height = 0.8 / len(counts)
    for number, count in enumerate(counts):
        values = {(row["test"], row["footprint_bytes"]): row["value"] for row in rows if row["harts"] == count}
        places = [place + height * (number - (len(counts) - 1) / 2) for place in range(len(kinds))]
        label = "one hart" if count == 1 else f"{count} harts at once"
        bars = axes.barh(
            places, [values[kind] for kind in kinds], height, label=label, color=_ONE if count == 1 else _ALL
        )
        axes.bar_label(bars, fmt="%.0f", padding=2, fontsize=7)
    names = [f"{test.replace('_', ' ')}, {results.size(footprint)}" for test, footprint in kinds]
    axes.set_yticks(range(len(kinds)), names, fontsize=8)
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.set_xlabel(f"MB/s at {document['clock_mhz']:g} MHz")
    axes.set_title("Bandwidth, all harts together")
    axes.grid(axis="x", alpha=0.3)
    axes.legend(fontsize=8, loc="upper right")
