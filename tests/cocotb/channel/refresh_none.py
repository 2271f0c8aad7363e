# SPDX-License-Identifier: Apache-2.0
"""No refresh at all, of a DRAM that needs none."""

from testbench import TB, test
from testbench.dfi import Kind
from testbench.refreshing import NONE
from testbench.traffic import PROFILES, Traffic


@test()
async def nothing_is_refreshed(tb: TB):
    await tb.registers.write("refresh_policy", NONE)
    tb.dfi.start()
    traffic = Traffic(tb.config, PROFILES["spread"], tb.random)
    for _ in range(3):
        await traffic.run(tb.port, 30, 8)
        await tb.answered()
        await tb.cycles(4 * tb.in_cycles(tb.timing["tREFI"]))
    assert not tb.dfi.of(Kind.REFRESH)
