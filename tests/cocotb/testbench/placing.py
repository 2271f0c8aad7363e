# SPDX-License-Identifier: Apache-2.0
"""Where on the DFI an access goes."""

from testbench.dfi import Kind
from testbench.maps import Place


async def expect_at_its_place(tb, address: int, place: Place | None = None) -> None:
    """Reads a line and finds the read command, and the activate before it, at a place: by default where the address map
    after reset says. The DFI is being watched."""
    tb.dfi.start()
    place = place or tb.config.place(address)
    since = tb.cycle
    await tb.port.read(tb.line(address // tb.config.line_bytes * tb.config.line_bytes), expect=None)
    (read,) = tb.dfi.of(Kind.READ, since=since)
    where = (read.channel, read.rank, read.bank, read.column)
    assert where == (place.channel, place.rank, place.bank, place.column), (
        f"{address:#x} was read by {read}, not {place}"
    )
    rows = [
        each.row
        for each in tb.dfi.of(Kind.ACTIVATE)
        if (each.channel, each.rank, each.bank) == (place.channel, place.rank, place.bank)
    ]
    assert rows[-1] == place.row, f"{address:#x} was read from row {rows[-1]}, not {place.row}"
