# SPDX-License-Identifier: Apache-2.0
"""Bitstreams of ECP5 boards with DDR3: the boards, the SoC that all of them get, and the flow to a bitstream."""

from weir_boards.board import Board, BoardError
from weir_boards.ecpix5 import ECPIX5
from weir_boards.orangecrab import ORANGECRAB_25F, ORANGECRAB_85F
from weir_boards.versa_ecp5 import VERSA_ECP5

BOARDS: dict[str, Board] = {board.name: board for board in (ECPIX5, ORANGECRAB_25F, ORANGECRAB_85F, VERSA_ECP5)}


def board(name: str) -> Board:
    """The board of that name. BoardError when there is none."""
    if name not in BOARDS:
        raise BoardError(f"BOARD={name}: there are {', '.join(BOARDS)}")
    return BOARDS[name]
