# SPDX-License-Identifier: Apache-2.0
"""The words of a command line, as many as the module's docstring names."""

from __future__ import annotations

import re
import sys


def words(docstring: str) -> list[str]:
    """What follows the command. Where the number of words is not that of the line `usage: python -m NAME WORD...`, ends
    the program with that line and exit code 2."""
    (usage,) = re.findall(r"^usage: python -m \S+(.*)$", docstring, re.MULTILINE)
    if len(sys.argv) - 1 != len(usage.split()):
        (line,) = re.findall(r"^usage: .*$", docstring, re.MULTILINE)
        print(line, file=sys.stderr)
        sys.exit(2)
    return sys.argv[1:]
