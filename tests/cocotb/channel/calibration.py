# SPDX-License-Identifier: Apache-2.0
"""Short ZQ calibrations, of which the controller sends one after so many refreshes."""

from testbench import TB, test
from testbench.dfi import Kind
from testbench.refreshing import short, shorten


@test()
async def calibration_follows_every_so_many_refreshes(tb: TB):
    tb.dfi.start()
    await tb.registers.write("zqInterval", 3)
    await shorten(tb)
    await tb.cycles(10 * short(tb))
    for rank in range(tb.config.ranks):
        kinds = [command.kind for command in tb.dfi.of(Kind.REFRESH, Kind.CALIBRATE, rank=rank)]
        first = kinds.index(Kind.CALIBRATE)
        whole = kinds[first + 1 :]
        assert len(whole) >= 8
        expected = [Kind.REFRESH, Kind.REFRESH, Kind.REFRESH, Kind.CALIBRATE]
        assert all(kind == expected[n % 4] for n, kind in enumerate(whole)), f"rank {rank}: {whole}"
