# SPDX-License-Identifier: Apache-2.0
"""The patches with Weir's drivers: their style, and that registers and counters are where the hardware has them.

`make guest` unpacks and patches the kernel that is looked at here.
"""

import re
import subprocess
import tomllib

import pytest
import weir_registers as registers
from weir_registers import ROOT

PATCHES = sorted((ROOT / "sw" / "linux-patches" / "6.12" / "driver").glob("*.patch"))
KERNEL = ROOT / "build" / "guest" / "kernel-source"
HEADER = KERNEL / "include" / "soc" / "weir" / "weir.h"
RAINBOW_HEADER = KERNEL / "drivers" / "memory" / "weir-rainbow" / "registers.h"
COUNTERS = KERNEL / "drivers" / "perf" / "weir_pmu_counters.h"


def checkpatch(patch):
    """What Linux's checker finds in a patch; nothing in one that is right."""
    command = ["scripts/checkpatch.pl", "--strict", "--terse", "--no-summary", "--color=never", str(patch)]
    done = subprocess.run(command, cwd=KERNEL, capture_output=True, text=True, check=False)
    # it asks for a Python module for the licence lines, and goes on without
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: patch.name[:4])
def test_patches_are_in_the_style_of_linux(patch):
    assert checkpatch(patch) == ""


def test_the_style_check_finds_what_is_wrong(tmp_path):
    text = next(patch for patch in PATCHES if "+++ b/drivers/memory/weir.c" in patch.read_text()).read_text()
    broken = tmp_path / "broken.patch"
    broken.write_text(text.replace("+\tif (!weir)\n", "+\tif(weir == NULL)\n", 1))
    assert "space required before the open parenthesis" in checkpatch(broken)


# ---- registers

CONSTANTS = {"REGISTER_BYTES", "MAGIC", "MAP_END", "PMU_DEVICE", "RAINBOW_DEVICE", "RANKS_MAX", "POINTER_VALID"}
"""Defines of the headers that are no registers and no fields, as those of causes."""

CHOICES = r"CAUSE_\w+|MOVE_(?:COMMAND|RESULT)_\w+|HOT_INDEX_STORE_\w+"
"""Names of values of fields."""


def header_defines(text):
    """({name: offset}, {name: mask}) of the registers and fields that a header has as WEIR_NAME."""
    offsets, masks = {}, {}
    for name, value in re.findall(r"^#define WEIR_(\w+)\s+(\S.*)$", text, re.MULTILINE):
        if name in CONSTANTS or re.fullmatch(CHOICES, name):
            continue
        if bit := re.fullmatch(r"BIT\((\d+)\)", value):
            masks[name] = 1 << int(bit[1])
        elif bits := re.fullmatch(r"GENMASK\((\d+), (\d+)\)", value):
            masks[name] = (2 << int(bits[1])) - (1 << int(bits[2]))
        else:
            offsets[name] = int(value, 0)
    return offsets, masks


def differences(text, weir):
    """What a header has otherwise than the register map, as (name, in the header, in the map)."""
    offsets, masks = header_defines(text)
    expected = {re.sub(r"\[0\]\.mask_low$", "", name).upper(): each.offset for name, each in weir.items()}
    # what soc-64 does not have, at the offsets that software was promised
    promised = (ROOT / "docs" / "address-maps.md").read_text()
    for offset, part in re.findall(r"^\| 0x(\w+) \| `(map_\w+)\[i\]", promised, re.MULTILINE):
        expected.setdefault(part.upper(), int(offset, 16))
    fields = {f"{name}_{field}".upper(): where for name, each in weir.items() for field, where in each.fields.items()}
    found = [(name, offset, expected.get(name)) for name, offset in offsets.items() if offset != expected.get(name)]
    for name, mask in masks.items():
        low, bits = fields.get(name, (0, 0))
        # water marks have as many bits as the queue needs, eight at most; the header is for all configs
        right = (1 << bits) - 1 << low
        if not (mask == right or (name.startswith("WATER_MARKS_") and bits and mask == 0xFF << low)):
            found.append((name, mask, right))
    return found


@pytest.fixture(scope="module")
def weir():
    """The registers of a config with an NVM region, and what only others have."""
    return {**registers.read(), **registers.read(registers.HYBRID_RDL)}


@pytest.mark.parametrize("header", [HEADER, RAINBOW_HEADER], ids=lambda header: header.name)
def test_registers_are_where_the_hardware_has_them(weir, header):
    text = header.read_text()
    assert len(header_defines(text)[0]) > 30
    assert differences(text, weir) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("WEIR_HOT_SLOT\t\t\t\t0x368", "WEIR_HOT_SLOT\t\t\t\t0x36c"),
        ("WEIR_REMAP_CONTROL_POINTERS\t\tBIT(4)", "WEIR_REMAP_CONTROL_POINTERS\t\tBIT(1)"),
        ("WEIR_ROW_TIMEOUT\t\t\t0x0e8", "WEIR_ROW_TIMEOUT\t\t\t0x0e4"),
        ("WEIR_BUS_PHASES\t\t\t\tGENMASK(11, 8)", "WEIR_BUS_PHASES\t\t\t\tGENMASK(12, 8)"),
        ("WEIR_MAP_ROW\t\t\t\t0x2a0", "WEIR_MAP_ROW\t\t\t\t0x2a8"),
        ("WEIR_LATENCY_CL\t", "WEIR_LATENCY_CAS\t"),
    ],
)
def test_a_register_elsewhere_is_found(weir, old, new):
    text = HEADER.read_text() + RAINBOW_HEADER.read_text()
    assert old in text
    assert len(differences(text.replace(old, new), weir)) == 1


def test_causes_and_magic_are_those_of_the_hardware(weir):
    text = HEADER.read_text()
    causes = dict(re.findall(r"#define WEIR_CAUSE_(\w+)\s+(\d+)", text))
    scala = (ROOT / "hw" / "src" / "weir" / "registers" / "WriteError.scala").read_text()
    # the enumeration of the hardware counts from 0
    names = re.search(r"val (none, .*) = Value", scala)[1].split(", ")
    assert {name: int(number) for name, number in causes.items()} == {
        re.sub(r"([A-Z])", r"_\1", name).upper(): number for number, name in enumerate(names)
    }
    assert int(re.search(r"WEIR_MAGIC\s+(\S+)", text)[1], 0) == weir["identity"].reset


# ---- counters

PRINT_COUNTERS = ROOT / "sw/guest/kernel/tests/host/print_counters.c"

PLACES = {
    "channel": "channel.{name}_low",
    "rank": "rank[{rank}].{name}_low",
    "source": "source[{hart}].{name}_low",
    "source_rank": "source_rank[{hart}][{rank}].{name}_low",
    "read_latency": "read_latency[{hart}][{bucket}].bursts_low",
}


def counter_offsets(folder, header):
    """{name in the register map: offset} by the driver's arithmetic."""
    program = folder / "counters"
    subprocess.run(["gcc", f'-DCOUNTERS="{header}"', PRINT_COUNTERS, "-o", program], check=True)
    offsets = {}
    for line in subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines():
        group, name, hart, rank, bucket, offset = line.split()
        offsets[PLACES[group].format(name=name, hart=hart, rank=rank, bucket=bucket)] = int(offset)
    return offsets


def hardware_counters(weir):
    return {name: each.offset for name, each in weir.items() if each.offset >= 0x1000 and name.endswith("_low")}


def test_counters_are_where_the_hardware_has_them(tmp_path, weir):
    """One that the driver has no name for, as it is new, is none of these, and can be had by its number."""
    named, there = counter_offsets(tmp_path, COUNTERS), hardware_counters(weir)
    assert named == {name: there.get(name) for name in named}
    released = tomllib.loads((ROOT / "tests" / "regs" / "released.toml").read_text())["words"]
    prefixes = {re.sub(r"\[\d+\]", "", name).removesuffix("_low") for name in there}
    assert {re.sub(r"\[\d+\]", "", name).removesuffix("_low") for name in named} == prefixes & released.keys()


@pytest.mark.parametrize(
    ("old", "new"),
    [('\t[4] = "drains",\n', ""), ('[4] = "drains"', '[14] = "drains"'), ("0x8000, 0x100 }", "0x8000, 0x80 }")],
)
def test_a_counter_that_is_missing_or_elsewhere_is_found(tmp_path, weir, old, new):
    header = tmp_path / "other.h"
    text = COUNTERS.read_text()
    assert old in text
    header.write_text(text.replace(old, new))
    assert counter_offsets(tmp_path, header) != hardware_counters(weir)
