# SPDX-License-Identifier: Apache-2.0
"""The NVM region as whoever waits for it sees it, and as it is on the DFI. The DRAM below is its part's, and judges
every command and refresh; what the region adds is computed here from the papers' tables (testbench/nvm.py)."""

import cocotb
from cocotbext.axi.constants import AxiResp
from testbench import TB, test
from testbench.dfi import Kind
from testbench.nvm import TIMES, clocks, dram, fault, nearest
from testbench.scaling import first_beat, scale

BELOW_MINIMUM, ABOVE_MAXIMUM, RELATION, READ_ONLY = 4, 5, 6, 3
GREATEST = 1023


async def program(tb: TB, **times: int) -> None:
    """Writes times of the region, and waits until they are in force."""
    for name, value in times.items():
        await tb.registers.write(f"nvm_{name}", value)
    await tb.cycles(100)


async def traffic(tb: TB, ranks: list[int], count: int, writes: float) -> None:
    """Accesses of few rows of few banks, so that each waits for others."""
    random, config = tb.random, tb.config
    for _ in range(count):
        place = {"rank": random.choice(ranks), "bank": random.randrange(3), "row": random.randrange(3)}
        line = tb.line(
            config.address(**place, offset=random.randrange(16) * config.block_bytes), id=random.randrange(4)
        )
        port = random.choice(tb.ports)
        await port.room(24)
        if random.random() < writes:
            port.write(line, tb.bytes(line.length))
        else:
            port.read(line)
    await tb.answered()
    await tb.quiet()


def between_rows(times: dict[str, int], config) -> dict[str, int]:
    """From the last command of a bank to the activate of its next row, however the row before was closed."""
    written = max(times["write_latency"], config.cwl + config.burst_clocks + times["tWR"])
    return {"write_to_activate": written + times["tRP"], "read_to_activate": times["tRTP"] + times["tRP"]}


@test()
async def the_registers_begin_with_the_times_of_the_papers(tb: TB):
    config, registers = tb.config, tb.registers
    for name, value in clocks(tb).items():
        assert await registers.read(f"nvm_{name}") == value, name
    assert await registers.read("nvm_control") == 1 | config.nvm_first_rank << 8
    first = await registers.read("nvm_first_page")
    assert config.base + first * 4096 == config.address(rank=config.nvm_first_rank)
    assert await registers.read("nvm_bandwidth.lines") == 0


@test()
async def each_rank_keeps_the_distances_of_its_class(tb: TB):
    """Never shorter, and as short as controller cycles allow where accesses wait for one another."""
    config = tb.config
    fault(tb)
    tb.dfi.start()
    await traffic(tb, [0, 1], 600, writes=0.5)
    for rank in range(config.ranks):
        times = clocks(tb) if rank >= config.nvm_first_rank else dram(tb)
        found = nearest(tb.dfi.commands, tb, rank)
        for name, least in (times | between_rows(times, config)).items():
            if name != "read_latency":
                assert found[name] >= least, f"rank {rank}: {name} is {found[name]} clocks, not {least}"
        reached = (
            "tRCD",
            "tRP",
            "tWR" if times["tWR"] + config.cwl + config.burst_clocks >= times["write_latency"] else "write_latency",
        )
        for name in reached:
            above = found[name] - times[name]
            assert above < 2 * config.phases, f"rank {rank}: {name} is {found[name]} clocks, {times[name]} would do"


@test()
async def times_that_software_writes_are_kept(tb: TB):
    """Each by itself, all others being DRAM's."""
    config = tb.config
    tb.dfi.start()
    bases = dram(tb)
    await program(tb, **bases)
    for name, longer in (
        ("tRCD", 40),
        ("tRP", 60),
        ("tRAS", 90),
        ("tRC", 130),
        ("tRTP", 70),
        ("tWR", 80),
        ("tWTR", 50),
        ("write_latency", 150),
    ):
        times = bases | {name: bases[name] + longer}
        await program(tb, **times)
        since = len(tb.dfi.commands)
        await traffic(tb, [0, 1], 120, writes=0.5)
        commands = tb.dfi.commands[since:]
        found = nearest(commands, tb, config.nvm_first_rank)
        assert found[name] >= times[name], f"{name} is {found[name]} clocks, not {times[name]}"
        assert found[name] < times[name] + 2 * config.phases or name in ("tRTP", "tRAS", "tWTR"), (
            f"{name}: {found[name]}"
        )
        await program(tb, **bases)


async def latencies(tb: TB, rank: int) -> tuple[int, int, int]:
    """Cycles of a read of an idle bank: of its open row, with no row open, and with another open."""
    config = tb.config
    await tb.refreshed(rank)
    idle = tb.factor * tb.in_cycles(max(tb.timing["tRC"], await tb.registers.read("nvm_tRC"))) + 20
    await tb.cycles(idle)
    found = []
    for row, column in ((1, 0), (1, 1), (2, 0)):
        address = config.address(rank=rank, bank=1, row=row, offset=column * config.block_bytes)
        found.append(first_beat(await tb.port.read(tb.line(address), expect=None)))
        await tb.cycles(idle)
    closed, hit, conflict = found
    return hit, closed, conflict


def expect_latencies(tb: TB, of_dram: tuple[int, ...], of_nvm: tuple[int, ...], factor: int = 1) -> None:
    config, ours, theirs = tb.config, clocks(tb), dram(tb)
    later = -(-factor * ours["read_latency"] // config.phases)
    assert of_nvm[0] - of_dram[0] == later, f"a read of an open row comes {of_nvm[0] - of_dram[0]} cycles later"
    for number, times in ((1, ("tRCD",)), (2, ("tRCD", "tRP"))):
        exact = factor * sum(ours[name] - theirs[name] for name in times) / config.phases + later
        found = of_nvm[number] - of_dram[number]
        assert abs(found - exact) <= len(times), f"{times} make a read {found} cycles later, not {exact}"


@test()
async def reads_take_as_much_longer_as_the_medium_does(tb: TB):
    fault(tb)
    await program(tb, read_latency=clocks(tb)["read_latency"])
    expect_latencies(tb, await latencies(tb, 0), await latencies(tb, tb.config.nvm_first_rank))


@test()
async def a_region_that_is_switched_off_is_dram(tb: TB):
    config = tb.config
    await tb.registers.write("nvm_bandwidth", 1 | 200 << 16)
    await program(tb, control=0, read_latency=100, write_latency=200)
    assert await latencies(tb, 0) == await latencies(tb, config.nvm_first_rank)
    tb.dfi.start()
    await traffic(tb, [0, 1], 300, writes=0.5)
    found = nearest(tb.dfi.commands, tb, config.nvm_first_rank)
    for name in ("tRCD", "tRP", "tWR"):
        assert found[name] < dram(tb)[name] + 2 * config.phases, f"{name}: {found[name]}"


@test(factor=[2, 4])
async def all_of_it_is_scaled(tb: TB, factor):
    """By the same factor as DRAM."""
    tb.dfi.start()
    await scale(tb, factor)
    hit, closed, conflict = await latencies(tb, 0)
    expect_latencies(tb, (hit, closed, conflict), await latencies(tb, tb.config.nvm_first_rank), factor)
    since = len(tb.dfi.commands)
    await traffic(tb, [0, 1], 100, writes=0.5)
    found = nearest(tb.dfi.commands[since:], tb, tb.config.nvm_first_rank)
    for name, least in clocks(tb).items():
        if name in ("tRCD", "tRP", "tRAS", "tRC", "write_latency"):
            assert found[name] >= factor * least, f"{name} is {found[name]} clocks, not {factor} times {least}"


@test(lines=[1, 3], writes=[False, True])
async def the_bandwidth_cap_holds(tb: TB, lines, writes):
    """To the line in the long run, whatever waits, and the rest of memory goes on beside it."""
    config = tb.config
    fault(tb)
    tb.dfi.start()
    cycles = 50 * lines
    tb.hang *= 4
    await program(tb, **dram(tb))
    await tb.registers.write("nvm_bandwidth", lines | cycles << 16)
    await tb.cycles(20)
    row = config.row_bytes // config.block_bytes
    count = 200 * config.line_bytes // config.block_bytes
    for number in range(count):
        line = tb.line(
            config.address(rank=1, bank=number // row % 4, row=1 + writes, offset=number % row * config.block_bytes)
        )
        await tb.port.room(20)
        if writes:
            tb.port.write(line, tb.bytes(line.length))
        else:
            tb.port.read(line, expect=None)
    await tb.answered()
    kind = Kind.WRITE if writes else Kind.READ
    went = [command.cycle for command in tb.dfi.of(kind, rank=config.nvm_first_rank)]
    went = went[10:-10]
    for first in range(len(went)):
        for last in range(first + 1, len(went)):
            allowed = (went[last] - went[first]) * lines / cycles + 4
            assert last - first + 1 <= allowed, f"{last - first + 1} lines in {went[last] - went[first]} cycles"
    pace = (went[-1] - went[0]) / (len(went) - 1)
    assert abs(pace - cycles / lines) < 0.4, f"a line in {pace} cycles, not in {cycles / lines}"


@test()
async def times_that_are_none_are_refused(tb: TB):
    registers = tb.registers

    async def refused(name: str, value: int, cause: int) -> None:
        before = await registers.read(name)
        assert await registers.try_write(name, value) == AxiResp.SLVERR, f"{name} took {value}"
        assert (await registers.read(name), await registers.read("error.cause")) == (before, cause)
        assert await registers.read("error.address") == registers.offset(name)
        await registers.write("error", 1)

    least = dram(tb)
    for name in TIMES:
        register = f"nvm_{name}"
        if least[name]:
            await refused(register, least[name] - 1, BELOW_MINIMUM)
        await registers.write(register, least[name])
        await refused(register, GREATEST + 1, ABOVE_MAXIMUM)
    await refused("nvm_control", 2, ABOVE_MAXIMUM)
    await refused("nvm_bandwidth", 1, BELOW_MINIMUM)
    await refused("nvm_bandwidth", 1 << 8 | 1 << 16, ABOVE_MAXIMUM)
    await refused("nvm_first_page", 0, READ_ONLY)
    await refused("nvm_refresh_exposed", 0, READ_ONLY)
    # two row cycles of the region must fit between two refreshes of its cells
    timing = tb.timing
    others = 2 * (sum(least[name] for name in least if name not in ("read_latency", "write_latency")) + timing["tFAW"])
    room = (timing["tREFI"] - timing["tRFC"] - timing["tZQCS"] - others) // 2
    for name in ("write_latency", "tRP", "tRAS", "tRC"):
        most = least[name] + room
        if most <= GREATEST:
            break
        await registers.write(f"nvm_{name}", GREATEST)
        room -= GREATEST - least[name]
    await refused(f"nvm_{name}", most + 1, RELATION)
    await registers.write(f"nvm_{name}", most)


@test()
async def refreshes_hide_behind_what_the_region_keeps_busy(tb: TB):
    """Cycles in which a refresh alone held an access back are few beside those that refreshes took."""
    config = tb.config
    tb.dfi.start()
    await tb.refreshed()
    since, exposed = tb.cycle, await tb.registers.read("nvm_refresh_exposed")
    intervals = 12
    while tb.cycle - since < intervals * tb.in_cycles(tb.timing["tREFI"]):
        await traffic(tb, [config.nvm_first_rank], 60, writes=0.7)
    exposed = await tb.registers.read("nvm_refresh_exposed") - exposed
    refreshes = tb.dfi.of(Kind.REFRESH, rank=config.nvm_first_rank, since=since)
    took = len(refreshes) * tb.in_cycles(tb.timing["tRFC"] + tb.timing["tRP"])
    cocotb.log.info("%d refreshes took %d cycles, of which %d were exposed", len(refreshes), took, exposed)
    assert len(refreshes) >= intervals - 9
    if not config.refreshed_together:
        assert exposed < took / 2, f"{exposed} of {took} cycles of refreshes were exposed"
