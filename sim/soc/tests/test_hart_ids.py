# SPDX-License-Identifier: Apache-2.0
"""Which AXI id each Rocket hart uses where Weir takes its accesses: 4 * hart for its data cache, 4 * hart + 2 for its
instruction cache.

Rocket itself numbers them backwards (hart 0 of four has 12); litex_weir's HartOrder turns that round.
"""

from conftest import FIRMWARE_ADDRESS, on_each

RANGES, RANGE_BYTES, TOUCHED_BYTES = 0xA000_0000, 0x100_0000, 16 * 1024


def handshakes(log):
    """(channel, id, address) of each line of the log."""
    for line in log.read_text().splitlines()[1:]:
        _, channel, id_, address, _ = line.split()
        yield channel, int(id_), int(address, 16)


def ids_by_hart(log, harts):
    """The ids that came with addresses in each hart's range, for each channel."""
    ids = {(channel, hart): set() for channel in ("AR", "AW") for hart in range(harts)}
    for channel, id_, address in handshakes(log):
        hart, offset = divmod(address - RANGES, RANGE_BYTES)
        if 0 <= hart < harts and offset < TOUCHED_BYTES:
            ids[channel, hart].add(id_)
    return ids


@on_each
def test_id_names_the_hart(soc, tmp_path):
    log = tmp_path / "axi.log"
    run = soc.boot("hart_ranges", "--axi-log", log)
    assert run.code == 0, run.console + run.messages
    for (channel, hart), used in ids_by_hart(log, soc.harts).items():
        assert used == {4 * hart}, f"hart {hart}, {channel}"
    # All harts fetch their first instructions from the same place, where nothing else lies.
    fetches = {id_ for _, id_, address in handshakes(log) if address == FIRMWARE_ADDRESS}
    assert fetches == {4 * hart + 2 for hart in range(soc.harts)}
