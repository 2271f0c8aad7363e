# SPDX-License-Identifier: Apache-2.0
"""What is read from csr.json, and what is said of one that does not describe a SoC that the guest runs on."""

import json

import pytest
import soc_description
from description import FINISHER, HYBRID, UART, WEIR_2, changed


@pytest.fixture
def load(tmp_path):
    def load(description):
        path = tmp_path / "csr.json"
        path.write_text(description if isinstance(description, str) else json.dumps(description))
        return soc_description.load(path)

    return load


def test_a_soc_is_read(load):
    soc = load(WEIR_2)
    assert (soc.harts, soc.clock_hz, soc.uart, soc.uart_interrupt) == (2, 200_000_000, UART, 2)
    assert (soc.main_ram.base, soc.main_ram.size) == (0x8000_0000, 0x8000_0000)
    assert (soc.memory_controller.base, soc.memory_controller.size) == (0x2000_0000, 0x1_0000)
    assert soc.csr["finisher_exit_code"] == FINISHER


def test_ranks_are_ranges_where_the_soc_says_how_large_they_are(load):
    assert load(WEIR_2).ranks == (soc_description.Region(0x8000_0000, 0x8000_0000),)
    halves = load(changed("constants.weir_rank_bytes", 1 << 30)).ranks
    assert [(rank.base, rank.size) for rank in halves] == [(0x8000_0000, 1 << 30), (0xC000_0000, 1 << 30)]


def test_nvm_is_the_end_of_memory(load):
    assert load(WEIR_2).nvm is None
    assert load(HYBRID).nvm == soc_description.Region(0xC000_0000, 1 << 30)


def test_the_interrupt_is_that_of_weir(load):
    assert load(WEIR_2).memory_interrupt is None
    assert load(HYBRID).memory_interrupt == 5
    assert load(changed("constants.sdram_interrupt", 5, "memories.weir", None)).memory_interrupt is None


def test_a_soc_with_another_memory_controller_has_none_of_weirs_registers(load):
    assert load(changed("memories.weir", None)).memory_controller is None


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("csr_bases.uart", None, "csr_bases.uart is missing"),
        ("constants.uart_interrupt", None, "constants.uart_interrupt is missing"),
        ("memories.plic", None, "memories.plic.base is missing"),
        ("memories.main_ram", None, "memories.main_ram.base is missing"),
        ("constants.config_clock_frequency", "fast", "'fast', not a number"),
        ("memories.clint.base", -1, "-1, not a number"),
        ("constants.config_cpu_count", 3, "config_cpu_count is 3"),
        ("constants.config_csr_data_width", 8, "config_csr_data_width is 8"),
        ("constants.config_cpu_type_rocket", None, "not Rocket's"),
        ("constants", [1], "config_cpu_type_rocket"),
        ("constants.weir_rank_bytes", 0, "weir_rank_bytes is 0x0"),
        ("constants.weir_rank_bytes", 3 << 28, "must be whole ranks"),
        ("constants.weir_rank_bytes", "1G", "'1G', not a number"),
        ("constants.weir_nvm_bytes", 0, "weir_nvm_bytes is 0x0; it must be whole ranks"),
        ("constants.weir_nvm_bytes", 1 << 30, "weir_nvm_bytes is 0x40000000; it must be whole ranks"),
        ("constants.weir_nvm_bytes", 2 << 30, "not all of main_ram"),
    ],
)
def test_what_is_wrong_is_named(load, path, value, said):
    with pytest.raises(soc_description.DescriptionError, match=said):
        load(changed(path, value))


@pytest.mark.parametrize("content", ["", "{", "[]", "7"])
def test_what_is_no_description_is_refused(load, content):
    with pytest.raises(soc_description.DescriptionError, match=r"csr\.json"):
        load(content)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(soc_description.DescriptionError, match=r"none\.json: No such file"):
        soc_description.load(tmp_path / "none.json")
