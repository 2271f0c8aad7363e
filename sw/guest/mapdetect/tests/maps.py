# SPDX-License-Identifier: Apache-2.0
"""The maps of docs/address-maps.md on the SoC's DRAM, by division, and by hand their masks."""

from dram import fields


def bits(low, high):
    """One mask for each of these address bits."""
    return [1 << bit for bit in range(low, high + 1)]


def xor_of_rows(place):
    """The bank XORed with as many low bits of the row."""

    def spread(address):
        at = place(address)
        return {**at, "bank": at["bank"] ^ at["row"] % 8}

    spread.bits = place.bits
    return spread


_LINEAR = fields(("column", 7), ("bank", 3), ("rank", 1), ("row", 14))
_INTERLEAVED = fields(("column", 2), ("bank", 3), ("column", 5), ("rank", 1), ("row", 14))

# name: the map, masks of the rank, of banks, of rows, of columns
MAPS = {
    "row_rank_bank_column": (_LINEAR, bits(16, 16), bits(13, 15), bits(17, 30), bits(6, 12)),
    "bank_interleaved": (_INTERLEAVED, bits(16, 16), bits(8, 10), bits(17, 30), bits(6, 7) + bits(11, 15)),
    "bank_xor": (
        xor_of_rows(_INTERLEAVED),
        bits(16, 16),
        [0x20100, 0x40200, 0x80400],
        bits(17, 30),
        bits(6, 7) + bits(11, 15),
    ),
    "rank_row_bank_column": (
        fields(("column", 7), ("bank", 3), ("row", 14), ("rank", 1)),
        bits(30, 30),
        bits(13, 15),
        bits(16, 29),
        bits(6, 12),
    ),
}


# Channels by cache lines.
TWO_CHANNELS = fields(("column", 1), ("channel", 1), ("column", 6), ("bank", 3), ("rank", 1), ("row", 14))


def not_linear(address):
    """Seven banks in use of eight, by the remainder."""
    at = _LINEAR(address)
    return {**at, "bank": (at["bank"] + 3 * at["row"]) % 7}


not_linear.bits = _LINEAR.bits


def by_parities(rank, banks, row_from):
    """A map by chosen bits: the rank and each bank bit is the parity of some address bits, rows are all bits from
    `row_from` on but the first of each parity."""

    def parity(address, chosen):
        return sum(address >> bit & 1 for bit in chosen) % 2

    taken = {min(chosen) for chosen in (rank, *banks)}
    rows = [bit for bit in range(row_from, 31) if bit not in taken]

    def place(address):
        return {
            "rank": parity(address, rank),
            "bank": sum(parity(address, chosen) << i for i, chosen in enumerate(banks)),
            "row": sum((address >> bit & 1) << i for i, bit in enumerate(rows)),
        }

    place.bits = 31
    return place
