# SPDX-License-Identifier: Apache-2.0
"""membench's results: taken from its console output, as a JSON document and as a plot."""

import json

_BEGIN, _END = "=== begin membench rows ===", "=== end membench rows ==="


class NoResults(ValueError):
    """The console output does not hold a whole block of results."""


def parse(console):
    """The rows of the block in `console`, a list of dicts as membench's report.c writes them.

    Raises NoResults if the block is missing, cut short or not JSON.
    """
    lines = [line.strip() for line in console.splitlines()]
    if _BEGIN not in lines or _END not in lines:
        raise NoResults("membench did not print its block of results")
    block = lines[lines.index(_BEGIN) + 1 : lines.index(_END)]
    try:
        rows = [json.loads(line) for line in block]
    except json.JSONDecodeError as error:
        raise NoResults(f"membench's block of results is damaged: {error}") from error
    if not rows:
        raise NoResults("membench's block of results is empty")
    return rows
