# SPDX-License-Identifier: Apache-2.0
"""Random traffic on all ports at once, against the reference memory; COCOTB_RANDOM_SEED replays a run."""

import cocotb
from cocotb.triggers import gather
from testbench import TB, test
from testbench.maps import CHOOSABLE
from testbench.patterns import BACK_PRESSURE
from testbench.traffic import PROFILES, Traffic

ACCESSES = 400  # of all ports together, in each test


async def choose_policies(tb: TB) -> None:
    """Water marks, age limit, postponed refreshes, drain and row policy and address map by chance: half of the time
    those of the reset."""
    queue = tb.config.write_queue
    if tb.random.random() < 0.5:
        high = tb.random.randint(1, queue)
        await tb.registers.write("water_marks", high | tb.random.randrange(high) << 16)
        await tb.registers.write("age_limit", tb.random.choice((16, 40, 200, 4095)))
        await tb.registers.write("refresh_postpone", tb.random.randint(1, tb.config.most_postponed))
        await tb.registers.write("drain_policy", tb.random.randrange(32 if tb.config.may_read_ahead else 16))
        await tb.registers.write("row_policy", tb.random.randrange(4))
        await tb.registers.write("row_timeout", tb.random.choice((2, 20, 300)))
        if tb.config.programmable_map:
            await tb.registers.write("address_map", tb.random.randrange(len(CHOOSABLE)))
        if tb.config.nvm_medium:
            await tb.registers.write("nvm_control", tb.random.randrange(2))
            await tb.registers.write("nvm_read_latency", tb.random.choice((0, 1, 30, 200)))
            await tb.registers.write("nvm_write_latency", tb.random.choice((0, 1, 30, 200)))
            await tb.registers.write("nvm_bandwidth", tb.random.choice((0, 1, 5)) | tb.random.choice((1, 7, 50)) << 16)


@test(profile=list(PROFILES), pause=BACK_PRESSURE)
async def all_ports_at_once(tb: TB, profile, pause):
    await choose_policies(tb)
    tb.back_pressure(pause)
    # one for all ports, so that they meet at the same places
    traffic = Traffic(tb.config, PROFILES[profile], tb.random)
    outstanding = tb.random.choice((2, 16, 40))
    await gather(*(traffic.run(port, ACCESSES // len(tb.ports), outstanding) for port in tb.ports))
    await tb.answered()
    tb.back_pressure("never")
    await tb.quiet()
    for piece in traffic.pieces[:50]:
        tb.port.read(tb.line(piece))
    await tb.answered()
    assert tb.reference.reads > 0
    cocotb.log.info("%d reads checked", tb.reference.reads)
