# SPDX-License-Identifier: Apache-2.0
"""Another master takes the DFI and gives it back. Nothing but Weir's commands reaches the DRAM here, whose model knows
the part's rules; the master's own commands are in boards/litex_weir/tests/core."""

from collections import defaultdict

from testbench import TB, test
from testbench.dfi import Command, Kind
from testbench.traffic import PROFILES, Traffic


def open_rows(commands: list[Command]) -> dict[tuple[int, int], set[int]]:
    """Of each channel and rank, the banks that have a row open after these commands."""
    rows: dict[tuple[int, int], set[int]] = defaultdict(set)
    for command in commands:
        of_rank = rows[command.channel, command.rank]
        if command.kind == Kind.ACTIVATE:
            of_rank.add(command.bank)
        elif command.kind == Kind.PRECHARGE and command.all_banks:
            of_rank.clear()
        elif command.kind == Kind.PRECHARGE:
            of_rank.discard(command.bank)
    return rows


async def take(tb: TB) -> int:
    """Waits until the other master has the DFI; the cycle."""
    tb.dut.dfi_phymstr_req.value = 1
    for _ in range(tb.hang):
        await tb.cycles(1)
        if int(tb.dut.dfi_phymstr_ack.value):
            return tb.cycle
    raise AssertionError(f"the DFI is not let go of within {tb.hang} cycles")


async def give_back(tb: TB) -> None:
    tb.dut.dfi_phymstr_req.value = 0
    await tb.cycles(2)
    assert not int(tb.dut.dfi_phymstr_ack.value), "the DFI that was given back is not taken"


@test()
async def after_any_command_the_dfi_is_let_go_of_and_taken_back(tb: TB):
    """From acknowledgement to hand-back there is no command and every row is closed; the first command of each rank
    after it is a precharge of all banks; traffic goes on where it stood. A wish that is withdrawn at once does no
    harm."""
    tb.dfi.start()
    traffic = Traffic(tb.config, PROFILES["spread"], tb.random)
    for number in range(24):
        await traffic.run(tb.port, tb.random.randrange(8), 30)
        await tb.cycles(tb.random.randrange(40))
        if number % 6 == 5:
            tb.dut.dfi_phymstr_req.value = 1
            await tb.cycles(tb.random.randint(1, 12))
            tb.dut.dfi_phymstr_req.value = 0
            continue
        begun = await take(tb)
        await tb.cycles(tb.random.randrange(60))
        came = [command for command in tb.dfi.commands if command.cycle >= begun]
        assert not came, f"{came[0]} while another master has the DFI"
        rows = open_rows(tb.dfi.commands)
        assert not any(rows.values()), f"rows are open while another master has the DFI: {dict(rows)}"
        back = tb.cycle
        await give_back(tb)
        await traffic.run(tb.port, 8, 30)
        await tb.cycles(60)
        first: dict[tuple[int, int], Command] = {}
        for command in tb.dfi.commands:
            if command.cycle >= back:
                first.setdefault((command.channel, command.rank), command)
        assert first, "nothing goes to the DRAM after the DFI was given back"
        for command in first.values():
            assert command.kind == Kind.PRECHARGE and command.all_banks, f"{command} before all banks are precharged"
    await tb.answered()
