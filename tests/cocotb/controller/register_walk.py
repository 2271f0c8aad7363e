# SPDX-License-Identifier: Apache-2.0
"""Walks through what software may set. In each step some registers get other values, one by one in an order by chance,
while accesses go on or while nothing does. Whatever was set before, memory never freezes: accesses are answered within
the time that the registers in force add up to (testbench/waiting.py).

Settings under which a line may take very long come too; under them some accesses are sent and left waiting, and the
next setting is one under which all are answered soon. What the DRAM would have to know of, or what would give memory
other addresses, stays.
"""

import cocotb
from testbench import TB, test
from testbench.policies import Policies
from testbench.traffic import PROFILES, Traffic
from testbench.waiting import Values, Waiting, fault

STEPS = 24  # in each of which registers change twice
SOON = 200  # cycles for a line under settings whose accesses are waited for
MOST = 6  # accesses under way on a port


def choices(policies: Policies, name: str) -> list[int]:
    """Values that a walk goes through."""
    values = policies.values(name)
    if name in ("address_map.map", "time_scale.slow_memory"):
        return values[:1]
    if name == "refresh_granularity.value":
        return [min(values), max(values)]  # a DRAM in on-the-fly mode takes one granularity beside whole refreshes
    if name == "refresh_policy.value":
        never = dict(policies.fields[name].names).get("none")
        return [value for value in values if value != never]
    return values


class Walk:
    """What the registers hold, and where they go next."""

    def __init__(self, tb: TB):
        self.tb = tb
        self.policies = tb.registers.policies
        self.choices = {name: choices(self.policies, name) for name in self.policies.fields}
        self.values: Values = self.policies.resets

    def _somewhere(self, back: float) -> Values:
        """Other values of some fields or of most, and of a share of the others those after reset."""
        random = self.tb.random
        while True:
            share = random.choice((0.3, 0.6, 0.9))
            values = {
                name: random.choice(self.choices[name])
                if random.random() < share
                else self.policies.resets[name]
                if random.random() < back
                else value
                for name, value in self.values.items()
            }
            if self.policies.possible(values):
                return values

    async def anywhere(self) -> None:
        await self.go(self._somewhere(back=0.1))

    async def where_lines_go_soon(self) -> None:
        values = self._somewhere(back=0.2)
        while Waiting(self.tb, values).line > SOON:
            values = self._somewhere(back=0.6)
        await self.go(values)

    async def go(self, to: Values) -> None:
        """Register by register; sometimes time goes by between two."""
        random = self.tb.random
        for register, word in self.policies.steps(self.values, to, random):
            await self.tb.registers.write(register, word)
            if random.random() < 0.2:
                await self.tb.cycles(random.randrange(100))
        self.values = to
        self.tb.factor = to.get("time_scale.factor", 1)


class Load:
    """Traffic on all ports that begins and pauses as it is told."""

    def __init__(self, tb: TB):
        self.tb = tb
        self.on = False
        self.tasks = [cocotb.start_soon(self._run(port)) for port in tb.ports]

    async def _run(self, port) -> None:
        random = self.tb.random
        while True:
            traffic = Traffic(self.tb.config, PROFILES[random.choice(("lines", "rows"))], random)
            for _ in range(40):
                await port.room(MOST)
                while not self.on:
                    await self.tb.cycles(10)
                await traffic.run(port, 1, MOST)

    def lines(self) -> int:
        """How many are under way at most: of the bursts that are not answered, and of queued writes, which are."""
        bursts = [access.burst for port in self.tb.ports for access in port.outstanding.values()]
        # each beat of a burst to one address may be a line of its own
        asked = sum(max(burst.beats, burst.length // self.tb.config.line_bytes + 2) for burst in bursts)
        return asked + self.tb.config.channels * self.tb.config.write_queue

    def end(self) -> None:
        for task in self.tasks:
            task.cancel()


async def answered_within(tb: TB, cycles: int, what: str) -> None:
    """Waits for all accesses that are under way."""
    until = tb.cycle + cycles
    while under_way := [access for port in tb.ports for access in port.outstanding.values()]:
        assert tb.cycle <= until, f"frozen: {len(under_way)} accesses are not answered in {cycles} cycles {what}"
        await tb.cycles(20)


@test(number=[0, 1])
async def memory_never_freezes(tb: TB, number):
    fault(tb)
    walk, load = Walk(tb), Load(tb)
    tb.hang = 1 << 30  # what is too long is told here
    interval = tb.in_cycles(tb.timing["tREFI"])
    for step in range(STEPS):
        load.on = tb.random.random() < 0.7
        await walk.anywhere()
        # the time of some accesses, or of a refresh or two
        await tb.cycles(tb.random.choice((100, 500, interval, 2 * interval)))
        load.on = tb.random.random() < 0.5
        before = walk.values
        await walk.where_lines_go_soon()
        load.on = False
        changed = {name: value for name, value in walk.values.items() if value != before[name]}
        most = Waiting(tb, walk.values).all_of(load.lines(), before)
        await answered_within(tb, most, f"after step {step}, from {before} to {changed}")
    load.end()
    await walk.go(walk.policies.resets)
