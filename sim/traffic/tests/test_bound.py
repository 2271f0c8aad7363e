# SPDX-License-Identifier: Apache-2.0
"""The bounds against values worked out by hand from the datasheets' numbers."""

import pytest
from bound import PATTERNS, bank_cycle, bound, least_latency, limits, refresh_share
from systems import SYSTEMS

TWO_RANKS = SYSTEMS["ddr3-2rank"]
X16 = SYSTEMS["ddr3-x16"]


def test_refresh_takes_88_of_6240_clocks_of_a_1_gbit_rank_and_208_of_a_4_gbit_one():
    assert refresh_share(TWO_RANKS) == pytest.approx(88 / 6240)
    assert refresh_share(X16) == pytest.approx(208 / 6240)


def test_two_ranks_hide_their_refreshes_and_one_cannot():
    assert bound(TWO_RANKS, "sequential_read", 1, 1, 64) == (1.0, "bus")
    most, limit = bound(X16, "sequential_write", 1, 1, 64)
    assert (most, limit) == (pytest.approx(1 - 208 / 6240), "refresh")


def test_sixteen_byte_beats_use_a_quarter_of_a_512_bit_port():
    assert bound(TWO_RANKS, "sequential_read", 1, 4, 16) == (0.25, "AXI")
    assert bound(TWO_RANKS, "sequential_read", 2, 4, 16) == (0.5, "AXI")
    # A random narrow burst wastes the rest of its DRAM burst too, which more ports do not help.
    assert bound(TWO_RANKS, "random_read", 4, 16, 16) == (0.25, "line")


def test_one_read_in_flight_waits_for_tRCD_CL_and_its_data():
    assert least_latency(TWO_RANKS, 64) == 11 + 11 + 4
    assert bound(TWO_RANKS, "random_read", 1, 1, 64)[0] == pytest.approx(4 / 26, rel=1e-3)
    assert bound(TWO_RANKS, "random_read", 1, 4, 64)[0] == pytest.approx(16 / 26, rel=1e-3)


def test_four_activates_in_tFAW_hold_single_lines_of_an_x16_chip_to_half_the_bus():
    # 4 bursts of 4 clocks in 32 clocks, less the refreshes.
    most, limit = bound(X16, "random_write", 1, 16, 16)
    assert (most, limit) == (pytest.approx(0.5 * (1 - 208 / 6240), rel=1e-3), "tFAW")


def test_two_ranks_of_x8_chips_have_activates_enough():
    # 2 ranks x 4 activates in 24 clocks: one each 3 clocks, more than one each 4 that the bus can use.
    assert limits(TWO_RANKS, "random_read", 1, 16, 64)["tFAW"] == pytest.approx(4 / 3 * (1 - 88 / 6240), rel=1e-3)


def test_bank_cycle():
    assert bank_cycle(TWO_RANKS, 64, reads=1.0) == 39  # tRC
    assert bank_cycle(TWO_RANKS, 64, reads=0.0) == 11 + 8 + 4 + 12 + 11  # tRCD, CWL, data, tWR, tRP
    assert bank_cycle(X16, 256, reads=1.0) == 11 + 15 * 4 + 6 + 11  # tRCD, 16 lines, tRTP, tRP


def test_a_stride_over_rows_of_one_bank_gets_a_burst_in_tRC():
    most, _ = bound(TWO_RANKS, "strided_bank", 1, 16, 64)
    assert most == pytest.approx(4 / 39 * (1 - 88 / 6240))
    assert bound(TWO_RANKS, "strided_bank", 4, 16, 64)[0] == most


def test_busy_bank_adds_the_busy_one_to_the_others():
    most, _ = bound(TWO_RANKS, "busy_bank", 1, 2, 64)
    assert most == pytest.approx(4 / 39 * (1 - 88 / 6240) + 4 / 26, rel=1e-3)


def test_idle_latency_is_the_pause_and_the_latency():
    assert bound(TWO_RANKS, "idle_latency", 1, 1, 64)[0] == pytest.approx(4 / (24.5 * 4 + 26), rel=1e-3)


def test_a_busy_bank_for_a_quarter_of_the_reads_lets_four_end_in_tRC():
    most, limit = bound(TWO_RANKS, "busy_bank_quarter", 1, 16, 64)
    assert (most, limit) == (pytest.approx(16 / 39 * (1 - 88 / 6240)), "busy bank")
    # An x16 chip's burst of 64 bytes is four lines, so that the bus is full before.
    assert bound(X16, "busy_bank_quarter", 1, 16, 64)[0] == pytest.approx(1 - 208 / 6240)


def test_alternating_runs_may_fill_the_bus_with_few_in_flight():
    # One burst in flight, every second a read of an open row: CL and four clocks of data for two bursts.
    assert bound(TWO_RANKS, "alternating_runs", 1, 1, 64)[0] == pytest.approx(2 * 4 / (11 + 4))
    assert bound(TWO_RANKS, "alternating_runs", 1, 16, 64) == (1.0, "bus")


def test_a_storm_on_one_bank_loses_its_ranks_refreshes():
    assert bound(TWO_RANKS, "row_hit_storm", 4, 16, 64) == (pytest.approx(1 - 88 / 6240), "refresh")


def test_idle_reads_of_an_open_row_save_tRCD():
    hit = 4 / (24.5 * 4 + 11 / 16 + 11 + 4)
    assert bound(TWO_RANKS, "idle_row_hit", 1, 1, 64)[0] == pytest.approx(hit, rel=1e-3)
    for pattern in ("idle_row_closed", "idle_row_conflict"):
        assert bound(TWO_RANKS, pattern, 1, 1, 64)[0] == pytest.approx(4 / (24.5 * 4 + 26), rel=1e-3)


def test_nine_reads_to_a_write_on_four_ranks():
    # Of sixteen in flight nine tenths wait for tRCD, CL and data.
    found = limits(SYSTEMS["ddr3-4rank"], "random_9to1", 1, 2, 64)
    assert found["outstanding"] == pytest.approx(2 * 4 / (0.9 * 26), rel=1e-3)
    assert found["tFAW"] == pytest.approx(4 * 4 / 24 * 4 * (1 - 88 / 6240), rel=1e-3)


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_more_ids_or_longer_bursts_never_lower_a_bound(system, pattern):
    sizes = (16, 32, 64, 128, 256)
    for ports in (1, 2, 4):
        grid = [[bound(system, pattern, ports, ids, size)[0] for ids in (1, 2, 4, 8, 16)] for size in sizes]
        assert all(0 < value <= 1 for line in grid for value in line)
        # Sorting is the identity where a line rises.
        assert all(line == sorted(line) for line in grid)
        assert all(list(column) == sorted(column) for column in zip(*grid, strict=True))


def test_an_unknown_pattern_is_named():
    with pytest.raises(ValueError, match="pattern sideways is unknown; there are sequential_read"):
        bound(TWO_RANKS, "sideways", 1, 1, 64)
