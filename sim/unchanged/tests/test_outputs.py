# SPDX-License-Identifier: Apache-2.0
"""The numbers of outputs: equal for what means the same, unequal for one bit or one cycle. And what is told of them."""

import subprocess
import tomllib

import pytest
from unchanged import CONFIGS, RECORDED, ROOT, Failed, differences, outputs, printed

PROGRAM = ROOT / "build/unchanged/test/Voutputs_test"


@pytest.fixture(scope="module")
def numbers():
    return printed(subprocess.run([PROGRAM], capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize("alike", ["again", "address_of_nobody", "data_of_nobody"])
def test_what_the_dram_does_not_look_at_is_left_out(numbers, alike):
    assert numbers[alike] == numbers["same"]


@pytest.mark.parametrize("other", ["address_bit", "odt_late", "data_bit", "mask_bit"])
def test_a_bit_of_the_dfi_or_a_late_signal_is_another_number(numbers, other):
    assert numbers[other] != numbers["same"]


def test_a_payload_without_valid_is_left_out(numbers):
    assert numbers["axi_id_of_nobody"] == numbers["axi_same"]


@pytest.mark.parametrize("other", ["axi_data_bit", "axi_ready"])
def test_a_bit_of_an_axi_port_is_another_number(numbers, other):
    assert numbers[other] != numbers["axi_same"]


def test_each_bit_and_cycle_tells(numbers):
    """The six that differ from `same` and `axi_same` differ from each other too."""
    assert len(set(numbers.values())) == 2 + 6


NUMBERS = {"axi": "0" * 16, "dram": "1" * 16}


def test_equal_numbers_are_unchanged():
    assert differences(NUMBERS, dict(NUMBERS)) == "unchanged"


def test_what_differs_is_named():
    assert differences(NUMBERS, {**NUMBERS, "dram": "2" * 16}) == "changed: dram"


def test_a_channel_more_or_less_is_a_change():
    assert differences(NUMBERS, {**NUMBERS, "dram1": "2" * 16}) == "changed: dram1"
    assert differences(NUMBERS, {"axi": "0" * 16}) == "changed: dram"


def test_a_config_that_is_not_recorded_is_told():
    assert differences(None, NUMBERS) == "not recorded"


# a small config, of which the soak is quickly compiled
CONFIG = "test-1rank-1phase"


def test_a_run_has_numbers_that_its_seed_determines():
    first, again, other = (outputs(CONFIG, seed, 5000) for seed in (1, 1, 2))
    assert set(first) == {"axi", "dram"}
    assert first == again
    assert all(first[name] != other[name] for name in first)


def test_a_run_that_fails_has_no_numbers():
    with pytest.raises(Failed, match=r"replay with: .*--bursts -1"):
        outputs(CONFIG, 1, -1)


def test_what_is_recorded_is_of_the_listed_configs():
    recorded = tomllib.loads(RECORDED.read_text())
    assert tuple(recorded["outputs"]) == CONFIGS
    assert recorded["bursts"] >= 1_000_000
