# SPDX-License-Identifier: Apache-2.0
"""A write that must not be done is answered SLVERR, leaves everything as it was, and is told in the error register."""

from cocotbext.axi.constants import AxiResp
from testbench import TB, test
from testbench.patterns import in_runs, often

SLVERR = AxiResp.SLVERR
UNALIGNED, ABSENT, READ_ONLY, BELOW_MINIMUM, ABOVE_MAXIMUM, RELATION = range(1, 7)

ROW_CYCLE = ("tRC", "tRAS", "tRCD", "tRP", "tFAW", "tWR", "tWTR_L", "tRTP")
LONGER_ONLY = (
    *("tRCD", "tRP", "tRAS", "tRC", "tRRD_S", "tRRD_L", "tFAW", "tCCD_S", "tCCD_L", "tWTR_S", "tWTR_L", "tRTP", "tWR"),
    *("tRTRS", "tRFC", "tZQCS"),
)


async def expect_refused(tb: TB, name: str, value: int, cause: int) -> None:
    """Writes a register, and finds it refused for that cause and unchanged."""
    registers = tb.registers
    before = await registers.read(name)
    assert await registers.try_write(name, value) == SLVERR, f"{name} = {value} was not refused"
    assert await registers.read(name) == before, f"{name} changed although {value} was refused"
    assert await registers.read("error.pending") == 1
    assert await registers.read("error.cause") == cause, f"{name} = {value}"
    assert await registers.read("error.address") == registers.offset(name)
    await registers.write("error", 1)
    assert await registers.read("error") == 0


@test()
async def a_timing_below_the_parts_minimum(tb: TB):
    for name in LONGER_ONLY:
        await expect_refused(tb, name, tb.timing[name] - 1, BELOW_MINIMUM)
        await expect_refused(tb, name, 0, BELOW_MINIMUM)


@test()
async def an_interval_above_the_parts_maximum(tb: TB):
    await expect_refused(tb, "tREFI", tb.timing["tREFI"] + 1, ABOVE_MAXIMUM)
    await expect_refused(tb, "tREFI", 0, BELOW_MINIMUM)
    interval = await tb.registers.read("zqInterval")
    await expect_refused(tb, "zqInterval", interval + 1, ABOVE_MAXIMUM)
    await expect_refused(tb, "zqInterval", 0, BELOW_MINIMUM)


@test()
async def an_interval_that_leaves_no_time_for_accesses(tb: TB):
    """tREFI must hold a refresh, a calibration and two row cycles; neither side may break that."""
    interval = tb.in_cycles(tb.timing["tREFI"]) * tb.config.phases // 4 + tb.config.phases
    await tb.registers.write("tREFI", interval)
    longest = interval - 2 * sum(tb.timing[name] for name in ROW_CYCLE) - tb.timing["tZQCS"]
    await expect_refused(tb, "tRFC", longest + 1, RELATION)
    await tb.registers.write("tRFC", longest)
    await expect_refused(tb, "tREFI", interval - 1, RELATION)


@test()
async def water_marks_out_of_order(tb: TB):
    queue = tb.config.write_queue
    await expect_refused(tb, "water_marks", 2 | 2 << 16, RELATION)
    await expect_refused(tb, "water_marks", 2 | 3 << 16, RELATION)
    await expect_refused(tb, "water_marks", 0, BELOW_MINIMUM)
    await expect_refused(tb, "water_marks", queue + 1, ABOVE_MAXIMUM)
    await expect_refused(tb, "water_marks", queue | queue << 16, ABOVE_MAXIMUM)
    await tb.registers.write("water_marks", queue | queue - 1 << 16)
    assert await tb.registers.read("water_marks") == queue | queue - 1 << 16


@test()
async def limits_of_policies(tb: TB):
    await expect_refused(tb, "age_limit", 15, BELOW_MINIMUM)
    await expect_refused(tb, "age_limit", 4096, ABOVE_MAXIMUM)
    await expect_refused(tb, "refresh_postpone", 0, BELOW_MINIMUM)
    await expect_refused(tb, "refresh_postpone", tb.config.most_postponed + 1, ABOVE_MAXIMUM)
    await expect_refused(tb, "drain_policy", 1 << (5 if tb.config.may_read_ahead else 4), ABOVE_MAXIMUM)
    await expect_refused(tb, "row_policy", 4, ABOVE_MAXIMUM)
    await expect_refused(tb, "row_timeout", 1, BELOW_MINIMUM)
    await expect_refused(tb, "row_timeout", 1024, ABOVE_MAXIMUM)


@test()
async def read_only_registers(tb: TB):
    for name in ("identity", "version", "features", "geometry", "memory_bytes_low", "ports", "channel.cycles_low"):
        value = await tb.registers.read(name)
        assert await tb.registers.try_write(name, value ^ 1) == SLVERR
        assert await tb.registers.read("error.cause") == READ_ONLY
        await tb.registers.write("error", 1)
        if name != "channel.cycles_low":
            assert await tb.registers.read(name) == value


@test()
async def absent_registers_can_be_neither_read_nor_written(tb: TB):
    registers = tb.registers
    used = {registers.offset(name) for name in registers.nodes}
    absent = [offset for offset in range(0, 0x10000, 4) if offset not in used]
    chosen = {absent[0], absent[-1], 0xFFC, 0x1FFC, 0xFFFC, *tb.random.sample(absent, 20)} & set(absent)
    for offset in sorted(chosen):
        assert await registers.read_at(offset) == (0, SLVERR), f"{offset:#x}"
        assert await registers.write_at(offset, 1) == SLVERR, f"{offset:#x}"
        assert await registers.read("error.cause") == ABSENT
        assert await registers.read("error.address") == offset
        await registers.write("error", 1)


@test()
async def every_register_can_be_read(tb: TB):
    for name in tb.registers.nodes:
        await tb.registers.read(name)


@test()
async def the_error_register_keeps_the_first_refusal(tb: TB):
    registers = tb.registers
    await registers.try_write("tRCD", 0)
    await registers.try_write("identity", 0)
    assert await registers.read("error.cause") == BELOW_MINIMUM
    assert await registers.read("error.address") == registers.offset("tRCD")
    await registers.write("error", 0)  # writing 0 does not clear
    assert await registers.read("error.pending") == 1
    await registers.write("error", 1)
    await registers.try_write("identity", 0)
    assert await registers.read("error.cause") == READ_ONLY


@test()
async def unaligned_addresses(tb: TB):
    registers = tb.registers
    offset = registers.offset("age_limit")
    for byte in (1, 2, 3):
        assert (await registers.axil.write(offset + byte, b"\x20")).resp == SLVERR
        assert await registers.read("error.cause") == UNALIGNED
        await registers.write("error", 1)
        assert (await registers.axil.read(offset + byte, 1)).resp == SLVERR
    assert await registers.read("age_limit") == tb.config.age_limit


@test()
async def bytes_without_a_strobe_stay(tb: TB):
    registers = tb.registers
    await registers.write("water_marks", tb.config.write_queue | 1 << 16)
    answer = await registers.axil.write(registers.offset("water_marks"), b"\x03")  # strobe 0b0001
    assert answer.resp == AxiResp.OKAY
    assert await registers.read("water_marks") == 3 | 1 << 16
    answer = await registers.axil.write(registers.offset("water_marks"), b"\x04\x00\x02")  # strobe 0b0111
    assert answer.resp == AxiResp.OKAY
    assert await registers.read("water_marks") == 4 | 2 << 16


@test()
async def answers_wait_for_a_slow_manager(tb: TB):
    """Every channel of the register port pauses as it likes."""
    axil = tb.registers.axil
    for channel in (axil.write_if.aw_channel, axil.write_if.b_channel, axil.read_if.r_channel):
        channel.set_pause_generator(in_runs(tb.random))
    for channel in (axil.write_if.w_channel, axil.read_if.ar_channel):
        channel.set_pause_generator(often(tb.random))
    for _ in range(40):
        limit = tb.random.randint(16, 4095)
        await tb.registers.write("age_limit", limit)
        assert await tb.registers.read("age_limit") == limit
    await expect_refused(tb, "age_limit", 3, BELOW_MINIMUM)
