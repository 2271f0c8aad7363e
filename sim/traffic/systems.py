# SPDX-License-Identifier: Apache-2.0
"""The memory systems of the head to head: one DRAM part, its ranks and its PHY, the same for both controllers.

Timings are in nanoseconds and DRAM clocks as the datasheets give them. They serve two purposes only: the bound of a
pattern (`bound.py`) and the description of the module that LiteDRAM's generator gets (`litedram_top.py`). Weir has its
own presets and the DRAM model its own part table; nothing is shared with either, and `check_weir` compares what must
agree (geometry, clock, PHY) before a run.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Part:
    """A DDR3, DDR4 or DDR5 part. Names as in JEDEC JESD79-3F; times in nanoseconds, `*_ck` minima in DRAM clocks."""

    name: str
    source: str
    dq: int
    bank_bits: int
    row_bits: int
    column_bits: int
    tck: float
    cl: int
    cwl: int
    trcd: float
    trp: float
    tras: float
    trc: float
    twr: float
    trfc: float
    trefi: float
    tfaw: float
    trrd: float
    twtr: float
    trtp: float
    trrd_ck: int = 4
    twtr_ck: int = 4
    trtp_ck: int = 4
    tccd_ck: int = 4
    tfaw_ck: int = 1
    burst_length: int = 8
    generation: str = "DDR3"

    @property
    def burst_clocks(self) -> int:
        """DRAM clocks that a burst holds the data bus."""
        return self.burst_length // 2

    @property
    def ddr5(self) -> bool:
        """Whether the part is of DDR5, which alone has bursts of sixteen."""
        return self.burst_length == 16

    def clocks(self, nanoseconds: float, minimum: int = 1) -> int:
        """DRAM clocks that cover a time, and at least `minimum` of them."""
        return max(minimum, math.ceil(round(nanoseconds / self.tck, 6)))


@dataclass(frozen=True)
class System:
    """Ranks of one part on one data bus, with the PHY numbers LiteDRAM's 7-series formulas give for four phases.
    `preset` is Weir's config where it has one without the number of ports in its name; `like` the system that is the
    same but for Weir's config, and has the LiteDRAM."""

    name: str
    part: Part
    ranks: int
    dq: int
    axi_data_bits: int
    axi_id_bits: int = 4
    axi_address_bits: int = 32
    phases: int = 4
    read_phase: int = 1
    write_phase: int = 0
    read_latency: int = 9
    write_latency: int = 1
    refresh_groups: int = 1  # groups of banks of the only rank that refresh apart: Weir's pseudo-ranks
    preset: str | None = None
    like: str | None = None

    @property
    def features(self) -> str:
        """What the DRAM model must do for `refresh_groups` (sim/dram/README.md); DDR5 refreshes sets with fine
        granularity alone."""
        if self.refresh_groups == 1:
            return ""
        groups = f"refresh_groups={self.refresh_groups}"
        return f"fine_refresh=2,{groups}" if self.part.ddr5 else groups

    def weir_config(self, ports: int) -> str:
        """Name of the config of Weir that is measured on this system."""
        return self.preset or f"traffic-{self.name}-p{ports}"

    def of(self, controller: str) -> str:
        """Name of the system whose core of a controller is this one's."""
        return self.name if controller == "weir" else self.like or self.name

    @property
    def line_bytes(self) -> int:
        """Bytes of one burst over the whole data bus."""
        return self.part.burst_length * self.dq // 8

    @property
    def bytes(self) -> int:
        part = self.part
        return self.ranks * self.row_bytes << (part.bank_bits + part.row_bits)

    @property
    def row_bytes(self) -> int:
        """Bytes of one row of one bank."""
        return self.dq // 8 << self.part.column_bits

    @property
    def clock_hz(self) -> float:
        """Controller clock: a cycle spans `phases` DRAM clocks."""
        return 1e9 / (self.part.tck * self.phases)

    def describe(self) -> dict:
        """What `traffic.json` says of the system."""
        return {
            "name": self.name,
            "part": self.part.name,
            "dq": self.dq,
            "ranks": self.ranks,
            "clock_mhz": round(1e3 / self.part.tck, 3),
            "clock": f"DRAM {1e3 / self.part.tck:g} MHz ({self.part.generation}-{2e3 / self.part.tck:g}), controller "
            f"{self.clock_hz / 1e6:g} MHz, {self.phases} phases",
            "axi_data_bits": self.axi_data_bits,
            "address_map": "row | rank | bank | column",
        }


MT41J128M8JP_125 = Part(
    name="MT41J128M8JP-125",
    source="Micron 1Gb DDR3 SDRAM datasheet, DDR3-1600 11-11-11 (-125), 1 KB page",
    dq=8,
    bank_bits=3,
    row_bits=14,
    column_bits=10,
    tck=1.25,
    cl=11,
    cwl=8,
    trcd=13.75,
    trp=13.75,
    tras=35.0,
    trc=48.75,
    twr=15.0,
    trfc=110.0,
    trefi=7800.0,
    tfaw=30.0,
    trrd=6.0,
    twtr=7.5,
    trtp=7.5,
)

MT41K256M16_125 = Part(
    name="MT41K256M16-125",
    source="Micron 4Gb DDR3L SDRAM datasheet, DDR3-1600 11-11-11 (-125), 2 KB page",
    dq=16,
    bank_bits=3,
    row_bits=15,
    column_bits=10,
    tck=1.25,
    cl=11,
    cwl=8,
    trcd=13.75,
    trp=13.75,
    tras=35.0,
    trc=48.75,
    twr=15.0,
    trfc=260.0,
    trefi=7800.0,
    tfaw=40.0,
    trrd=7.5,
    twtr=7.5,
    trtp=7.5,
)

# DDR4: of tRRD, tWTR and tCCD the shorter, between bank groups.
TABLE_TWO_32GB = Part(
    name="TableII-32Gb",
    generation="DDR4",
    source="Rank Assignment, Table II, DRAM column, 32 Gb at extended temperature",
    dq=8,
    bank_bits=4,
    row_bits=18,
    column_bits=10,
    tck=1.25,
    cl=11,
    cwl=9,
    trcd=13.75,
    trp=13.75,
    tras=35.0,
    trc=48.75,
    twr=15.0,
    trfc=640.0,
    trefi=3900.0,
    tfaw=25.0,
    trrd=5.0,
    twtr=2.5,
    trtp=7.5,
    twtr_ck=2,
)

# Of tRRD, tWTR and tCCD the shorter, between bank groups. Times that JESD79-5 rounds down are those of the clocks left.
DDR5_3200BN = Part(
    name="DDR5-16Gb-x16-3200BN",
    generation="DDR5",
    source="JESD79-5, 16 Gb x16, DDR5-3200 26-26-26",
    dq=16,
    bank_bits=4,
    row_bits=16,
    column_bits=10,
    tck=0.625,
    cl=26,
    cwl=24,
    trcd=16.25,
    trp=16.25,
    tras=32.0,
    trc=48.125,
    twr=30.0,
    trfc=294.375,
    trefi=3900.0,
    tfaw=25.0,
    trrd=5.0,
    twtr=2.5,
    trtp=7.5,
    trrd_ck=8,
    twtr_ck=4,
    trtp_ck=12,
    tccd_ck=8,
    tfaw_ck=40,
    burst_length=16,
)


def compared(first: System, *others: str) -> Iterator[System]:
    """The system of a config of Weir whose area is compared, with its name, and of others beside the same LiteDRAM."""
    yield replace(first, preset=first.name)
    yield from (replace(first, name=name, preset=name, like=first.name) for name in others)


SYSTEMS = {
    system.name: system
    for system in (
        System(name="ddr3-2rank", part=MT41J128M8JP_125, ranks=2, dq=64, axi_data_bits=512),
        System(name="ddr3-4rank", part=MT41J128M8JP_125, ranks=4, dq=64, axi_data_bits=512),
        System(
            name="tableii-4rank",
            part=TABLE_TWO_32GB,
            ranks=4,
            dq=64,
            axi_data_bits=512,
            axi_address_bits=40,
            write_phase=3,
            read_latency=8,
            write_latency=2,
        ),
        *(
            System(
                name=name,
                part=TABLE_TWO_32GB,
                ranks=1,
                dq=64,
                axi_data_bits=512,
                axi_address_bits=40,
                write_phase=3,
                read_latency=8,
                write_latency=2,
                refresh_groups=groups,
            )
            for name, groups in (("tableii-1rank", 1), ("tableii-2pseudo", 2), ("tableii-4pseudo", 4))
        ),
        # refreshed as a whole, and in sets of banks
        *(
            System(
                name=name,
                part=DDR5_3200BN,
                ranks=1,
                dq=32,
                axi_data_bits=512,
                read_phase=2,
                write_phase=0,
                read_latency=12,
                write_latency=5,
                refresh_groups=groups,
            )
            for name, groups in (("ddr5", 1), ("ddr5-sets", 4))
        ),
        System(name="ddr3-x16", part=MT41K256M16_125, ranks=1, dq=16, axi_data_bits=128),
        # what ECP5DDRPHY gives itself at 75 MHz (tests/test_board_system.py)
        *compared(
            System(
                name="ecp5-lite",
                part=replace(MT41K256M16_125, tck=6.666, cl=6, cwl=5),
                ranks=1,
                dq=16,
                axi_data_bits=128,
                phases=2,
                read_phase=0,
                write_phase=1,
                read_latency=13,
                write_latency=3,
            ),
            "ecp5-mid",
            "ecp5-full",
        ),
        # the same chips in two ranks at the same controller clock, behind a PHY of four phases
        *compared(
            System(
                name="ecp5-lite-4phase",
                part=replace(MT41K256M16_125, tck=3.333, cl=6, cwl=5),
                ranks=2,
                dq=16,
                axi_data_bits=128,
                phases=4,
                read_phase=2,
                write_phase=3,
                read_latency=8,
                write_latency=1,
            ),
            "ecp5-mid-4phase",
            "ecp5-full-4phase",
        ),
    )
}
