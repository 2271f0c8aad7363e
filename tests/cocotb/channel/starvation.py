# SPDX-License-Identifier: Apache-2.0
"""The bound on reordering, as AccessQueue.scala states it, against traffic that would starve an access for ever.

An access leaves its queue at the latest twice `age_limit` cycles after it came, and then after one row conflict and one
turn of the bus where no other has waited as long. All times here come from the tests' own table. The age limit at its
maximum must break the bound: else the traffic was not what the bound protects from.
"""

import cocotb
from testbench import TB, test
from testbench.dfi import Command, Kind

AGE_LIMIT = 64
BEFORE = 12  # bursts of the stream that may be older than the access that suffers
PIPELINE = 12  # cycles between AXI and the queue, and from the choice of a command to the DFI


class Stream:
    """Accesses of one kind to one row of bank 0, without pause."""

    def __init__(self, tb: TB, writes: bool):
        self.tb = tb
        self.writes = writes
        self.task = cocotb.start_soon(self._run())

    async def _run(self) -> None:
        config = self.tb.config
        beats = config.block_bytes // config.data_bytes
        offset = 0
        while True:
            burst = self.tb.burst(config.address(row=1, offset=offset), beats, id=0)
            if self.writes:
                self.tb.port.write(burst, bytes(burst.length))
            else:
                self.tb.port.read(burst)
            offset = (offset + config.block_bytes) % config.row_bytes
            await self.tb.port.room(BEFORE)

    def stop(self) -> None:
        self.task.cancel()


def conflict(tb: TB) -> int:
    """Most cycles from the choice to close a row that was just used to a column command of another one."""
    time = tb.timing
    used = max(time["tRTP"], tb.config.cwl + 4 + time["tWR"])
    return sum(tb.in_cycles(step) + 1 for step in (used, time["tRP"], time["tRCD"]))


def turn(tb: TB) -> int:
    """Most cycles that the data bus takes to turn."""
    write_to_read = tb.config.cwl + 4 + tb.timing["tWTR_L"]
    read_to_write = tb.config.cl - tb.config.cwl + 4 + 2
    return tb.in_cycles(max(write_to_read, read_to_write)) + 1


def bound(tb: TB, age_limit: int) -> int:
    """Most cycles from the address handshake to the column command, with BEFORE bursts of row hits in front."""
    lines = BEFORE * tb.config.block_bytes // tb.config.line_bytes
    hits = lines * tb.in_cycles(tb.timing["tCCD_L"])
    return PIPELINE + hits + 2 * age_limit + conflict(tb) + turn(tb)


async def suffers(tb: TB, stream_writes: bool, writes: bool, most: int) -> int:
    """Cycles from the address handshake to the column command of an access to another row of the stream's bank."""
    tb.dfi.start()
    await tb.refreshed()
    stream = Stream(tb, stream_writes)
    await tb.cycles(100)
    config = tb.config
    victim = tb.line(config.address(row=2), id=1)
    access = tb.port.write(victim, bytes(victim.length)) if writes else tb.port.read(victim)
    activated = False

    def is_its_column(command: Command) -> bool:
        nonlocal activated
        if command.kind == Kind.ACTIVATE and (command.rank, command.bank) == (0, 0):
            activated = command.row == 2
        return activated and command.bank == 0 and command.kind == (Kind.WRITE if writes else Kind.READ)

    column = await tb.dfi.until(is_its_column, most)
    stream.stop()
    return column.cycle - access.begun


@test(limited=[True, False])
async def a_read_among_endless_row_hits(tb: TB, limited):
    await tb.registers.write("age_limit", AGE_LIMIT if limited else 4095)
    waited = await suffers(tb, stream_writes=False, writes=False, most=10000)
    within = bound(tb, AGE_LIMIT)
    assert waited <= bound(tb, 4095)
    assert (waited <= within) == limited, f"the read waited {waited} cycles; the bound is {within}"


@test(limited=[True, False])
async def a_write_among_endless_reads(tb: TB, limited):
    """The age limit of the oldest write starts a drain although reads wait."""
    await tb.registers.write("age_limit", AGE_LIMIT if limited else 4095)
    waited = await suffers(tb, stream_writes=False, writes=True, most=10000)
    within = bound(tb, AGE_LIMIT)
    assert (waited <= within) == limited, f"the write waited {waited} cycles; the bound is {within}"


async def expect_a_write_among_endless_reads_in_time(tb: TB) -> None:
    """In that of the age limit."""
    await tb.registers.write("age_limit", AGE_LIMIT)
    waited = await suffers(tb, stream_writes=False, writes=True, most=10000)
    assert waited <= bound(tb, AGE_LIMIT), f"the write waited {waited} cycles; the bound is {bound(tb, AGE_LIMIT)}"


async def expect_a_read_among_endless_writes_in_time(tb: TB) -> None:
    """A drain ends after as many writes as the queue holds when a read waits."""
    waited = await suffers(tb, stream_writes=True, writes=False, most=10000)
    batch = tb.config.write_queue * tb.in_cycles(tb.timing["tCCD_L"])
    assert waited <= bound(tb, 0) + batch + turn(tb), f"the read waited {waited} cycles"


@test()
async def a_read_among_endless_writes(tb: TB):
    await expect_a_read_among_endless_writes_in_time(tb)


@test(drain=[1, 2, 3, 4, 8])
async def a_write_among_endless_reads_under_each_drain_policy(tb: TB, drain):
    """Marks shared, ranks together, both, turns in order of arrival, and no drains before the high mark."""
    await tb.registers.write("drain_policy", drain)
    await expect_a_write_among_endless_reads_in_time(tb)


@test(drain=[1, 2, 3, 4, 8])
async def a_read_among_endless_writes_under_each_drain_policy(tb: TB, drain):
    await tb.registers.write("drain_policy", drain)
    await expect_a_read_among_endless_writes_in_time(tb)
