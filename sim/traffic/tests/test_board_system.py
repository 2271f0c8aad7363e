# SPDX-License-Identifier: Apache-2.0
"""The system on which `ecp5-lite` stands beside LiteDRAM: both as behind LiteDRAM's ECP5DDRPHY."""

import run
from head_to_head import of_system, require_same
from litedram.phy import ECP5DDRPHY
from litedram_top import bench_phy
from litex_boards.platforms.lambdaconcept_ecpix5 import Platform
from matrix import BOARD_SYSTEM, Point
from systems import SYSTEMS
from verilate import of_weir

SYSTEM = SYSTEMS[BOARD_SYSTEM]
CLOCK_HZ = 75e6


def test_the_phy_is_ecp5ddrphys_own():
    wanted = ECP5DDRPHY(Platform(device="85F", toolchain="trellis").request("ddram"), sys_clk_freq=CLOCK_HZ).settings
    bench = bench_phy(SYSTEM)
    for name in ("nphases", "databits", "dfi_databits", "nranks", "cl", "cwl"):
        assert getattr(bench, name) == getattr(wanted, name), name
    for name in ("rdphase", "wrphase", "read_latency", "write_latency"):
        assert getattr(bench, name) == getattr(wanted, name), name
    assert abs(SYSTEM.clock_hz / CLOCK_HZ - 1) < 1e-3


def test_weir_is_the_one_whose_area_is_compared():
    path = run.ROOT / "build/hw/ecp5-lite/Weir.json"
    assert run.weir_config(Point(BOARD_SYSTEM, "random_read", 1, 1, 64)) == path.parent
    require_same(of_weir(path), of_system(SYSTEM, 1), path)


def test_a_full_bus_is_1_with_any_number_of_phases():
    """x16: four bytes in each DRAM clock, of which a cycle has two."""
    latency = {"count": 0}
    measured = {
        "window": 1000,
        "read_bytes": 4 * 2 * 1000,
        "written_bytes": 0,
        "read_latency": latency,
        "bystander_read_latency": latency,
        **dict.fromkeys(("longest_silence", "oldest_read_wait", "cycles", "checked_bytes"), 0),
        "violations": {},
    }
    assert run.row("weir", Point(BOARD_SYSTEM, "sequential_read", 1, 1, 64), measured)["efficiency"] == 1
