# SPDX-License-Identifier: Apache-2.0
"""Traffic under combinations of policies, which test_pairwise.py chooses so that every two values meet.

Each combination is a test. Its policies come while traffic goes on, after those of the combination before it and among
writes that must be refused. Only what the file names as fixed is there from the start: the address map, as by another
one memory has other addresses (place.map_switch changes maps under traffic), and what the DRAM must know of.
"""

import json
import os
from contextlib import asynccontextmanager
from pathlib import Path

import cocotb
from cocotb.triggers import gather
from cocotbext.axi.constants import AxiResp
from controller.mutations import FAULTS
from testbench import TB, test
from testbench.mapping import random_masks, write_masks
from testbench.reference import Reference
from testbench.scaling import IN_FORCE
from testbench.traffic import PROFILES, Traffic

COMBINATIONS = json.loads(Path(os.environ["WEIR_COMBINATIONS"]).read_text())
FIXED, ROWS = COMBINATIONS["fixed"], COMBINATIONS["rows"]
FAULT = FAULTS[os.environ.get("WEIR_FAULT", "none")]
REFUSED = 3  # writes of registers that must be refused, for each combination


class Setting:
    """The policies of a test.

    Attributes:
        values: what the registers hold, as far as software may set it
        slow: how many times slower they make the memory
    """

    def __init__(self, tb: TB, row: dict):
        self.tb = tb
        self.row = row
        self.policies = tb.registers.policies
        self.values = self.policies.resets
        self.slow = row.get("time_scale.factor", 1)
        timings = [(row[name], field.reset) for name, field in self.policies.fields.items() if field.timing]
        # what takes so much longer where a queue waits for one timing again and again
        longer = max((value // reset for value, reset in timings if reset), default=1)
        tb.hang *= self.slow * max(1, longer)

    async def begin(self) -> None:
        """Sets what is fixed, and masks of an address map by chance."""
        if "address_map.map" in self.values:
            await write_masks(self.tb, random_masks(self.tb))
        await self._write(self.values | {name: self.row[name] for name in FIXED if name in self.values})
        self.tb.factor, self.tb.slow_memory = self.slow, bool(self.row.get("time_scale.slow_memory"))
        if self.tb.slow_memory:
            await self.tb.cycles(IN_FORCE)

    async def change(self, row: dict) -> None:
        """Sets all policies of a combination but for what is fixed, register by register in an order by chance. Those
        of another combination are left out where what is fixed cannot stand with them."""
        values = {name: self.values[name] if name in FIXED else row[name] for name in self.values}
        if row is self.row or self.policies.possible(values):
            await self._write(values)

    async def _write(self, values: dict) -> None:
        for register, word in self.policies.steps(self.values, values, self.tb.random):
            await self.tb.registers.write(register, word)
        self.values = values

    async def refuse(self) -> None:
        """Writes what must be refused, and finds it told and nothing changed."""
        registers = self.tb.registers
        wrong = self.policies.refused(self.values, self.tb.random)
        for _ in range(REFUSED):
            register, word = next(wrong)
            assert await registers.try_write(register, word) == AxiResp.SLVERR, f"{register} took {word:#x}"
            assert await registers.read("error.address") == registers.offset(register)
            await registers.write("error", 1)
            await self.expect([register])

    async def expect(self, registers: list[str]) -> None:
        """Finds registers as they should be."""
        for register in registers:
            word, expected = await self.tb.registers.read(register), self.policies.word(register, self.values)
            assert word == expected, f"{register} is {word:#x}, not {expected:#x}"

    def accesses(self, count: int) -> int:
        """So many accesses, or of a slow memory as many as take the same time, for each port."""
        return max(2, count // self.slow // len(self.tb.ports))


@asynccontextmanager
async def going_on(tb: TB, setting: Setting):
    """Traffic on all ports until the end of the block."""
    tb.back_pressure(setting.row["pause"])
    traffic = Traffic(tb.config, PROFILES[setting.row["traffic"]], tb.random)
    outstanding = setting.accesses(tb.random.choice((4, 12, 40)))
    over = False

    async def run(port) -> None:
        while not over:
            await traffic.run(port, 2, outstanding)

    running = [cocotb.start_soon(run(port)) for port in tb.ports]
    yield traffic
    over = True
    await gather(*running)


@test(number=list(range(len(ROWS))))
async def policies_change_under_traffic(tb: TB, number):
    tb.dut.fault.value = FAULT
    setting = Setting(tb, ROWS[number])
    await setting.begin()
    async with going_on(tb, setting) as traffic:
        await setting.change(ROWS[number - 1])
        await setting.refuse()
        await setting.change(ROWS[number])
        await setting.refuse()
        await setting.expect(setting.policies.changed(setting.policies.resets, setting.values))
    await gather(*(traffic.run(port, setting.accesses(48), setting.accesses(40)) for port in tb.ports))
    await tb.answered()
    tb.back_pressure("never")
    await tb.quiet()
    for piece in traffic.pieces[: setting.accesses(10)]:
        tb.port.read(tb.line(piece))


@test(number=list(range(len(ROWS))))
async def resets_in_the_middle_of_bursts_end_policies(tb: TB, number):
    """Whatever was under way is gone, the registers are as after the first reset, and all works."""
    setting = Setting(tb, ROWS[number])
    await setting.begin()
    async with going_on(tb, setting) as traffic:
        await setting.change(ROWS[number])
    await gather(*(traffic.run(port, setting.accesses(tb.random.randint(1, 40)), 30) for port in tb.ports))
    await tb.cycles(tb.random.randint(0, 60))
    tb.dut.fault.value = FAULT
    await tb.reset(tb.cycle)
    tb.reference = Reference()  # for the address map has changed with the others
    setting.values = setting.policies.resets
    await setting.expect(setting.policies.registers())
    assert await tb.registers.read("error") == 0
    tb.back_pressure("never")
    for port in tb.ports:
        await tb.write_and_read(tb.burst(tb.address(64, align=64)), port)
