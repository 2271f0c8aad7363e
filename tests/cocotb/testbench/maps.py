# SPDX-License-Identifier: Apache-2.0
"""The address maps as the tests have them: by division, and of masks by adding up bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from testbench.config import Config


class Place(NamedTuple):
    """Where a line lies; `column` is that of its first beat."""

    channel: int
    rank: int
    bank: int
    row: int
    column: int


def _digits(number: int, *sizes: int) -> list[int]:
    """Digits of a number, the lowest first, and what is left."""
    digits = []
    for size in sizes:
        number, digit = divmod(number, size)
        digits.append(digit)
    return [*digits, number]


def _row_rank_bank_column(config: Config, offset: int) -> Place:
    byte, bank, rank, row, channel = _digits(offset, config.row_bytes, config.banks, config.ranks, 1 << config.row_bits)
    return Place(channel, rank, bank, row, byte // config.line_bytes * config.burst_length)


def _rank_row_bank_column(config: Config, offset: int) -> Place:
    byte, bank, row, rank, channel = _digits(offset, config.row_bytes, config.banks, 1 << config.row_bits, config.ranks)
    return Place(channel, rank, bank, row, byte // config.line_bytes * config.burst_length)


def _in_turn(config: Config, offset: int, piece: int) -> Place:
    """Pieces of so many bytes go to the channels in turn."""
    byte, channel, number = _digits(offset, piece, config.channels)
    return _row_rank_bank_column(config, number * piece + byte)._replace(channel=channel)


def _non_interleaved(config: Config, offset: int) -> Place:
    return _in_turn(config, offset, max(4096, config.row_bytes))


def _channel_interleaved(config: Config, offset: int) -> Place:
    return _in_turn(config, offset, 64)


def _bank_interleaved(config: Config, offset: int) -> Place:
    chunk = min(256, config.row_bytes)
    byte, bank, number, channel, rank, row = _digits(
        offset, chunk, config.banks, config.row_bytes // chunk, config.channels, config.ranks
    )
    return Place(channel, rank, bank, row, (number * chunk + byte) // config.line_bytes * config.burst_length)


def _bank_xor(config: Config, offset: int) -> Place:
    place = _bank_interleaved(config, offset)
    return place._replace(bank=place.bank ^ place.row % config.banks)


# By the names of the register map; they are given the byte's offset from the first byte of memory. Those that software
# may choose in all configs with a programmable map, in the order of their numbers:
CHOOSABLE: dict[str, Callable[[Config, int], Place]] = {
    "row_rank_bank_column": _row_rank_bank_column,
    "non_interleaved": _non_interleaved,
    "channel_interleaved": _channel_interleaved,
    "bank_interleaved": _bank_interleaved,
    "bank_xor": _bank_xor,
}

# and those that it may choose where they are that of reset.
NAMED = CHOOSABLE | {"rank_row_bank_column": _rank_row_bank_column}

PROGRAMMABLE = 5


def number(map: str) -> int:
    """A map's number in the registers, of which the programmable map has one too."""
    position = list(NAMED).index(map)
    return position + (position >= PROGRAMMABLE)


def choosable(config: Config) -> dict[str, int]:
    """Name and number of each map that software may choose."""
    return {map: number(map) for map in (*CHOOSABLE, *({config.map} - CHOOSABLE.keys()))}


def chosen_bits(config: Config) -> list[tuple[str, int]]:
    """Part and number of each bit that has a mask in a programmable map: bank group above bank, of DDR5 below it."""
    groups = config.bank_groups.bit_length() - 1
    of_bank = {"bank": config.bank_bits - groups, "bank_group": groups}
    if config.bank(0, 1) > config.bank(1, 0):
        of_bank = dict(reversed(of_bank.items()))
    counts = {"channel": config.channels.bit_length() - 1, "rank": config.rank_bits, **of_bank}
    return [(part, number) for part, count in counts.items() for number in range(count)]


def sums(masks: list[int]) -> set[int]:
    """The XORs of all choices of one mask or more; 0 is among them if the masks depend on each other."""
    found: list[int] = []
    for mask in masks:
        found += [mask, *(each ^ mask for each in found)]
    return set(found)


def of_masks(config: Config, masks: list[int]) -> Callable[[int], Place]:
    """The programmable map of masks over byte offsets, in the order of chosen_bits().

    What is the lowest bit of no XOR of masks is column and row, the column below.
    """
    own = {each & -each for each in sums(masks)}
    line = config.line_bytes.bit_length() - 1
    plain = [bit for bit in range(line, config.memory_bytes.bit_length() - 1) if 1 << bit not in own]

    def place(offset: int) -> Place:
        parts = {"channel": 0, "rank": 0, "bank": 0, "bank_group": 0}
        for (part, number), mask in zip(chosen_bits(config), masks, strict=True):
            parts[part] |= (mask & offset).bit_count() % 2 << number
        rest = sum((offset >> bit & 1) << number for number, bit in enumerate(plain))
        row, column = divmod(rest, config.row_bytes // config.line_bytes)
        bank = config.bank(parts["bank_group"], parts["bank"])
        return Place(parts["channel"], parts["rank"], bank, row, config.burst_length * column)

    return place
