# SPDX-License-Identifier: Apache-2.0
"""The soak: a million random bursts and more over the configs, every read checked and every DRAM command watched."""

import pytest
from soak import CONFIGS, HYBRID, Failed, moves, soak

SEEDS = (1, 2)
BURSTS = 80_000


def test_there_are_a_million_bursts():
    assert len(CONFIGS) * len(SEEDS) * BURSTS > 1_000_000


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("config", CONFIGS)
def test_soak(config, seed):
    # A failure's message ends with the command that replays it.
    done = soak(config, seed, BURSTS)
    # What is read back between the stretches comes on top.
    reads, writes = done["reads"]["count"], done["writes"]["count"]
    assert reads + writes > BURSTS
    assert min(reads, writes) > BURSTS // 8
    if config in HYBRID:
        assert moves(done) > 200
        assert done["moves"]["refused"] > 20
        assert done["moves"]["flushes"] > 10
        assert done["checked_cells"] > 1_000_000


@pytest.mark.parametrize("fault", [1, 2], ids=["read data inverted", "write byte masked"])
@pytest.mark.parametrize("config", ["soc-64", "test-wide-bus"])
def test_a_broken_data_path_is_found(config, fault):
    with pytest.raises(Failed, match=r"is 0x.*legal:(.|\n)*replay with: build/soak/.* --seed 3 "):
        soak(config, 3, 20_000, fault)


@pytest.mark.parametrize("config", HYBRID)
def test_lines_open_to_accesses_while_they_move_are_found(config):
    with pytest.raises(Failed, match=r"is 0x.*legal:(.|\n)*replay with: build/soak/.* --seed 3 "):
        soak(config, 3, 40_000, fault=8)


def test_writes_that_keep_their_turn_are_found():
    with pytest.raises(Failed, match=r"(hangs|starves): no handshake(.|\n)*replay with: build/soak/.* --seed 3 "):
        soak("test-migration", 3, 40_000, fault=16)


def test_one_seed_gives_one_run():
    first = soak("soc-64", 5, 5_000)
    assert soak("soc-64", 5, 5_000) == first
    assert soak("soc-64", 6, 5_000) != first
