# SPDX-License-Identifier: Apache-2.0
"""What `make hybrid` does around the simulator. The runs check themselves: a wrong word is a failed run."""

import struct
import subprocess

import hybrid
import hybrid_memory
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


def test_the_images_are_the_program_and_both_workloads(tmp_path):
    images = {address: file.read_bytes() for file, address in hybrid_memory.write_images(b"\x13\x05" * 40, tmp_path)}
    assert images.pop(0x8020_0000) == b"\x13\x05" * 40
    assert sorted(images) == [0x8400_0000, 0xC400_0000]
    words = list(hybrid_memory.tags())
    for content in images.values():
        assert len(content) == 64 * len(words)
        for number in (0, 1, 1023, 1024, 70000, len(words) - 1):
            assert struct.unpack_from("<Q", content, 64 * number)[0] == words[number]


def test_times_are_told_as_multiples_of_those_of_dram():
    rows = hybrid.policy_rows([{"policy": "all_dram", "cycles": 200}, {"policy": "all_nvm", "cycles": 310}])
    assert [row["of_all_dram"] for row in rows] == [1.0, 1.55]
    assert "of_all_dram" not in hybrid.policy_rows([{"policy": "all_nvm", "cycles": 310}])[0]


def test_a_script_has_a_number_for_each_option():
    options = hybrid.parse(["soc", "--hot-share", "0.9", "--pointers", "home", "--seed", "7"])
    assert hybrid.script("utility_pages", options).split() == [
        *("3", "0", str(options.time_scale), str(options.accesses), str(options.hot_pages), "115", "32"),
        *(str(options.frames), str(options.interval), "7"),
    ]
