# SPDX-License-Identifier: Apache-2.0
"""Reader of the DRAM model's binary command trace.

The format is described in ``trace.hpp``. As a program it prints a trace as text::

    python3 sim/dram/trace.py FILE
"""

import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

#: Names of the commands, by their code in a record.
COMMANDS = ("NOP", "MRS", "REF", "PRE", "PREA", "ACT", "WR", "WRA", "RD", "RDA", "ZQCL", "ZQCS")

_MAGIC = b"WEIRDRAM"
_VERSION = 1
_HEADER = struct.Struct("<8sII10I24s")
_RECORD = struct.Struct("<QIBBBB")
_RECORDS_AT_ONCE = 65536


class Record(NamedTuple):
    """One command as one rank received it."""

    clock: int  #: DRAM clocks since the start of the simulation
    address: int  #: address pins
    command: int  #: index into COMMANDS
    rank: int
    bank: int  #: bank group above bank
    phase: int  #: DFI phase


@dataclass(frozen=True)
class Channel:
    """The header: how the traced channel is built."""

    tck_ps: int
    phases: int
    ranks: int
    bank_bits: int
    row_bits: int
    column_bits: int
    dq: int
    cl: int  #: DRAM clocks
    cwl: int  #: DRAM clocks
    part: str


def read(path: str | Path) -> tuple[Channel, Iterator[Record]]:
    """Open a trace.

    Returns its header and an iterator over its records, in the order of time. Raises ``ValueError``, naming the file,
    if it is not a trace, of another version, or cut short.
    """
    file = Path(path).open("rb")  # noqa: SIM115 (the iterator closes it)
    raw = file.read(_HEADER.size)
    if len(raw) < _HEADER.size or raw[: len(_MAGIC)] != _MAGIC:
        file.close()
        raise ValueError(f"{path}: not a Weir DRAM command trace")
    _, version, header_bytes, *numbers, part = _HEADER.unpack(raw)
    if version != _VERSION:
        file.close()
        raise ValueError(f"{path}: version {version} of the command trace, this reader knows {_VERSION}")
    file.seek(header_bytes)

    def records() -> Iterator[Record]:
        count = 0
        with file:
            while chunk := file.read(_RECORD.size * _RECORDS_AT_ONCE):
                whole = len(chunk) - len(chunk) % _RECORD.size
                for fields in _RECORD.iter_unpack(chunk[:whole]):
                    yield Record(*fields)
                count += whole // _RECORD.size
                if whole != len(chunk):
                    raise ValueError(
                        f"{path}: record {count} is cut short: {len(chunk) - whole} of {_RECORD.size} bytes"
                    )

    return Channel(*numbers[:9], part.rstrip(b"\0").decode()), records()


def main(arguments: list[str]) -> int:
    """Print the trace named on the command line as text."""
    if len(arguments) != 2:
        print("usage: trace.py FILE", file=sys.stderr)
        return 2
    try:
        channel, records = read(arguments[1])
        print(
            f"# part {channel.part}, tCK {channel.tck_ps} ps, {channel.phases} phases, {channel.ranks} ranks, "
            f"{1 << channel.bank_bits} banks, DQ {channel.dq}, CL {channel.cl}, CWL {channel.cwl}"
        )
        print("# clock phase command rank bank address")
        for r in records:
            print(f"{r.clock} {r.phase} {COMMANDS[r.command]} {r.rank} {r.bank} 0x{r.address:x}")
    except (OSError, ValueError) as error:
        print(f"trace.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
