# SPDX-License-Identifier: Apache-2.0
"""What `make hybrid` does around the simulator. The runs check themselves: a wrong word is a failed run."""

import random
import struct
import subprocess

import hybrid
import hybrid_memory
import power_cut
import pytest
from conftest import ROOT

WORKLOAD = ROOT / "sw" / "firmware" / "policies" / "workload.h"


def test_tags_are_those_of_the_firmware(tmp_path):
    program = tmp_path / "tags.c"
    program.write_text(
        f'#include "{WORKLOAD}"\n#include <stdio.h>\n'
        "int main(void) { for (uint32_t s = 0; s < SUPERPAGES; ++s) for (uint32_t p = 0; p < 512; ++p)"
        " for (uint32_t l = 0; l < LINES_PER_PAGE; ++l) {"
        " const uint64_t word = (uint64_t)workload_tag(s, p, l) << 32; fwrite(&word, 8, 1, stdout); } }\n"
    )
    subprocess.run(["gcc", "-O1", "-o", tmp_path / "tags", program], check=True)
    words = subprocess.run([tmp_path / "tags"], check=True, capture_output=True).stdout
    assert words == struct.pack(f"<{len(words) // 8}Q", *hybrid_memory.tags())
    assert len(set(hybrid_memory.tags())) == len(words) // 8


def test_the_model_has_every_line_where_its_own_order_has_it():
    """Row, rank, bank, column against rank, row, bank, column, field by field."""
    for _ in range(1000):
        rank, row, bank, byte = (random.randrange(n) for n in (2, 1 << 14, 8, 8192))
        place = ((rank * (1 << 14) + row) * 8 + bank) * 8192 + byte
        assert hybrid_memory.model_address(place) == ((row * 2 + rank) * 8 + bank) * 8192 + byte


def test_the_image_holds_the_program_and_both_workloads():
    content, address = hybrid_memory.image(b"\x13\x05" * 40)
    begin = hybrid_memory.model_address(hybrid_memory.FIRMWARE)
    assert address == hybrid_memory.MAIN_RAM + begin and content[:80] == b"\x13\x05" * 40
    words = list(hybrid_memory.tags())
    for number in (0, 1, 1023, 1024, 70000, len(words) - 1):
        for workload in (hybrid_memory.WORKLOAD_IN_DRAM, hybrid_memory.WORKLOAD_IN_NVM):
            at = hybrid_memory.model_address(workload + 64 * number) - begin
            assert struct.unpack_from("<Q", content, at)[0] == words[number]


def test_a_program_that_does_not_lie_together_is_refused():
    with pytest.raises(ValueError, match="65537 bytes: must be at most 65536"):
        hybrid_memory.image(bytes(65537))


@pytest.fixture(scope="module")
def memory():
    """From the first byte on; with one page in DRAM, whose entry names the frame 32768."""
    content, address = hybrid_memory.image(b"\x13\x05" * 40)
    found = bytearray(bytes(address - hybrid_memory.MAIN_RAM) + content)
    struct.pack_into(
        "<Q", found, hybrid_memory.model_address(hybrid_memory.POINTERS + 8 * (64 * 256 + 77)), 1 << 63 | 32768
    )
    struct.pack_into("<Q", found, hybrid_memory.model_address(hybrid_memory.POINTERS + 8 * (64 * 256 + 78)), 32769)
    return bytes(found)


def test_a_cut_leaves_nvm_and_noise(memory):
    cut = hybrid_memory.after_cut(memory, b"program!", random.Random(1))
    assert len(cut) == len(memory)
    row = 64 << 10
    for at in range(0, len(cut), row):
        assert (cut[at : at + row] == memory[at : at + row]) == (at // row % 2 == 1), at
    at = hybrid_memory.model_address(hybrid_memory.FIRMWARE)
    assert cut[at : at + 8] == b"program!"


def test_valid_entries_of_the_table_are_found(memory):
    assert hybrid_memory.pointers(memory) == {64 * 256 + 77: 32768}


def test_lines_that_do_not_name_themselves_are_counted(memory):
    assert hybrid_memory.lost_lines(memory) == 0
    assert hybrid_memory.lost_lines(hybrid_memory.without_a_page(memory)) == 64
    at = hybrid_memory.model_address(hybrid_memory.WORKLOAD_IN_NVM + 64 * 100000)
    other = memory[:at] + b"\x01\x02\x03\x04" + memory[at + 4 :]  # a sum: any is a line's own
    assert hybrid_memory.lost_lines(other) == 0
    assert hybrid_memory.lost_lines(other[: at + 63] + b"\x01" + other[at + 64 :]) == 1
    assert hybrid_memory.with_homes_of(other, memory) == memory


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({}, None),
        ({"wrong_words": 3}, "3 words are older"),
        ({"pages_in_dram": 2}, "1 entries, of which the firmware found 2"),
        ({"bad_entries": 1}, "1 entries, of which"),
    ],
)
def test_a_cut_is_judged(memory, change, complaint):
    row = {"wrong_words": 0, "bad_entries": 0, "pages_in_dram": 1, **change}
    found = power_cut.judge(row, memory, {})
    assert found == [] if complaint is None else complaint in found[0]
    assert "left 1 entries" in power_cut.judge(row, memory, {5: 6})[-1]


def test_times_are_told_as_multiples_of_those_of_dram():
    rows = hybrid.policy_rows([{"policy": "all_dram", "cycles": 200}, {"policy": "all_nvm", "cycles": 310}])
    assert [row["of_all_dram"] for row in rows] == [1.0, 1.55]
    assert "of_all_dram" not in hybrid.policy_rows([{"policy": "all_nvm", "cycles": 310}])[0]


def test_a_script_has_a_number_for_each_option():
    options = hybrid.parse(["soc", "--hot-share", "0.9", "--pointers", "home", "--seed", "7"])
    assert hybrid.script("utility_pages", options).split() == [
        *("3", "0", str(options.time_scale), str(options.accesses), str(options.hot_pages), "115", "32"),
        *(str(options.frames), str(options.interval), "7", "0"),
    ]
