# SPDX-License-Identifier: Apache-2.0
"""Reads and writes of equal priority, as seen on the DFI: turns in the order of arrival of the classes.

It is looked for under every policy, and must be found under this one alone.
"""

from channel.water_marks import AT_HIGH_MARK, PATIENCE, Rank
from testbench import TB, test
from testbench.dfi import Kind

EQUAL = 4  # the bit of drain_policy; the others have no meaning then


@test(drain=[0, 1, 2, 3, AT_HIGH_MARK, EQUAL, EQUAL | AT_HIGH_MARK | 3])
async def equal_priority_keeps_the_order_of_arrival_of_the_classes(tb: TB, drain):
    """Reads and writes of as many rows of one bank that gather while their rank is refreshed."""
    config = tb.config
    gap = 20  # cycles between two, so that one does not overtake another on the way to the queues
    come = "rwwrwrrw"
    await tb.registers.write("age_limit", 4095)
    await tb.registers.write("drain_policy", drain)
    await tb.registers.write("tRFC", (len(come) + 3) * gap * config.phases)
    tb.dfi.start()
    due = 3 * tb.in_cycles(tb.timing["tREFI"])
    refresh = await tb.dfi.until(lambda command: command.kind == Kind.REFRESH and command.rank == 0, due)
    for row, kind in enumerate(come):
        line = tb.line(config.address(bank=1, row=row))
        if kind == "r":
            tb.port.read(line)
        else:
            tb.port.write(line, tb.bytes(line.length))
        await tb.cycles(gap)
    await tb.quiet()
    columns = tb.dfi.of(Kind.READ, Kind.WRITE, rank=0, since=refresh.cycle)
    went = "".join("r" if command.kind == Kind.READ else "w" for command in columns)
    assert (went == come) == bool(drain & EQUAL), f"drain policy {drain}: came {come}, went {went}"


@test()
async def a_policy_may_change_while_writes_wait(tb: TB):
    """Writes that a mark keeps go at once when turns come in order of arrival, and wait again when they do not."""
    config = tb.config
    await tb.registers.write("age_limit", 4095)
    await tb.registers.write("drain_policy", AT_HIGH_MARK)
    tb.dfi.start()
    async with tb.reads_going_on(config.address(bank=3)):
        await tb.cycles(60)
        rank = Rank(tb, config.ranks - 1)
        await rank.send(config.high_water_mark - 1)
        await tb.cycles(PATIENCE)
        assert rank.queued == config.high_water_mark - 1
        await tb.registers.write("drain_policy", EQUAL)
        await tb.cycles(PATIENCE)
        await rank.send(2)
        await tb.cycles(PATIENCE)
        assert rank.queued == 0
        await tb.registers.write("drain_policy", AT_HIGH_MARK)
        await rank.send(config.high_water_mark - 1)
        await tb.cycles(PATIENCE)
        assert rank.queued == config.high_water_mark - 1
