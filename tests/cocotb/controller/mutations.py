# SPDX-License-Identifier: Apache-2.0
"""Traffic on a design that a fault of bench.sv breaks: what watches it must end the test. test_cocotb.py expects so."""

import os

from testbench import TB, Incr, test
from testbench.placing import expect_at_its_place
from testbench.traffic import PROFILES, Traffic

# Faults by the bit of bench.sv's `fault`.
FAULTS = {
    "none": 0,
    "read_data": 1 << 0,
    "write_data": 1 << 1,
    "mask": 1 << 2,
    "lost_refresh": 1 << 3,
    "late_activate": 1 << 4,
    "lost_write": 1 << 5,
    "rid": 1 << 6,
    "rlast": 1 << 7,
    "bresp": 1 << 8,
    "unstable_r": 1 << 9,
    "falling_rvalid": 1 << 10,
    "unstable_b": 1 << 11,
    "falling_bvalid": 1 << 12,
    "unasked_b": 1 << 13,
    "unasked_r": 1 << 14,
    "answer_in_reset": 1 << 13,
    "second_channel": 1 << 15,
    "wrong_bank": 1 << 16,
    "wrong_source": 1 << 17,
    "refused_register": 1 << 18,
    "register_bit": 1 << 19,
    "two_policies": 1 << 20,
    "refresh_of_another_group": 1 << 21,
}


@test()
async def traffic_with_a_fault(tb: TB):
    fault = os.environ["WEIR_FAULT"]
    if fault == "answer_in_reset":
        tb.dut.reset.value = 1
        await tb.cycles(2)
    tb.dut.fault.value = FAULTS[fault]
    await tb.cycles(2)
    tb.back_pressure("answers")
    await Traffic(tb.config, PROFILES["rows"], tb.random).run(tb.port, 200, 8)
    await tb.answered()
    for _ in range(10):  # longer than nine tREFI
        await tb.cycles(tb.in_cycles(tb.timing["tREFI"]))
        await tb.port.read(Incr(tb.config.base, 1, 1))
    await expect_at_its_place(tb, tb.address(1))
