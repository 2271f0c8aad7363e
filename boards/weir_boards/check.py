# SPDX-License-Identifier: Apache-2.0
"""Say whether there is such a build, before anything is built, and print Weir's config in it, nothing for LiteDRAM.

usage: python -m weir_boards.check BOARD CPU CONTROLLER SEEDS
"""

from __future__ import annotations

import sys

from weir_boards import BoardError, board
from weir_boards.bitstream import Seeds
from weir_boards.words import words


def check(name: str, cpu: str, controller: str, seeds: str) -> str:
    """The config. BoardError when there is no such build."""
    config, _ = board(name).build(cpu, controller)
    Seeds.parse(seeds)
    return config or ""


if __name__ == "__main__":
    try:
        print(check(*words(__doc__)))
    except BoardError as error:
        sys.exit(f"weir_boards: {error}")
