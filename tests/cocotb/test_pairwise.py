# SPDX-License-Identifier: Apache-2.0
"""Policies in combination: every two values of what software may set meet in some combination, on every config, under
traffic (controller/pairwise.py). Fields, values and limits are those of the config's register map, so that what is new
there is among them by itself.

pytest tests/cocotb/test_pairwise.py -k test-ddr4      on one config
COCOTB_RANDOM_SEED=7 pytest tests/cocotb               another seed; a failure tells the one it had

build/cocotb/runs/*-pairwise-*/combinations.json are the combinations by their numbers.
"""

import re
import sys
from functools import cache
from types import SimpleNamespace

import matrix
import pytest
import simulate
from combinations import Combination, can_stand_together, of_policies, pairs, pairwise, wanted
from testbench.policies import Field, Policies

TRAFFIC = "policies_change_under_traffic"
RESETS = "resets_in_the_middle_of_bursts_end_policies"
# Configs whose timings are combined too, and those that are reset.
TIMINGS = ("test-4rank-2phase", "test-ddr4")
# Those whose registers change over time.
WALKS = ("test-4rank-2phase", "test-ddr4", *matrix.HYBRID)
RESET = ("test-1rank-1phase", "test-4rank-2phase", matrix.TWO)
# What `make test` runs of these; `make cocotb-long` runs the others.
USUAL = {"policies": ("test-4rank-2phase", matrix.TWO), "walk": ("test-ddr4", "test-hybrid"), "reset": (matrix.TWO,)}


def each(configs: tuple[str, ...], usual: tuple[str, ...]):
    """A config for each of a test's runs, marked `long` where it is not a usual one."""
    return pytest.mark.parametrize(
        "config",
        [pytest.param(config, marks=matrix.long_unless(config in usual)) for config in configs],
    )


@cache
def policies(config: str) -> Policies:
    return Policies.load(simulate.hardware(config) / "Weir.rdl")


@cache
def rows(config: str, timings: bool) -> list[Combination]:
    return of_policies(policies(config), timings)


def refreshes(config: str, row: Combination) -> str:
    """The name of the refresh policy, where there is a choice."""
    field = policies(config).fields.get("refresh_policy.value")
    return next((name for name, code in field.names if code == row["refresh_policy.value"]), "") if field else ""


def dram_features(config: str, row: Combination) -> str:
    """What the DRAM must be under these policies (sim/dram/README.md, "Features")."""
    features = []
    if row.get("time_scale.slow_memory") and row["time_scale.factor"] > 1:
        features.append(f"time_scale={row['time_scale.factor']}")
    if refreshes(config, row) == "none":
        features.append("refresh=none")
    elif parts := row.get("refresh_granularity.value"):
        features.append(f"fine_refresh={1 << parts},on_the_fly")
        # a config that may have no refresh may have shorter ones than the part's too
        if "none" in dict(policies(config).fields["refresh_policy.value"].names):
            features.append("optimistic_trfc")
    return ",".join(features)


def fixed(features: str) -> list[str]:
    """What is set before traffic begins: the address map, and what these features are of."""
    names = ["address_map.map"]
    if "time_scale" in features:
        names += ["time_scale.factor", "time_scale.slow_memory"]
    # a DRAM without refreshes knows of no parts of them, and what is fixed must stand together with every combination
    names.append("refresh_policy.value" if "refresh=none" in features else "refresh_granularity.value")
    return names


def survives_reset(config: str, row: Combination) -> bool:
    """Whether the DRAM takes the policies after reset: one that is slower or unrefreshed does not."""
    return not row.get("time_scale.slow_memory") and refreshes(config, row) != "none"


def run(config: str, test: str, chosen: list[Combination], fault: str = "none") -> dict[str, tuple[Combination, str]]:
    """Runs a test with combinations, in one simulation for each DRAM that they ask for.

    Returns:
        the combination and the message of each test that failed
    """
    groups: dict[str, list[Combination]] = {}
    for row in chosen:
        groups.setdefault(dram_features(config, row), []).append(row)
    failures = {}
    for features, group in groups.items():
        combinations = {"fixed": fixed(features), "rows": group}
        result = simulate.run_combinations(config, test, combinations, features, fault)
        for number, row in enumerate(group):
            name = f"{test}/number={number}"
            message = result.tests.get(name, "did not end")
            if message is not None:
                text = f"{message}; {result.log} ends:\n{result.tail()}"
                failures[" ".join(filter(None, (features, name)))] = (row, text)
    return failures


def expect_none(failures: dict[str, tuple[Combination, str]]) -> None:
    shown = [f"{name}, {row}: {message}" for name, (row, message) in list(failures.items())[:3]]
    if failures:
        pytest.fail("\n".join([f"COCOTB_RANDOM_SEED={simulate.SEED}: {len(failures)} failed", *shown]), pytrace=False)


@each(matrix.CONFIGS, USUAL["policies"])
def test_policies_change_under_traffic(config):
    expect_none(run(config, TRAFFIC, rows(config, config in TIMINGS)))


@each(RESET, USUAL["reset"])
def test_resets_in_the_middle_of_bursts_end_policies(config):
    expect_none(run(config, RESETS, [row for row in rows(config, False) if survives_reset(config, row)]))


def walk(config: str, test: str, fault: str = "none") -> simulate.Result:
    """Registers change one by one and over time, with a DRAM that can do the config's finest parts of refreshes."""
    finest = policies(config).fields["refresh_granularity.value"].maximum
    features = dram_features(config, policies(config).resets | {"refresh_granularity.value": finest})
    return simulate.run(config, "controller.register_walk", [test], features, WEIR_FAULT=fault)


@each(WALKS, USUAL["walk"])
def test_memory_never_freezes(config):
    result = walk(config, "memory_never_freezes")
    failures = [f"{case}: {message}" for case, message in result.tests.items() if message is not None]
    if failures or not result.tests:
        pytest.fail("\n".join([*failures, f"COCOTB_RANDOM_SEED={simulate.SEED}", result.tail()]), pytrace=False)


# ---- What must not pass

FAULTY = "test-ddr4"
# For each fault the test that finds it, and how it complains. A few combinations are enough.
COMPLAINTS = {
    "refused_register": (TRAFFIC, r"AssertionError: \w+ took 0x"),
    "register_bit": (RESETS, r"AssertionError: \w+ is 0x\w+, not 0x"),
    "lost_write": (TRAFFIC, r"was read as 0x.."),
}


@pytest.mark.parametrize("fault", COMPLAINTS)
def test_fault_is_found(fault):
    test, complaint = COMPLAINTS[fault]
    failures = run(FAULTY, test, rows(FAULTY, False)[:2], fault)
    assert failures, f"{test} passed in spite of the fault {fault}"
    assert re.search(complaint, "\n".join(message for _, message in failures.values()))


def test_a_bucket_that_fills_without_a_cap_is_found():
    result = walk("test-hybrid", "memory_never_freezes/number=0", "full_bucket")
    assert result.tests and all("frozen: " in (message or "") for message in result.tests.values()), result.tail()


def test_fault_of_two_policies_together_is_found_where_they_meet():
    ages = [row for row in rows(FAULTY, False) if row["age_limit.value"] == 4095]
    postponing = [row for row in rows(FAULTY, False) if row["refresh_postpone.value"] == 1]
    both = [row for row in ages if row in postponing]
    # in two simulations: one register is written before the other, and from one to the other they would meet
    for one in (ages, postponing):
        expect_none(run(FAULTY, TRAFFIC, [row for row in one if row not in both][:4], "two_policies"))
    # of traffic that reads again what it has written, of which there is little where the time is scaled
    much = {"traffic": "rows", "time_scale.factor": 1}
    failures = run(FAULTY, TRAFFIC, [row | much for row in both[:1]], "two_policies")
    assert failures, "nothing was found although the policies met"
    assert all("was read as 0x" in message for _, message in failures.values())


# ---- The combinations themselves


@pytest.mark.parametrize("config", matrix.CONFIGS)
def test_all_pairs_are_there_and_can_be_set(config):
    all_of = policies(config)
    timings = config in TIMINGS
    found = rows(config, timings)
    resets = all_of.resets
    fields = [name for name, field in all_of.fields.items() if timings or not field.timing]
    expected = wanted({name: all_of.values(name) for name in fields}, lambda part: can_stand_together(all_of, part))
    assert len(expected) > 100
    assert not expected.difference(*map(pairs, found))
    for row in found:
        values = {name: row[name] for name in resets}
        for name, field in all_of.fields.items():
            assert field.minimum <= row[name] <= field.maximum, name
        assert all(relation.holds(values) for relation in all_of.relations), row


def test_pairs_that_exclude_each_other_do_not_hide_others():
    dimensions = {"a": [0, 1, 2], "b": [0, 1, 2], "c": [0, 1]}

    def possible(part: Combination) -> bool:
        return part.get("a", 0) <= part.get("b", 2)

    found = pairwise(dimensions, possible)
    assert all(row["a"] <= row["b"] for row in found)
    assert len(wanted(dimensions, possible)) == 6 + 6 + 6
    assert not wanted(dimensions, possible).difference(*map(pairs, found))
    # none of them is there for nothing
    for row in found:
        rest = [each for each in found if each is not row]
        assert wanted(dimensions, possible).difference(*map(pairs, rest)) or row == found[0]


def test_what_the_dram_must_be(monkeypatch):
    names = (("defer_until_empty", 0), ("fine_granularity", 1), ("none", 2))
    choice = Field("refresh_policy", "value", False, 0, 2, 0, 0, 2, names)
    known = SimpleNamespace(fields={"refresh_policy.value": choice})
    monkeypatch.setattr(sys.modules[__name__], "policies", lambda config: known)
    plain = {"refresh_policy.value": 1, "refresh_granularity.value": 0, "time_scale.factor": 4}
    slow = plain | {"time_scale.slow_memory": 1}
    assert dram_features("any", plain) == ""
    assert dram_features("any", slow) == "time_scale=4"
    assert dram_features("any", slow | {"refresh_policy.value": 2}) == "time_scale=4,refresh=none"
    assert dram_features("any", plain | {"refresh_granularity.value": 2}) == "fine_refresh=4,on_the_fly,optimistic_trfc"
    assert survives_reset("any", plain)
    assert not survives_reset("any", slow) and not survives_reset("any", plain | {"refresh_policy.value": 2})
    assert "refresh_policy.value" in fixed("refresh=none") and "time_scale.factor" in fixed("time_scale=4")
    assert "refresh_granularity.value" in fixed("fine_refresh=4,on_the_fly")
    assert "refresh_granularity.value" not in fixed("refresh=none")
