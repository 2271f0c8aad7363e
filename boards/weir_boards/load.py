# SPDX-License-Identifier: Apache-2.0
"""Load a bitstream into a board by openFPGALoader: into the FPGA itself, where it is gone with the power, and on the
OrangeCrab, by its bootloader, into the flash.

usage: python -m weir_boards.load BOARD FILE.bit
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from weir_boards import BoardError, board
from weir_boards.words import words


def command(name: str, bitstream: Path) -> list[str]:
    """BoardError when there is no such board or no bitstream."""
    loader = board(name).loader
    if not bitstream.is_file():
        raise BoardError(f"{bitstream} is not there; `make bitstream` writes it when timing is met")
    return ["openFPGALoader", *loader, str(bitstream)]


def main() -> None:
    try:
        name, bitstream = words(__doc__)
        loads = command(name, Path(bitstream))
        ended = subprocess.run(loads, check=False)
    except BoardError as error:
        sys.exit(f"weir_boards: {error}")
    except FileNotFoundError:
        sys.exit("weir_boards: openFPGALoader is not installed; `make setup` installs it")
    if ended.returncode != 0:
        sys.exit(f"weir_boards: `{' '.join(loads)}` ended with exit code {ended.returncode} (docs/boards.md)")


if __name__ == "__main__":
    main()
