# SPDX-License-Identifier: Apache-2.0
"""Several AXI4 ports beside each other."""

from cocotb.triggers import gather
from cocotbext.axi.constants import AxiResp
from testbench import TB, Fixed, Incr, test
from testbench.axi import AxiPort
from testbench.traffic import PROFILES, Traffic


@test()
async def each_port_has_its_own_traffic(tb: TB):
    await gather(*(Traffic(tb.config, PROFILES["spread"], tb.random).run(port, 80, 16) for port in tb.ports))
    await tb.answered()


@test()
async def a_port_sees_the_answered_writes_of_the_others(tb: TB):
    """A line goes round the ports; each reads what the one before has written, as soon as that was answered."""
    size = tb.config.data_bytes
    burst = tb.burst(tb.address(4 * size, align=size), 4)
    for step in range(60):
        writer, reader = (tb.ports[(step + n) % len(tb.ports)] for n in (0, 1))
        strobes = bytes(tb.random.random() < 0.7 for _ in range(burst.length)) if step % 3 else None
        await writer.write(burst, tb.bytes(burst.length), strobes)
        read = reader.read(burst)
        if step % 2:
            await read
    await tb.answered()


@test()
async def each_port_is_told_of_its_own_errors(tb: TB):
    """Addresses outside memory by each of their bits, and bursts that AXI4 forbids, at all ports at once."""
    config = tb.config
    size = config.data_bytes
    memory = range(config.base, config.base + config.memory_bytes)
    outside = [page for bit in range(12, config.address_bits) if (page := config.base ^ 1 << bit) not in memory]
    assert outside

    async def err(port: AxiPort) -> None:
        for page in outside:
            for burst in (Incr(page, 1, size), Incr(page, 256, 1)):
                port.read(burst, expect=AxiResp.DECERR)
                port.write(burst, tb.bytes(burst.length), expect=AxiResp.DECERR)
            for malformed in (Fixed(config.base, 17, 1), Incr(config.base, 1, 128)):
                if malformed.beats > 16 or size < 128:
                    port.read(malformed, expect=AxiResp.SLVERR)
                    port.write(malformed, tb.bytes(malformed.length), expect=AxiResp.SLVERR)
            await port.room(8)

    await gather(*(err(port) for port in tb.ports))
    await tb.answered()
    for port in tb.ports:
        await tb.write_and_read(tb.burst(tb.address(size, align=size)), port)


@test(busy=["reads", "writes"])
async def a_flooding_port_does_not_starve_another(tb: TB, busy):
    """Port 0 asks without pause; the last port's reads and writes, one at a time, go on."""
    size = tb.config.data_bytes
    over = False

    async def flood(port: AxiPort) -> None:
        while not over:
            burst = tb.burst(tb.address(8 * size, align=size), 8)
            if busy == "reads":
                port.read(burst)
            else:
                port.write(burst, tb.bytes(burst.length))
            await port.room(32)

    floods = [flood(port) for port in tb.ports[:-1]]

    async def visit() -> None:
        nonlocal over
        await tb.cycles(200)
        for _ in range(10):
            await tb.write_and_read(tb.burst(tb.address(size, align=size)), tb.ports[-1])
        over = True

    begun = tb.cycle
    await gather(visit(), *floods)
    # at worst each access waits for both queues to empty, row conflict by row conflict
    conflict = tb.in_cycles(tb.timing["tRC"] + tb.timing["tWR"])
    queues = (tb.config.read_queue + tb.config.write_queue) * conflict
    assert tb.cycle - begun < 200 + 20 * queues + 2 * tb.in_cycles(tb.timing["tRFC"])
    await tb.answered()
