# SPDX-License-Identifier: Apache-2.0
"""How commands stand on the DFI. The DRAM model checks their timing; here are the things it does not look at."""

from collections import Counter

from testbench import TB, test
from testbench.dfi import Kind
from testbench.traffic import PROFILES, Traffic


@test()
async def each_class_of_command_has_its_phase(tb: TB):
    tb.dfi.start()
    await Traffic(tb.config, PROFILES["spread"], tb.random).run(tb.port, 300, 40)
    await tb.quiet()
    await tb.refreshed()
    phases = {
        kind: {command.phase for command in tb.dfi.of(kind)}
        for kind in (Kind.READ, Kind.WRITE, Kind.ACTIVATE, Kind.PRECHARGE, Kind.REFRESH)
    }
    assert phases[Kind.READ] == {tb.config.read_phase}
    assert phases[Kind.WRITE] == {tb.config.write_phase}
    assert len(phases[Kind.ACTIVATE]) == 1
    assert len(phases[Kind.PRECHARGE]) == 1
    assert phases[Kind.REFRESH] == phases[Kind.PRECHARGE]


@test()
async def a_cycle_has_one_command_of_each_class_at_most(tb: TB):
    """And traffic to many banks makes Weir send several classes in one cycle, as far as the phases allow it."""
    tb.dfi.start()
    await Traffic(tb.config, PROFILES["spread"], tb.random).run(tb.port, 300, 40)
    await tb.answered()
    classes = {Kind.READ: "column", Kind.WRITE: "column"}
    counts = Counter((command.cycle, classes.get(command.kind, command.kind)) for command in tb.dfi.commands)
    assert set(counts.values()) == {1}
    together = Counter(command.cycle for command in tb.dfi.commands)
    assert (max(together.values()) > 1) == (tb.config.phases > 1)


@test()
async def column_commands_neither_precharge_nor_chop(tb: TB):
    """A10 low: no auto precharge; A12 high: no burst chop. Columns name whole bursts."""
    tb.dfi.start()
    await Traffic(tb.config, PROFILES["rows"], tb.random).run(tb.port, 100, 16)
    await tb.answered()
    for command in tb.dfi.of(Kind.READ, Kind.WRITE):
        assert not command.all_banks and command.address >> 12 & 1 and command.column % tb.config.burst_length == 0, (
            str(command)
        )


@test()
async def commands_go_to_one_rank_and_other_pins_stand_still(tb: TB):
    """CKE, RESET# and ACT# are high at all times."""
    tb.dfi.start()
    dut, config = tb.dut, tb.config
    traffic = Traffic(config, PROFILES["spread"], tb.random)
    for _ in range(60):
        await traffic.run(tb.port, 3, 40)
        await tb.cycles(7)
        for pin in (dut.dfi_cke, dut.dfi_reset_n, dut.dfi_act_n):
            assert int(pin.value) == (1 << len(pin)) - 1
    await tb.answered()
    ranks = Counter((command.cycle, command.phase) for command in tb.dfi.commands)
    assert set(ranks.values()) == {1}
