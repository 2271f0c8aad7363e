# SPDX-License-Identifier: Apache-2.0
"""Files of results that several commands put rows into, each its own: an object with `rows`."""

import json


def keep(path, new, key, order=None):
    """Put the rows `new` into the file `path`, in place of those with the same `key` (function of a row); by `order`
    (likewise) if one is given. All rows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = json.loads(path.read_text())["rows"] if path.exists() else []
    replaced = {key(row) for row in new}
    rows = [row for row in rows if key(row) not in replaced] + new
    if order:
        rows.sort(key=order)
    # beside it first: the other rows must outlive a full disk
    unfinished = path.with_suffix(".new")
    unfinished.write_text(json.dumps({"rows": rows}, indent=1) + "\n")
    unfinished.replace(path)
    return rows
