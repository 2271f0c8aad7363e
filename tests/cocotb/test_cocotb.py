# SPDX-License-Identifier: Apache-2.0
"""Runs the cocotb tests: each of matrix.py's as a pytest of its own, and the faults that must make them fail.

pytest tests/cocotb -k 'test-ddr4 and hazards'         some of them
COCOTB_RANDOM_SEED=7 pytest tests/cocotb               another seed; a failure tells the one it had
WAVES=1 pytest tests/cocotb -k ...                     with build/cocotb/runs/*/dump.vcd
"""

import re

import matrix
import pytest
import simulate
from configs import listed

# What ends the test of each fault, and thereby shows that it is watched.
COMPLAINTS = {
    "read_data": r"was read as 0x..",
    "write_data": r"was read as 0x..",
    "mask": r"was read as 0x..",
    "lost_write": r"was read as 0x..",
    "lost_refresh": r"tREFI|REFRESH_POSTPONED",
    "late_activate": r"tRCD",
    # or R for another read that is under way
    "rid": r"R for no read|RLAST is . on beat|was read as 0x..",
    "rlast": r"RLAST is 1 on beat",
    "bresp": r"was answered SLVERR, not OKAY",
    "unstable_r": r"AXI rule: R changed before RREADY",
    "falling_rvalid": r"AXI rule: RVALID fell",
    "unstable_b": r"AXI rule: B changed before BREADY",
    "falling_bvalid": r"AXI rule: BVALID fell",
    "unasked_b": r"AXI rule: BVALID before",
    "unasked_r": r"AXI rule: RVALID before",
    "answer_in_reset": r"AXI rule: BVALID or RVALID in reset",
    "wrong_bank": r"was read by",
    "second_channel": r"was read as 0x..",
    "refresh_of_another_group": r"breaks (tRFC|REFRESH_BANK_OPEN)",
}


@pytest.fixture(scope="session")
def simulation(request):
    """Runs all chosen tests of a config and a DRAM in one simulation, once, and gives what came of a module's."""
    results: dict[tuple[str, str], dict[str, simulate.Result]] = {}
    chosen: dict[tuple[str, str], dict[str, list[str]]] = {}
    for item in request.session.items:
        if cell := getattr(item, "callspec", None) and item.callspec.params.get("cell"):
            config, module, features, test = cell
            chosen.setdefault((config, features), {}).setdefault(module, []).append(test)

    def run(config: str, module: str, features: str) -> simulate.Result:
        place = (config, features)
        if place not in results:
            results[place] = simulate.run_modules(config, chosen[place], features)
        return results[place][module]

    return run


def test_every_module_is_among_the_usual_runs():
    modules = matrix.MODULES.items()
    assert [name for name, configs in modules if not any(matrix.is_usual(config, name) for config in configs)] == []


def test_every_config_of_a_module_is_listed_and_every_listed_one_has_modules():
    assert {config for configs in matrix.MODULES.values() for config in configs} == set(listed("COCOTB_CONFIGS"))


@pytest.mark.parametrize(
    "cell",
    [pytest.param(cell, marks=matrix.long_unless(matrix.is_usual(*cell[:2]))) for cell in matrix.cells()],
    ids=lambda cell: "-".join(filter(None, cell)),
)
def test_cocotb(cell, simulation):
    *place, name = cell
    result = simulation(*place)
    outcomes = {case: message for case, message in result.tests.items() if re.fullmatch(rf"{name}(/.*)?", case)}
    failures = [f"{case}: {message}" for case, message in outcomes.items() if message is not None]
    if failures or not outcomes:
        pytest.fail(
            "\n".join([*failures, f"COCOTB_RANDOM_SEED={simulate.SEED}, {result.log} ends:", result.tail()]),
            pytrace=False,
        )


# All faults are tried on one config, but for those that it cannot have.
FAULTY = {"second_channel": "test-2channel", "refresh_of_another_group": "test-4pseudo"}


@pytest.mark.parametrize("config", ["test-ddr4", *FAULTY.values()])
def test_traffic_without_a_fault_passes(config):
    result = simulate.run_with_fault(config, "none")
    assert result.tests == {"traffic_with_a_fault": None}, result.tail()


@pytest.mark.parametrize("fault", COMPLAINTS)
def test_fault_is_found(fault):
    result = simulate.run_with_fault(FAULTY.get(fault, "test-ddr4"), fault)
    assert None not in result.tests.values(), f"traffic passed in spite of the fault {fault}"
    assert re.search(COMPLAINTS[fault], result.log.read_text(errors="replace")), result.tail()


# What the counters say in spite of what happens.
MISCOUNTS = {
    "lost_refresh": r"rank\[\d\]\.refreshes is \d+, but \d+ were seen",
    "wrong_source": r"source_rank\[\d\]\[\d\]\.read_\w+ is \d+, but \d+ were seen",
}


@pytest.mark.parametrize("fault", MISCOUNTS)
def test_miscount_is_found(fault):
    result = simulate.recount_with_fault("test-ddr4", fault)
    assert None not in result.tests.values(), f"the counters agree in spite of the fault {fault}"
    assert re.search(MISCOUNTS[fault], result.log.read_text(errors="replace")), result.tail()


def test_a_dram_that_asks_for_more_finds_what_its_part_allows():
    result = simulate.run(
        "test-1rank-1phase",
        "channel.refresh",
        ["an_idle_rank_is_refreshed_once_in_each_interval"],
        "extended_temperature",
    )
    assert None not in result.tests.values(), "tREFI of 7.8 us passed at extended temperature"
    assert re.search("breaks (tREFI|REFRESH_POSTPONED)", result.log.read_text(errors="replace")), result.tail()


# Refreshes that are not what the DRAM asks for: config, module, test, features of the DRAM, complaint.
MISMATCHES = {
    "halves taken for quarters": (
        "test-ddr4",
        "channel.refresh_in_halves",
        "policies_change_at_any_time",
        "fine_refresh=4,on_the_fly",
        "REFRESH_GROUP",
    ),
    "quarters taken for halves": (
        "test-ddr4",
        "channel.refresh_in_quarters",
        "fine_refreshes_come_four_times_as_often_and_in_turn",
        "fine_refresh=2,on_the_fly",
        "tRFC",
    ),
    "groups of four banks taken for groups of eight": (
        "test-4pseudo",
        "channel.pseudo_ranks",
        "real_parts_refresh_all_at_once_and_others_one_by_one",
        "refresh_groups=2",
        # its precharge closes banks that are in use, or leaves some open
        "(tRAS|tRTP|tWR|tRP|REFRESH_BANK_OPEN)",
    ),
    "no refresh of a DRAM that needs it": (
        "test-4rank-2phase",
        "channel.refresh_none",
        "nothing_is_refreshed",
        "",
        "(tREFI|REFRESH_POSTPONED)",
    ),
    "refresh of a DRAM that needs none": (
        "test-4rank-2phase",
        "channel.refresh_policies",
        "staggered_refreshes_come_when_due_under_load",
        "refresh=none",
        "REFRESH_UNNEEDED",
    ),
}


@pytest.mark.parametrize("mismatch", MISMATCHES)
def test_a_refresh_that_is_not_the_drams_is_found(mismatch):
    config, module, name, features, rule = MISMATCHES[mismatch]
    result = simulate.run(config, module, [name], features)
    assert None not in result.tests.values(), f"passed: {mismatch}"
    assert re.search(f"breaks {rule}", result.log.read_text(errors="replace")), result.tail()


def test_a_limit_that_a_policy_misses_is_found():
    name = "a_rank_that_ran_ahead_is_refreshed_in_time_by_another_policy"
    result = simulate.run("test-ddr4", "channel.refresh_limit", [name], WEIR_FAULT="unforced")
    assert None not in result.tests.values(), "passed although no policy was overruled"
    assert re.search("breaks (tREFI|REFRESH_POSTPONED)", result.log.read_text(errors="replace")), result.tail()


def test_a_set_of_banks_that_has_a_second_turn_is_found():
    name = "a_set_has_no_second_refresh_before_all_others_had_one"
    result = simulate.run("test-ddr5-sets", "channel.same_bank_refresh", [name], WEIR_FAULT="second_turn")
    assert None not in result.tests.values(), "passed although no set was known to have had its refresh"
    assert re.search("breaks REFRESH_SET", result.log.read_text(errors="replace")), result.tail()


# What a time scale must not leave out: config, module, test, features of the DRAM, what testbench/scaling.py breaks
# or a factor that is not the DRAM's, complaint.
UNSCALED = {
    "a distance of a bank": (
        "test-ddr4",
        "channel.slow_memory",
        "traffic_keeps_the_rules",
        "time_scale=4",
        {"WEIR_FAULT": "constraint.activateToRead"},
        "breaks tRCD",
    ),
    "a distance of the bus": (
        "test-ddr4",
        "channel.slow_memory",
        "traffic_keeps_the_rules",
        "time_scale=4",
        {"WEIR_FAULT": "constraint.readToWriteRank"},
        "breaks (DATA_BUS|tRTRS)",
    ),
    "the delay of reads": (
        "test-ddr4",
        "channel.time_scale",
        "idle_reads_take_factor_times_as_long",
        "",
        {"WEIR_FAULT": "delay.delay"},
        "a hit takes 11 cycles at 2, 11 at 1",
    ),
    "the delay of forwarded reads": (
        "test-ddr4",
        "channel.time_scale",
        "reads_answered_from_the_write_queue_are_held_back_as_those_of_open_rows",
        "",
        {"WEIR_FAULT": "delay.delay"},
        "AssertionError",
    ),
    "a slower DRAM": (
        "test-1rank-1phase",
        "channel.slow_memory",
        "traffic_keeps_the_rules",
        "time_scale=4",
        {"WEIR_FACTOR": "3"},
        "breaks t",
    ),
    "refreshes of a faster DRAM": (
        "test-1rank-1phase",
        "channel.slow_memory",
        "refreshes_are_as_many_times_as_rare",
        "time_scale=1",
        {"WEIR_FACTOR": "16"},
        "breaks (tREFI|REFRESH_POSTPONED)",
    ),
}


@pytest.mark.parametrize("what", UNSCALED)
def test_what_is_not_scaled_as_the_rest_is_found(what):
    config, module, name, features, environment, complaint = UNSCALED[what]
    result = simulate.run(config, module, [name], features, **environment)
    assert None not in result.tests.values(), f"passed without: {what}"
    assert re.search(complaint, result.log.read_text(errors="replace")), result.tail()


# Of the NVM region what must not be left out: config, test, what testbench/nvm.py breaks, complaint.
NOT_OF_THE_MEDIUM = {
    "the time of an activate": (
        "test-hybrid",
        "each_rank_keeps_the_distances_of_its_class",
        "constraint.emulatedActivateToRead",
        r"rank 1: tRCD is \d+ clocks, not 45",
    ),
    "the time of a write": (
        "test-hybrid-x16",
        "each_rank_keeps_the_distances_of_its_class",
        "constraint.emulatedWriteToPrecharge",
        r"rank 1: tWR is \d+ clocks, not 25",
    ),
    "a cycle of the latency of reads": (
        "test-hybrid",
        "reads_take_as_much_longer_as_the_medium_does",
        "delay.delay",
        r"a read of an open row comes \d+ cycles later",
    ),
    "a cycle of the bandwidth cap": (
        "test-hybrid",
        "the_bandwidth_cap_holds/lines=1",
        "cap.cost",
        r"a line in \d+|\d+ lines in",
    ),
}


@pytest.mark.parametrize(
    "what",
    [
        pytest.param(what, marks=matrix.long_unless(matrix.is_usual(config, "media.nvm_region")))
        for what, (config, *_) in NOT_OF_THE_MEDIUM.items()
    ],
)
def test_what_the_nvm_region_leaves_out_is_found(what):
    config, name, fault, complaint = NOT_OF_THE_MEDIUM[what]
    result = simulate.run(config, "media.nvm_region", [name], WEIR_FAULT=fault)
    assert None not in result.tests.values(), f"passed without: {what}"
    assert re.search(complaint, result.log.read_text(errors="replace")), result.tail()


# Where the caches of remapping and the tables in memory are not what the tests take them to be: test, fault, complaint.
MISPLACED = {
    "a pointer that changed in memory": (
        "each_access_goes_where_its_page_is/pointers=table",
        "stale_pointer",
        r"page \d+: read \[.*\] and not|was read as",
    ),
    "a bit of the bitmap too many": (
        "random_traffic_finds_its_pages/pointers=home/pause=never",
        "stale_bitmap",
        r"was read as|assert not",
    ),
    "a fetch of the bitmap too few": (
        "each_access_goes_where_its_page_is/pointers=home",
        "bitmap_not_fetched",
        r"page \d+: read",
    ),
}


@pytest.mark.parametrize("what", MISPLACED)
def test_an_access_that_does_not_find_its_page_is_found(what):
    name, fault, complaint = MISPLACED[what]
    result = simulate.run("test-remapping", "place.remapping", [name], WEIR_FAULT=fault)
    assert None not in result.tests.values(), f"passed in spite of {what}"
    assert re.search(complaint, result.log.read_text(errors="replace")), result.tail()


# What is broken of moves: module, test, how (testbench/breaking.py), complaint.
BROKEN_MOVES = {
    "no lock": (
        "migrate.traffic",
        "accesses_see_the_newest_data/pointers=table/pause=never",
        "unlocked",
        r"was read as 0x..",
    ),
    "half a copy": (
        "migrate.traffic",
        "accesses_see_the_newest_data/pointers=table/pause=never",
        "half_copied",
        r"was read as 0x..",
    ),
    "no wait for memory": (
        "migrate.power_cut",
        "nvm_loses_nothing_that_it_held",
        "unwritten",
        r"no entry tells|not at home|the home lost",
    ),
    "no wait for memory without remapping": (
        "migrate.power_cut",
        "a_flush_orders_without_remapping",
        "unwritten",
        r"after flush \d+ not in memory",
    ),
}


@pytest.mark.parametrize("what", BROKEN_MOVES)
def test_broken_moves_are_found(what):
    module, name, fault, complaint = BROKEN_MOVES[what]
    result = simulate.run("test-migration", module, [name], WEIR_FAULT=fault)
    assert None not in result.tests.values(), f"passed in spite of {what}"
    assert re.search(complaint, result.log.read_text(errors="replace")), result.tail()


# Counters of accesses to the NVM region that are not exact: what testbench/hotness.py breaks, test, complaint.
MISCOUNTED = {
    "back to back": ("counters_stay_at_their_greatest_value", "superpages: "),
    "weight": ("all_accesses_of_an_interval_are_counted", "superpages: "),
    "full": ("a_page_that_finds_the_list_full_is_missed_and_told", "an overflow was not noticed"),
}


@pytest.mark.parametrize("fault", MISCOUNTED)
def test_a_hot_page_miscount_is_found(fault):
    name, complaint = MISCOUNTED[fault]
    result = simulate.run(matrix.HOT, "place.hot_monitor", [name], WEIR_FAULT=fault)
    assert result.tests and None not in result.tests.values(), f"passed in spite of the fault {fault}"
    assert re.search(complaint, result.log.read_text(errors="replace")), result.tail()


def test_unknown_dram_features_are_refused():
    result = simulate.run("test-1rank-1phase", "regs.identity", [".*"], "time_scale=65")
    assert None not in result.tests.values()
    assert "DRAM model 'dram': FEATURES: time_scale = 65: must be 1 to 64" in result.log.read_text(errors="replace")
