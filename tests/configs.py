# SPDX-License-Identifier: Apache-2.0
"""The lists of configs.mk beside this file."""

import re
from pathlib import Path

MAKEFILE = Path(__file__).with_suffix(".mk")


def listed(name: str) -> tuple[str, ...]:
    """The configs of a list, in its order; raises KeyError with its name if there is none."""
    text = MAKEFILE.read_text().replace("\\\n", " ")
    found = re.search(rf"^{name} := (.*)$", text, re.MULTILINE)
    if found is None:
        raise KeyError(f"{MAKEFILE.name} has no list {name}")
    return tuple(found[1].split())
