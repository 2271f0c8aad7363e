# SPDX-License-Identifier: Apache-2.0
"""Which AXI id each Rocket hart uses on the memory bus."""

import pytest
from conftest import FOUR_HARTS, ONE_HART, TWO_HARTS

RANGES, RANGE_BYTES, TOUCHED_BYTES = 0xA000_0000, 0x100_0000, 16 * 1024


def ids_by_hart(log, harts):
    """The ids that came with addresses in each hart's range, for each channel."""
    ids = {(channel, hart): set() for channel in ("AR", "AW") for hart in range(harts)}
    for line in log.read_text().splitlines()[1:]:
        _, channel, id_, address, _ = line.split()
        hart, offset = divmod(int(address, 16) - RANGES, RANGE_BYTES)
        if 0 <= hart < harts and offset < TOUCHED_BYTES:
            ids[channel, hart].add(int(id_))
    return ids


@pytest.mark.parametrize(("harts", "soc"), [(1, ONE_HART), (2, TWO_HARTS), (4, FOUR_HARTS)])
def test_source_is_the_hart(harts, soc, tmp_path):
    run = soc.boot("hart_ranges", "--axi-log", tmp_path / "axi.log")
    assert run.code == 0, run.console + run.messages
    ids = ids_by_hart(tmp_path / "axi.log", harts)
    print(ids)
    for (_channel, hart), used in ids.items():
        assert used == {4 * hart}
