# SPDX-License-Identifier: Apache-2.0
"""Order within an id, freedom between ids. The port checks the order within an id in every test."""

from testbench import TB, test
from testbench.axi import Read
from testbench.patterns import BACK_PRESSURE


async def open_rows(tb: TB, banks: tuple[int, ...], row: int) -> None:
    """Writes the first lines of a row of each bank, and leaves the rows open; no refresh is near."""
    addresses = [tb.config.address(bank=bank, row=row) for bank in banks]
    for address in addresses:
        await tb.fill(address, min(1024, tb.config.row_bytes))
    await tb.quiet()
    await tb.refreshed()
    for address in addresses:
        await tb.port.read(tb.line(address))


@test(pause=BACK_PRESSURE)
async def one_id_comes_in_order_over_hits_and_conflicts(tb: TB, pause):
    config = tb.config
    rows = [config.address(bank=bank, row=row) for bank in (0, 1) for row in (3, 4)]
    for row in rows:
        await tb.fill(row, 512)
    await tb.quiet()
    tb.back_pressure(pause)
    for _ in range(60):
        offset = tb.random.randrange(512 // config.line_bytes) * config.line_bytes
        tb.port.read(tb.line(tb.random.choice(rows) + offset, id=1))
        await tb.port.room(24)
    await tb.answered()


async def conflict_and_hit(tb: TB, hit_id: int) -> tuple[Read, Read]:
    """Reads another row of bank 0, under id 0, and then the open row of bank 1."""
    await open_rows(tb, (0, 1), 1)
    slow = tb.port.read(tb.line(tb.config.address(bank=0, row=2), id=0))
    fast = tb.port.read(tb.line(tb.config.address(bank=1, row=1), id=hit_id))
    await tb.answered()
    assert slow.begun < fast.begun
    return slow, fast


@test()
async def a_row_conflict_holds_back_a_hit_of_its_own_id(tb: TB):
    slow, fast = await conflict_and_hit(tb, hit_id=0)
    assert slow.ended < fast.ended


@test()
async def a_row_conflict_of_one_id_does_not_hold_back_another(tb: TB):
    slow, fast = await conflict_and_hit(tb, hit_id=1)
    assert fast.ended < slow.ended, "the hit waited for the conflict"
    conflict = tb.timing["tRP"] + tb.timing["tRCD"]
    assert slow.latency - fast.latency >= conflict // tb.config.phases - 2


@test()
async def a_queue_of_conflicts_of_one_id_does_not_hold_back_another(tb: TB):
    """Reads of many rows of one bank, of id 0, and after them hits of another bank, of id 1."""
    config = tb.config
    conflicts = min(10, config.reads_in_flight - 2)
    hits = min(4, config.reads_in_flight - conflicts)
    await open_rows(tb, (1,), 1)
    slow = [tb.port.read(tb.line(config.address(bank=0, row=10 + row), id=0)) for row in range(conflicts)]
    fast = [
        tb.port.read(tb.line(config.address(bank=1, row=1, offset=n * config.line_bytes), id=1)) for n in range(hits)
    ]
    await tb.answered()
    overtaken = sum(read.ended > fast[-1].ended for read in slow)
    expected = min(4, config.read_queue // 2, conflicts // 2)
    assert overtaken >= expected, f"the hits overtook only {overtaken} of {conflicts} conflicts"


@test()
async def beats_of_different_bursts_mix_only_where_they_may(tb: TB):
    """The port checks where they mix; here it must come to it: bursts of several blocks and ids, and R held up."""
    config = tb.config
    tb.back_pressure("answers")
    beats = min(4, config.reads_in_flight // 2) * config.block_bytes // config.data_bytes
    reads = []
    for number in range(60):
        address = config.address(bank=number % 3, row=tb.random.randrange(4))
        reads.append(tb.port.read(tb.burst(address, beats, id=number % (1 << config.id_bits))))
        await tb.port.room(16)
    await tb.answered()
    mixed = sum(one.first < other.first < one.ended for one in reads for other in reads)
    assert (mixed > 0) == config.interleave
