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
    return by_test(
        f"Memory behind {document['controller']}, {harts} Rocket hart{'s' * (harts > 1)}",
        f"footprint of each hart; cycles and MB/s at {document['clock_mhz']:g} MHz",
        document["rows"],
        "harts",
        {count: "one hart" if count == 1 else f"{count} harts at once" for count in counts},
    )


def by_test(title, caption, rows, key, columns):
    """A rich table of rows: a line for each test, footprint and stride, and beside each other the values of the rows
    whose `key` is one of `columns` (value -> heading)."""
    found = Table(title=title, caption=caption)
    for heading in ("test", "footprint", "stride", *columns.values()):
        found.add_column(heading, justify="left" if heading == "test" else "right", no_wrap=True)
    lines = {}
    for row in rows:
        line = (row["test"], row["footprint_bytes"], row["stride_bytes"])
        lines.setdefault(line, {})[row[key]] = f"{row['value']:.2f} {row['unit']}"
    for (test, footprint, stride), values in lines.items():
        cells = [values.get(column, "") for column in columns]
        found.add_row(test, size(footprint), size(stride) if stride else "", *cells)
    return found
