# SPDX-License-Identifier: Apache-2.0
"""The generated register map as its users see it: SystemRDL, C header and Python package.

Offsets are written down here as software was promised them; reset values are compared with the config's parameters.
`make build` generates what is read here.
"""

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
from places import compiled
from systemrdl import RDLCompileError
from systemrdl.node import AddrmapNode, FieldNode, RegNode

ROOT = Path(__file__).resolve().parents[2]
HW = ROOT / "build" / "hw"

OFFSETS = {
    "identity": 0x000,
    "version": 0x004,
    "features": 0x008,
    "error": 0x00C,
    "geometry": 0x010,
    "bus": 0x014,
    "memory_bytes_low": 0x018,
    "memory_bytes_high": 0x01C,
    "base_low": 0x020,
    "base_high": 0x024,
    "ports": 0x028,
    "queues": 0x02C,
    "clock": 0x030,
    "latency": 0x034,
    "tRCD": 0x040,
    "tRP": 0x044,
    "tRAS": 0x048,
    "tRC": 0x04C,
    "tRRD_S": 0x050,
    "tRRD_L": 0x054,
    "tFAW": 0x058,
    "tCCD_S": 0x05C,
    "tCCD_L": 0x060,
    "tWTR_S": 0x064,
    "tWTR_L": 0x068,
    "tRTP": 0x06C,
    "tWR": 0x070,
    "tRTRS": 0x074,
    "tRFC": 0x078,
    "tREFI": 0x07C,
    "tZQCS": 0x080,
    "zqInterval": 0x084,
    "water_marks": 0x0C0,
    "age_limit": 0x0C4,
    "refresh_postpone": 0x0C8,
    "refresh_policy": 0x0CC,
    "refresh_pull_in": 0x0D0,
    "refresh_idle": 0x0D4,
    "refresh_granularity": 0x0D8,
    "refresh_drain_ahead": 0x0DC,
    "drain_policy": 0x0E0,
    "row_policy": 0x0E4,
    "row_timeout": 0x0E8,
}
SCALE_OFFSETS = {"time_scale": 0x0EC}
COUNTER_OFFSETS = {
    "counters_latch": 0x100,
    "counters_status": 0x104,
    "counters_of_channel": 0x400,
    "counters_of_rank": 0x404,
    "counters_of_source": 0x408,
    "counters_of_source_rank": 0x40C,
    "counters_of_read_latency": 0x410,
}
COUNTERS = {
    "channel": (0x1000, 0x100, {(): 0}, 3, []),
    "rank": (0x2000, 0x100, {(rank,): rank for rank in range(2)}, 13, [10]),
    "source": (0x3000, 0x40, {(source,): source for source in range(4)}, 2, []),
    "source_rank": (
        0x8000,
        0x100,
        {(source, rank): 2 * source + rank for source in range(4) for rank in (0, 1)},
        15,
        [],
    ),
    "read_latency": (0x4000, 8, {(s, bucket): 12 * s + bucket for s in range(4) for bucket in range(12)}, 1, []),
}
"""Of each group of soc-64's counters: offset, bytes of a place, places by what they are of, how many numbers there are
at least, and those of them that no counter has any more."""
# soc-64 has a rank bit and three bank bits, and 2 GiB: the masks need one word each
MAP_OFFSETS = {
    "address_map": 0x180,
    "mask_rank0_low": 0x190,
    "mask_bank0_low": 0x1B0,
    "mask_bank1_low": 0x1B8,
    "mask_bank2_low": 0x1C0,
}
MAPS = {
    "row_rank_bank_column": 0,
    "non_interleaved": 1,
    "channel_interleaved": 2,
    "bank_interleaved": 3,
    "bank_xor": 4,
    "programmable": 5,
    "rank_row_bank_column": 6,
}
INTERVALS = ["tREFI", "zqInterval"]


@pytest.fixture(scope="module")
def soc() -> AddrmapNode:
    """A config with programmable timings and counters, two ranks and four sources."""
    return compiled(HW / "soc-64" / "Weir.rdl")


@pytest.fixture(scope="module")
def events() -> AddrmapNode:
    """A config with counters of events alone."""
    return compiled(HW / "features-events" / "Weir.rdl")


@pytest.fixture(scope="module")
def lite() -> AddrmapNode:
    """A config with frozen timings and without counters."""
    return compiled(HW / "ecp5-lite" / "Weir.rdl")


def parameters(config: str) -> dict:
    return json.loads((HW / config / "Weir.json").read_text())


def registers(top: AddrmapNode) -> dict[str, RegNode]:
    """The registers that stand in the map itself, by name."""
    return {node.inst_name: node for node in top.registers()}


def field(register: RegNode, name: str) -> FieldNode:
    return next(node for node in register.fields() if node.inst_name == name)


def test_compiler_refuses_a_broken_map(tmp_path: Path) -> None:
    broken = tmp_path / "Weir.rdl"
    text = (HW / "soc-64" / "Weir.rdl").read_text()
    assert text.count("tRP @ 0x044") == 1
    broken.write_text(text.replace("tRP @ 0x044", "tRP @ 0x040"))
    with pytest.raises(RDLCompileError):
        compiled(broken)


def test_offsets(soc: AddrmapNode, lite: AddrmapNode) -> None:
    assert {
        name: node.address_offset for name, node in registers(soc).items()
    } == OFFSETS | SCALE_OFFSETS | COUNTER_OFFSETS | MAP_OFFSETS
    assert {name: node.address_offset for name, node in registers(lite).items()} == OFFSETS


def test_relations_are_a_property(soc: AddrmapNode) -> None:
    marks, interval = soc.get_property("weir_relations")[:2]
    assert marks == "water_marks.low + 1 <= water_marks.high"
    assert interval.startswith("tRFC.value + tZQCS.value + 2 tRC.value + ")
    assert interval.endswith(" <= tREFI.value")


def test_time_scale(soc: AddrmapNode) -> None:
    scale = registers(soc)["time_scale"]
    fields = {
        node.inst_name: (
            node.low,
            node.width,
            *map(node.get_property, ("reset", "weir_minimum", "weir_maximum")),
        )
        for node in scale.fields()
    }
    assert fields == {"factor": (0, 7, 1, 1, 64), "slow_memory": (8, 1, 0, 0, 1)}
    in_real_time = soc.get_property("weir_relations")[2]
    assert in_real_time.startswith("tRFC.value + tZQCS.value + time_scale.factor (2 tRC.value + ")
    assert in_real_time.endswith(") <= tREFI.value where time_scale.slow_memory = 0")


def test_map_fits_its_page(soc: AddrmapNode) -> None:
    assert soc.total_size <= 0x10000


@pytest.mark.parametrize("config", ["soc-64", "ecp5-lite"])
def test_timings_reset_to_the_preset(config: str) -> None:
    timing = parameters(config)["timing"]
    regs = registers(compiled(HW / config / "Weir.rdl"))
    for name in [name for name in OFFSETS if name.startswith("t") or name == "zqInterval"]:
        assert field(regs[name], "value").get_property("reset") == timing[name], name


def test_timings_may_only_get_safer(soc: AddrmapNode) -> None:
    timing = parameters("soc-64")["timing"]
    for name, node in registers(soc).items():
        if name not in timing:
            continue
        value = field(node, "value")
        assert value.is_sw_writable and value.is_sw_readable
        minimum, maximum = value.get_property("weir_minimum"), value.get_property("weir_maximum")
        if name in INTERVALS:
            # 8 refreshes owed and 8 due in two tREFI of the part make JEDEC's 16, so a quarter is the least interval
            least = math.ceil(timing[name] / 4) if name == "tREFI" else 1
            assert (minimum, maximum) == (least, timing[name]), name
        else:
            assert (minimum, maximum) == (timing[name], 2**value.width - 1), name


def test_frozen_timings_are_read_only(lite: AddrmapNode) -> None:
    for name in parameters("ecp5-lite")["timing"].keys() & OFFSETS.keys():
        assert not field(registers(lite)[name], "value").is_sw_writable, name


def test_geometry(soc: AddrmapNode) -> None:
    geometry = registers(soc)["geometry"]
    expected = parameters("soc-64")["geometry"]
    for name, key in {
        "ranks": "ranks",
        "bank_groups": "bankGroups",
        "row_bits": "rowBits",
        "column_bits": "columnBits",
    }.items():
        assert field(geometry, name).get_property("reset") == expected[key]
    assert field(geometry, "banks").get_property("reset") == expected["bankGroups"] * expected["banksPerGroup"]


def test_error_causes_have_names(soc: AddrmapNode) -> None:
    encode = field(registers(soc)["error"], "cause").get_property("encode")
    assert {member.name: member.value for member in encode} == {
        "none": 0,
        "unaligned": 1,
        "absent": 2,
        "read_only": 3,
        "below_minimum": 4,
        "above_maximum": 5,
        "relation": 6,
        "not_one_to_one": 7,
        "unnamed": 8,
    }


def test_address_maps_have_names(soc: AddrmapNode) -> None:
    chosen = field(registers(soc)["address_map"], "map")
    assert chosen.is_sw_writable and chosen.get_property("weir_maximum") == 6
    assert {member.name: member.value for member in chosen.get_property("encode")} == MAPS


# Codes that software knows. One never gets another meaning: what is added takes a new one.
REFRESH_POLICIES = {"defer_until_empty": 0, "elastic": 1, "staggered": 2, "simultaneous": 3}
FINE_POLICIES = {"fine": 4, "adaptive": 5}
IDEAL_POLICIES = {"pausing": 6, "none": 7}


@pytest.mark.parametrize(
    ("config", "policies"),
    [
        ("soc-64", REFRESH_POLICIES),
        ("ecp5-lite", REFRESH_POLICIES),
        ("test-ddr4", REFRESH_POLICIES | FINE_POLICIES),
        ("test-4rank-2phase", REFRESH_POLICIES | FINE_POLICIES | IDEAL_POLICIES),
    ],
)
def test_policies_keep_their_codes(config: str, policies: dict[str, int]) -> None:
    all_of = registers(compiled(HW / config / "Weir.rdl"))
    rows = {"open": 0, "closed": 1, "timeout": 2, "adaptive": 3}
    for register, expected in (("refresh_policy", policies), ("row_policy", rows)):
        value = field(all_of[register], "value")
        assert {member.name: member.value for member in value.get_property("encode")} == expected
        if value.is_sw_writable:
            limits = value.get_property("weir_minimum"), value.get_property("weir_maximum")
            assert limits == (min(expected.values()), max(expected.values()))


def test_masks_of_the_map_begin_as_the_preset_and_hold_a_lines_address_bits(soc: AddrmapNode) -> None:
    # lines of 64 bytes, rows of 8 KiB, then three bank bits, the row, and the rank
    for name, bit in {"mask_bank0_low": 13, "mask_bank1_low": 14, "mask_bank2_low": 15, "mask_rank0_low": 30}.items():
        mask = field(registers(soc)[name], "mask")
        assert (mask.low, mask.high) == (6, 30)
        assert mask.get_property("reset") << 6 == 1 << bit


def test_the_map_in_force_is_shown_bit_by_bit(soc: AddrmapNode) -> None:
    """At offsets that are the same in every config."""
    assert {
        name.get_rel_path(soc): name.absolute_address
        for name in soc.descendants(unroll=True)
        if isinstance(name, RegNode) and 0x200 <= name.absolute_address < 0x400
    } == {
        f"map_{part}[{bit}].mask_{half}": 0x200 + 8 * (first + bit) + 4 * (half == "high")
        for part, first, bits in (("rank", 1, 1), ("bank", 5, 3), ("column", 9, 10), ("row", 20, 14))
        for bit in range(bits)
        for half in ("low", "high")
    }


def test_counters_are_pairs_of_words_at_the_place_of_their_number(soc: AddrmapNode) -> None:
    at = {
        node.get_rel_path(soc): node.absolute_address
        for node in soc.descendants(unroll=True)
        if isinstance(node, RegNode)
    }
    counters = {name: offset for name, offset in at.items() if offset >= 0x1000}
    expected = set()
    for group, (first, spacing, places, numbers, gone) in COUNTERS.items():
        mask = field(registers(soc)[f"counters_of_{group}"], "present").get_property("reset")
        assert mask % (1 << numbers) == sum(1 << number for number in range(numbers) if number not in gone), group
        present = {number for number in range(32) if mask >> number & 1}
        for indices, place in places.items():
            prefix = group + "".join(f"[{index}]" for index in indices) + "."
            words = {first + spacing * place + 8 * number for number in present}
            assert {
                offset for name, offset in counters.items() if name.startswith(prefix) and name.endswith("_low")
            } == words
            expected |= words
    for name, offset in counters.items():
        if name.endswith("_low"):
            assert counters[name.removesuffix("_low") + "_high"] == offset + 4
    assert set(counters.values()) == expected | {offset + 4 for offset in expected}


def test_a_config_may_count_events_alone(events: AddrmapNode) -> None:
    names = {node.get_rel_path(events) for node in events.descendants(unroll=True) if isinstance(node, RegNode)}
    assert "source_rank[0][0].read_hits_low" in names
    assert not any("stalls" in name or "latency[" in name or "delay" in name for name in names)
    for group, present in {"rank": 0x1F, "source_rank": 0x3F, "read_latency": 0}.items():
        assert field(registers(events)[f"counters_of_{group}"], "present").get_property("reset") == present
    assert field(registers(events)["features"], "counters").get_property("reset") == 1
    assert field(registers(events)["features"], "counters_explain").get_property("reset") == 0


def test_no_counters_where_the_config_has_none(lite: AddrmapNode) -> None:
    assert lite.total_size <= 0x100


@pytest.mark.parametrize(
    ("config", "ranks", "banks", "pseudo", "apart"),
    [("soc-64", 2, 8, 0, 0), ("test-2pseudo", 2, 4, 1, 0), ("test-4pseudo", 4, 4, 1, 1)],
)
def test_what_ranks_are_can_be_seen(config: str, ranks: int, banks: int, pseudo: int, apart: int) -> None:
    all_of = registers(compiled(HW / config / "Weir.rdl"))
    assert field(all_of["geometry"], "ranks").get_property("reset") == ranks
    assert field(all_of["geometry"], "banks").get_property("reset") == banks
    assert field(all_of["features"], "pseudo_ranks").get_property("reset") == pseudo
    assert field(all_of["features"], "pseudo_ranks_refresh_apart").get_property("reset") == apart


def test_every_field_is_described(soc: AddrmapNode) -> None:
    for node in soc.descendants():
        if isinstance(node, RegNode):
            assert node.get_property("desc"), node.get_path()
            for part in node.fields():
                assert part.get_property("desc"), part.get_path()


def test_c_header(soc: AddrmapNode, tmp_path: Path) -> None:
    """The header compiles without a warning, and its offsets are the map's."""
    checks = [
        f'_Static_assert(offsetof(weir_t, {name}) == {node.address_offset}, "{name}");'
        for name, node in registers(soc).items()
    ]
    checks.append('_Static_assert(offsetof(weir_t, source_rank[3][1].write_conflicts_high) == 0x872c, "last");')
    checks.append('_Static_assert(WEIR__IDENTITY__MAGIC_reset == 0x57454952, "magic");')
    source = tmp_path / "check.c"
    source.write_text("\n".join(["#include <stddef.h>", '#include "weir.h"', *checks, ""]))
    command = ["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", str(HW / "soc-64"), str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_python_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python package reads and writes words at the map's offsets."""
    monkeypatch.syspath_prepend(str(HW / "soc-64" / "python"))
    for name in [name for name in sys.modules if name == "weir" or name.startswith("weir.")]:
        monkeypatch.delitem(sys.modules, name)
    from weir.lib import NormalCallbackSet
    from weir.reg_model import RegModel

    memory = {OFFSETS["tREFI"]: 6240, 0x1000: 7}
    model = RegModel(
        callbacks=NormalCallbackSet(
            read_callback=lambda addr, width, accesswidth: memory.get(addr, 0),
            write_callback=lambda addr, width, accesswidth, data: memory.update({addr: data}),
        )
    )
    assert model.tREFI.value.read() == 6240
    model.tREFI.value.write(6000)
    assert memory[OFFSETS["tREFI"]] == 6000
    assert model.channel.cycles_low.value.read() == 7
    assert model.source_rank[3, 1].write_conflicts_high.address == 0x872C
    assert model.tREFI.value.udp["weir_maximum"] == 6240
