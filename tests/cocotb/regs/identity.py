# SPDX-License-Identifier: Apache-2.0
"""What the registers tell of the build."""

from testbench import TB, test


@test()
async def it_says_that_it_is_weir(tb: TB):
    assert await tb.registers.read("identity") == int.from_bytes(b"WEIR", "big")
    assert await tb.registers.read("version") > 0


@test()
async def it_tells_the_shape_of_the_memory(tb: TB):
    config = tb.config
    expected = {
        "bus.channels": config.channels,
        "geometry.ranks": config.ranks,
        "geometry.bank_groups": config.bank_groups,
        "geometry.banks": config.banks,
        "geometry.row_bits": config.row_bits,
        "geometry.column_bits": config.column_bits,
        "bus.dq_bits": config.dq_bits,
        "bus.phases": config.phases,
        "bus.line_bytes": config.line_bytes,
        "memory_bytes_low": config.memory_bytes & 0xFFFFFFFF,
        "memory_bytes_high": config.memory_bytes >> 32,
        "base_low": config.base & 0xFFFFFFFF,
        "base_high": config.base >> 32,
        "clock.tCK": config.clock_ps,
        "latency.cl": config.cl,
        "latency.cwl": config.cwl,
    }
    for name, value in expected.items():
        assert await tb.registers.read(name) == value, name


@test()
async def it_tells_its_ports_and_queues(tb: TB):
    config = tb.config
    sources = config.ports << config.source_id_high - config.source_id_low + 1
    expected = {
        "ports.ports": config.ports,
        "ports.id_bits": config.id_bits,
        "ports.data_bits": 8 * config.data_bytes,
        "queues.read": config.read_queue,
        "queues.write": config.write_queue,
        "water_marks.high": config.high_water_mark,
        "water_marks.low": config.low_water_mark,
        "age_limit": config.age_limit,
        "refresh_postpone": config.refresh_postpone,
        "drain_policy": 0,
        "row_policy": 3,
        "features.programmable_timings": 1,
        "features.counters": 1,
        "features.counters_explain": 1,
        "features.programmable_map": config.programmable_map,
        "features.counter_bits": config.counter_bits,
        "features.pseudo_ranks": config.pseudo_ranks > 1,
        "features.pseudo_ranks_refresh_apart": config.refresh_groups > 1,
    }
    for name, value in expected.items():
        assert await tb.registers.read(name) == value, name
    assert await tb.registers.read("ports.sources") >= sources


@test()
async def timings_begin_as_the_datasheet_gives_them(tb: TB):
    for name, value in tb.timing.items():
        if name != "tREFI":
            assert await tb.registers.read(name) == value, name
    interval = await tb.registers.read("tREFI")  # a maximum: a little less is as good
    assert 0.99 * tb.timing["tREFI"] < interval <= tb.timing["tREFI"]
