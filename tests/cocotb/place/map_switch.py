# SPDX-License-Identifier: Apache-2.0
"""Another map is put in force while accesses are under way: each line goes to its place by the old map or by the new
one, all that come later by the new one, and nothing hangs.

What memory holds then has other addresses, so the reference memory does not judge these accesses.
"""

import cocotb
from cocotbext.axi.constants import AxiResp
from testbench import TB, test
from testbench.mapping import choose, random_masks, write_masks
from testbench.maps import CHOOSABLE, PROGRAMMABLE, of_masks

WRITES = 160
HOLD = 4095  # age limit, so that writes wait in the queue as long as may be


def number_of(data: bytes) -> int:
    """The number of the write that left these data."""
    return int.from_bytes(data[:4], "little")


async def read_numbers(tb: TB, addresses: list[int]) -> list[int]:
    reads = []
    for address in addresses:
        await tb.port.room(8)
        reads.append(tb.port.read(tb.line(address), expect=None))
    return [number_of((await read).data) for read in reads]


@test(name=[*CHOOSABLE, "programmable"])
async def every_line_sees_one_map_wholly(tb: TB, name):
    """Writes of few lines in order, the switch somewhere among them, reads beside them. Afterwards memory holds what it
    must if the first writes saw the old map and all others the new one, for some number of first ones."""
    config = tb.config
    names = list(CHOOSABLE)
    old = CHOOSABLE[tb.random.choice([each for each in names if each != name])]
    assert await choose(tb, list(CHOOSABLE.values()).index(old)) == AxiResp.OKAY
    if name == "programmable":
        masks = random_masks(tb)
        await write_masks(tb, masks)
        switch, to = PROGRAMMABLE, of_masks(config, masks)
    else:
        switch, to = names.index(name), lambda offset: CHOOSABLE[name](config, offset)
    await tb.registers.write("age_limit", HOLD)

    # lines that collide: by both maps they lie in few rows of all banks
    step = config.line_bytes
    lines = [tb.random.randrange(4 * config.row_bytes // step) * step for _ in range(20)]
    lines += [tb.random.randrange(config.memory_bytes // step) * step for _ in range(20)]
    order = [tb.random.choice(lines) for _ in range(WRITES)]
    first = tb.cycle  # numbers that no test before has written
    taken = []
    for number, offset in enumerate(order):
        await tb.port.room(24)
        burst = tb.line(config.base + offset)
        data = (first + number).to_bytes(4, "little") * (burst.length // 4)
        taken.append(tb.port.write(burst, data, expect=None))
        if tb.random.random() < 0.5:
            tb.port.read(tb.line(config.base + tb.random.choice(lines), id=1), expect=None)
        if number == WRITES // 2:
            writing = cocotb.start_soon(choose(tb, switch))
    await tb.answered()
    assert await writing == AxiResp.OKAY
    assert all(write.responses == [AxiResp.OKAY] for write in taken)

    used = sorted(set(order))
    addresses = [config.base + offset for offset in used]
    by_new = dict(zip(used, await read_numbers(tb, addresses), strict=True))
    assert await choose(tb, list(CHOOSABLE.values()).index(old)) == AxiResp.OKAY
    by_old = dict(zip(used, await read_numbers(tb, addresses), strict=True))

    def explains(seen_old: int) -> bool:
        """Whether memory is as if just so many writes had seen the old map."""
        memory = {}
        for number, offset in enumerate(order):
            memory[old(config, offset) if number < seen_old else to(offset)] = first + number
        found = [(old(config, offset), value) for offset, value in by_old.items()]
        found += [(to(offset), value) for offset, value in by_new.items()]
        written = range(first, first + WRITES)
        return all(value == memory[at] if at in memory else value not in written for at, value in found)

    possible = [seen_old for seen_old in range(WRITES + 1) if explains(seen_old)]
    assert possible, "memory holds what no moment of the switch explains"
    assert possible[-1] > 0 and possible[0] < WRITES, f"the switch came after {possible} writes: not among them"


@test(pause=["never", "all"])
async def many_switches_under_traffic_hang_nothing(tb: TB, pause):
    tb.back_pressure(pause)
    for _ in range(12):
        for _ in range(25):
            port = tb.random.choice(tb.ports)
            await port.room(20)
            burst = tb.burst(
                tb.address(256, align=tb.config.data_bytes), tb.random.randint(1, 256 // tb.config.data_bytes)
            )
            if tb.random.random() < 0.5:
                port.write(burst, tb.bytes(burst.length), expect=None)
            else:
                port.read(burst, expect=None)
        await write_masks(tb, random_masks(tb))
        assert await choose(tb, tb.random.randrange(PROGRAMMABLE + 1)) == AxiResp.OKAY
    await tb.answered()
    await tb.quiet()
    # and memory is memory again
    for _ in range(20):
        await tb.write_and_read(tb.line(tb.address(tb.config.line_bytes, align=tb.config.line_bytes)))
