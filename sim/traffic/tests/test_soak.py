# SPDX-License-Identifier: Apache-2.0
"""The soak: a million random bursts and more, every read checked and every DRAM command watched."""

import json

import pytest
from soak import CALIBRATED, DRAWN, HYBRID, ROOT, TESTED, Failed, moves, soak

SEEDS = (1, 2)
BURSTS = 126_000
# On each config that is drawn from a seed, whose queues are small.
DRAWN_BURSTS = 6_000
# In which ecp5-lite has refreshed often enough for a ZQ calibration, which comes once in 128 ms.
CALIBRATION_BURSTS = 400_000


def test_there_are_a_million_bursts():
    assert len(TESTED) * len(SEEDS) * BURSTS > 1_000_000


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("config", TESTED)
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


@pytest.mark.parametrize("config", CALIBRATED)
def test_soak_past_a_calibration(config):
    """The small controller, whose timings are constant, goes on past its first ZQ calibration."""
    timing, phases = (parameters(config)[key] for key in ("timing", "phy"))
    calibrates = timing["zqInterval"] * timing["tREFI"] // phases["phases"]
    assert soak(config, 1, CALIBRATION_BURSTS)["cycles"] > calibrates


def parameters(config):
    """What the generator wrote of a config."""
    return json.loads((ROOT / "build/hw" / config / "Weir.json").read_text())


@pytest.mark.parametrize("config", DRAWN)
def test_soak_of_odd_shapes(config):
    done = soak(config, 1, DRAWN_BURSTS)
    reads, writes = done["reads"]["count"], done["writes"]["count"]
    assert reads + writes > DRAWN_BURSTS
    assert min(reads, writes) > DRAWN_BURSTS // 8
    if done["moves"]:
        assert moves(done) > 20
        assert done["checked_cells"] > 100_000


def test_the_odd_shapes_are_odd():
    """Between them they have what no named config that is soaked has. If not, choose other seeds."""
    configs = [parameters(config) for config in DRAWN]

    def have(*path):
        found = set()
        for config in configs:
            for name in path:
                config = config.get(name, {})
            found.add(config if isinstance(config, str | int | bool) else None)
        return found

    assert have("channels") == {1, 2}
    assert have("phy", "phases") == {1, 2, 4}
    assert have("axi", "ports") == {1, 2, 3, 4}
    assert have("derived", "pseudoRanks") == {1, 2, 4}
    assert len(have("part")) == 5 and len(have("placement", "map")) == 4
    assert {True, False} == have("policies", "programmableTimings") == have("policies", "programmablePolicies")
    assert {True, False} == have("policies", "forwarding") == have("policies", "mayReadAhead")
    assert {True, False} == have("axi", "interleave") == have("pipeline", "request")
    assert len(have("policies", "refresh")) >= 4 and len(have("policies", "rowClosing", "policy")) == 4
    assert have("observation", "level") == {"none", "events", "all"}
    assert {bool(config.get("migration")) for config in configs} == {True, False}
    assert {config["axi"]["dataBits"] // 8 - config["geometry"]["dqBits"] > 0 for config in configs} == {True, False}
    # queues of no power of two, memory that is not aligned to its size, memory at the end of the addresses
    assert any(config["policies"]["readQueue"] & config["policies"]["readQueue"] - 1 for config in configs)
    bases = [
        (config["axi"]["base"], config["derived"]["memoryBytes"], config["axi"]["addressBits"]) for config in configs
    ]
    assert any(base % size for base, size, _ in bases)
    assert any(base + size == 1 << bits for base, size, bits in bases)
    assert any(base + size > 1 << 32 for base, size, _ in bases)


def test_a_fault_of_the_second_channel_is_found():
    two = [config for config in DRAWN if parameters(config)["channels"] == 2]
    with pytest.raises(Failed, match=rf"is 0x.*legal:(.|\n)*replay with: build/soak/{two[0]}/soak --seed 3 "):
        soak(two[0], 3, 20_000, fault=16)


@pytest.mark.parametrize("fault", [1, 2], ids=["read data inverted", "write byte masked"])
@pytest.mark.parametrize("config", ["soc-64", "test-wide-bus"])
def test_a_broken_data_path_is_found(config, fault):
    with pytest.raises(Failed, match=r"is 0x.*legal:(.|\n)*replay with: build/soak/.* --seed 3 "):
        soak(config, 3, 20_000, fault)


@pytest.mark.parametrize("config", HYBRID)
def test_lines_open_to_accesses_while_they_move_are_found(config):
    with pytest.raises(Failed, match=r"is 0x.*legal:(.|\n)*replay with: build/soak/.* --seed 3 "):
        soak(config, 3, 40_000, fault=8)


def test_one_seed_gives_one_run():
    first = soak("soc-64", 5, 5_000)
    assert soak("soc-64", 5, 5_000) == first
    assert soak("soc-64", 6, 5_000) != first
