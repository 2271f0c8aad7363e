# SPDX-License-Identifier: Apache-2.0
"""membench's results: taken from its console output, and as a table."""

import json

from rich.table import Table

BEGIN, END = "=== begin membench rows ===", "=== end membench rows ==="
_FIELDS = {"test", "harts", "footprint_bytes", "stride_bytes", "value", "unit"}


class NoResults(ValueError):
    """The console output does not hold a whole block of results."""


def parse(console):
    """The rows of the block in `console`, a list of dicts as membench's report.c writes them.

    Raises NoResults if the block is missing, cut short or damaged.
    """
    lines = [line.strip() for line in console.splitlines()]
    if BEGIN not in lines or END not in lines:
        raise NoResults("membench did not print its block of results")
    block = lines[lines.index(BEGIN) + 1 : lines.index(END)]
    try:
        rows = [json.loads(line) for line in block]
    except json.JSONDecodeError as error:
        raise NoResults(f"membench's block of results is damaged: {error}") from error
    if not rows:
        raise NoResults("membench's block of results is empty")
    if any(set(row) != _FIELDS for row in rows):
        raise NoResults("membench's block of results is damaged: a row has other fields than the rest")
    return rows


def size(count):
    """`count` bytes as people write it."""
    for unit, bytes_ in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= bytes_:
            return f"{count / bytes_:g} {unit}"
    return f"{count} B"


def table(document):
    """A rich table of run.json: a line for each test and footprint, one hart beside all harts."""
    harts = document["harts"]
    counts = sorted({row["harts"] for row in document["rows"]})
    title = f"Memory behind {document['controller']}, {harts} Rocket hart{'s' * (harts > 1)}"
    found = Table(title=title, caption=f"footprint of each hart; cycles and MB/s at {document['clock_mhz']:g} MHz")
    for heading, justify in (("test", "left"), ("footprint", "right"), ("stride", "right")):
        found.add_column(heading, justify=justify, no_wrap=True)
    for count in counts:
        found.add_column("one hart" if count == 1 else f"{count} harts at once", justify="right", no_wrap=True)
    lines = {}
    for row in document["rows"]:
        key = (row["test"], row["footprint_bytes"], row["stride_bytes"])
        lines.setdefault(key, {})[row["harts"]] = f"{row['value']:.2f} {row['unit']}"
    for (test, footprint, stride), values in lines.items():
        cells = [values.get(count, "") for count in counts]
        found.add_row(test, size(footprint), size(stride) if stride else "", *cells)
    return found
