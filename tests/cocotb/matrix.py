# SPDX-License-Identifier: Apache-2.0
"""Which tests run on which configs, and which of these runs `make test` leaves to `make cocotb-long`."""

import ast
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from configs import listed  # noqa: E402

# Small corners of what Weir can be, and the config of the SoC.
CORNERS = ("test-1rank-1phase", "test-4rank-2phase", "test-ddr4", "test-wide-bus", "test-narrow-bus")
ALL = (*CORNERS, "soc-64")
TWO = "test-2channel"
# Pseudo-ranks that refresh together, as real parts do, and such that refresh apart.
TOGETHER, APART = "test-2pseudo", "test-4pseudo"
PSEUDO = (TOGETHER, APART)
# Pages of an NVM region may live in DRAM: of a rank, and of a pseudo-rank in lines that are shorter than a bitmap.
REMAPPING = ("test-remapping", "test-remapping-x16")
# With an NVM region: a rank, and a pseudo-rank.
HYBRID = ("test-hybrid", "test-hybrid-x16")
# DDR5, refreshed as a whole, and in sets of banks that are pseudo-ranks.
WHOLE, SETS = "test-ddr5", "test-ddr5-sets"
DDR5 = (WHOLE, SETS)
CONFIGS = (*ALL, TWO, *PSEUDO, *DDR5)
# Accesses to an NVM region are counted.
HOT = "test-hot-monitor"

MANY_PORTS = ("test-4rank-2phase", "test-ddr4", "test-narrow-bus")
MANY_RANKS = ("test-4rank-2phase", "test-ddr4")
# Reads are answered from the write queue.
FORWARDING = ("test-4rank-2phase", "test-ddr4", "test-narrow-bus", "soc-64", TWO)
# AXI carries a line in no more cycles than DRAM does, so that row hits can keep DRAM busy.
FAST_BUS = ("test-1rank-1phase", "test-4rank-2phase", "test-ddr4", "test-wide-bus")
# Reads go with the fewest cycles.
FAST_READS = ("test-ddr4", "test-wide-bus")
# AXI is as fast as above, and takes enough reads to keep row conflicts waiting at all times.
DEEP = ("test-1rank-1phase", "test-4rank-2phase", "test-ddr4")

# With policies that no real part can do.
BEYOND_JEDEC = ("test-4rank-2phase", "test-wide-bus")

# Pages move between DRAM and an NVM region.
MOVING = ("test-migration", "test-migration-x16")

MODULES = {
    "front.bursts": (*ALL, *DDR5),
    "front.errors": CONFIGS,
    "front.ordering": CONFIGS,
    "front.ports": (*MANY_PORTS, TWO, *DDR5),
    "front.resets": (*CORNERS, TWO),
    "place.address_map": CONFIGS,
    "place.map_registers": ("soc-64", "test-1rank-1phase", "test-4rank-2phase", "test-ddr4", TWO, *DDR5),
    "place.map_switch": ("test-4rank-2phase", "test-narrow-bus", TWO),
    "place.two_channels": (TWO,),
    "place.remapping": REMAPPING,
    "place.hot_monitor": (HOT,),
    "place.hot_registers": (HOT,),
    "channel.hazards": CONFIGS,
    "channel.forwarding": (*FORWARDING, *DDR5),
    "channel.water_marks": (*ALL, *PSEUDO),
    "channel.drain_of_ranks": (*MANY_RANKS, APART),
    "channel.equal_priority": FAST_BUS,
    "channel.reads_ahead": FAST_READS,
    "channel.row_policies": FAST_BUS,
    "channel.starvation": FAST_BUS,
    "channel.refresh": (*DEEP, APART),
    "channel.calibration": (*DEEP, APART),
    "channel.refresh_of_ranks": (*MANY_RANKS, APART, SETS),
    "channel.extended_temperature": DEEP,
    "channel.refresh_policies": DEEP,
    "channel.refresh_limit": ("test-1rank-1phase", "test-ddr4", WHOLE),
    "channel.same_bank_refresh": (SETS,),
    "channel.refresh_in_quarters": (*MANY_RANKS, APART),
    "channel.refresh_in_halves": MANY_RANKS,
    "channel.refresh_beyond_jedec": (*BEYOND_JEDEC, APART),
    "channel.refresh_none": BEYOND_JEDEC,
    "channel.time_scale": FAST_BUS,
    "channel.slow_memory": DEEP,
    "channel.pseudo_ranks": PSEUDO,
    "dfi.commands": (*ALL, *DDR5),
    "dfi.handover": (*CONFIGS, *HYBRID),
    "regs.identity": CONFIGS,
    "regs.timings": FAST_BUS,
    "regs.refusals": ("test-1rank-1phase", "test-ddr4"),
    "observe.counters": ("test-1rank-1phase", "test-4rank-2phase", "test-ddr4", "test-narrow-bus", "soc-64", TWO),
    "observe.forwarding": FORWARDING,
    "observe.recount": CONFIGS,
    "observe.stalls": DEEP,
    "observe.stalls_of_queue": ("test-1rank-1phase", TWO),
    "observe.stalls_of_bus": MANY_RANKS,
    "migrate.traffic": MOVING,
    "migrate.power_cut": MOVING,
    "migrate.refusals": MOVING,
    "media.nvm_region": HYBRID,
    "controller.random_traffic": (*CONFIGS, *HYBRID, *REMAPPING),
}

# Where `make test` runs a room's tests: on what shows most of it. All others of the lists above are long.
USUAL = {
    "front": ("test-wide-bus", "test-narrow-bus"),
    "place": ("test-4rank-2phase", TWO, WHOLE, "test-remapping", HOT),
    "channel": ("test-4rank-2phase", "test-ddr4", APART, SETS),
    "dfi": ("test-4rank-2phase", "test-hybrid"),
    "regs": ("test-4rank-2phase", "test-ddr4"),
    "observe": ("test-ddr4", TWO),
    "migrate": ("test-migration",),
    "media": ("test-hybrid",),
    "controller": (*CORNERS, TWO, APART, *DDR5, "test-hybrid", "test-remapping"),
}

# Modules that run with DRAMs that are more, or ask for more, than their part (sim/dram/README.md, "Features").
DRAM_FEATURES = {
    "channel.extended_temperature": ("extended_temperature",),
    "channel.refresh_in_quarters": ("fine_refresh=4,on_the_fly",),
    "channel.refresh_in_halves": ("fine_refresh=2,on_the_fly",),
    "channel.refresh_beyond_jedec": ("fine_refresh=4,on_the_fly,optimistic_trfc",),
    "channel.refresh_none": ("refresh=none",),
    "channel.slow_memory": ("time_scale=1", "time_scale=2", "time_scale=4", "time_scale=16"),
}


def tests(module: str) -> list[str]:
    """Names of the tests of a module, in order; those with parameters once."""
    tree = ast.parse((HERE / (module.replace(".", "/") + ".py")).read_text())
    return [node.name for node in tree.body if isinstance(node, ast.AsyncFunctionDef) and node.decorator_list]


def is_usual(config: str, module: str) -> bool:
    """Whether `make test` runs a module on a config."""
    return config in USUAL[module.partition(".")[0]]


def long_unless(usual: bool) -> tuple[pytest.MarkDecorator, ...]:
    """The marks of a pytest that is usual in `make test` or not."""
    return () if usual else (pytest.mark.long,)


def cells() -> list[tuple[str, str, str, str]]:
    """Config, module, features of the DRAM and test of every test on every config and DRAM it runs on."""
    return [
        (config, module, features, test)
        for config in listed("COCOTB_CONFIGS")
        for module, configs in MODULES.items()
        if config in configs
        for features in DRAM_FEATURES.get(module, ("",))
        for test in tests(module)
    ]
