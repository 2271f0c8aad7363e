# SPDX-License-Identifier: Apache-2.0
"""LiteDRAM's controller, crossbar and AXI frontends of the pinned package as one Verilog module.

The module `LiteDRAM` has the ports of `Weir` (AXI4 ports `s_axi_<i>_*`, DFI with the phases side by side), without the
AXI4-Lite registers, so that one bench holds either. No PHY and no DFI injector: the bench starts with an initialised
DRAM model.

LiteDRAM gets its best reasonable settings:

- the controller's defaults: command buffers of 8 for each bank, automatic precharge, refresh, row | bank | column, at
  most 32 cycles of reads before waiting writes and 16 of writes before waiting reads;
- timings from a module description with the datasheet's numbers, through LiteDRAM's own rounding;
- the AXI frontend's default buffers of 16 beats: deeper ones change no throughput and only let sequential reads wait
  longer in them, from address to data.

Other settings were tried and are not better: command buffers of 16 and 64 change nothing but latency, a registered
command buffer (`cmd_buffer_buffered`) returns wrong data in LiteDRAM 2024.12, no automatic precharge and postponed
refreshes cost throughput.

Ranks: LiteDRAM has a bank machine for each bank of each rank and takes the highest bit of the bank number as the rank,
so its ROW_BANK_COL is row | rank | bank | column, Weir's map.

usage: litedram_top.py SYSTEM PORTS OUTPUT.v
"""

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from litedram.common import PhySettings
from litedram.core.controller import ControllerSettings, LiteDRAMController
from litedram.core.crossbar import LiteDRAMCrossbar
from litedram.frontend.axi import LiteDRAMAXI2Native
from litedram.modules import DDR3Module, SDRAMModule, _SpeedgradeTimings, _TechnologyTimings
from litex.gen.fhdl import verilog
from litex.soc.interconnect.axi import AXIInterface
from migen import Cat, ClockDomain, Module, Signal
from systems import SYSTEMS, Part, System

AXI_CHANNELS = {
    "aw": ("id", "addr", "len", "size", "burst", "lock", "cache", "prot", "qos", "valid", "ready"),
    "w": ("data", "strb", "last", "valid", "ready"),
    "b": ("id", "resp", "valid", "ready"),
    "ar": ("id", "addr", "len", "size", "burst", "lock", "cache", "prot", "qos", "valid", "ready"),
    "r": ("id", "data", "resp", "last", "valid", "ready"),
}
DFI_OUTPUTS = (
    "address",
    "bank",
    "ras_n",
    "cas_n",
    "we_n",
    "act_n",
    "reset_n",
    "cs_n",
    "cke",
    "odt",
    "wrdata",
    "wrdata_mask",
    "wrdata_en",
    "rddata_en",
)
DFI_INPUTS = ("rddata", "rddata_valid")


def sdram_module(part: Part) -> type[DDR3Module]:
    """LiteDRAM's description of a part: (clocks, nanoseconds) pairs, of which the larger counts."""

    technology = _TechnologyTimings(
        tREFI=part.trefi,
        tWTR=(part.twtr_ck, part.twtr),
        tCCD=(part.tccd_ck, None),
        tRRD=(part.trrd_ck, part.trrd),
        tZQCS=(64, 80),
    )
    speed_grade = _SpeedgradeTimings(
        tRP=part.trp,
        tRCD=part.trcd,
        tWR=part.twr,
        tRFC=(None, part.trfc),
        tFAW=(None, part.tfaw),
        tRAS=part.tras,
    )
    members = {
        "nbanks": 1 << part.bank_bits,
        "nrows": 1 << part.row_bits,
        "ncols": 1 << part.column_bits,
        "technology_timings": technology,
        "speedgrade_timings": {"default": speed_grade},
    }
    return type("Described", (DDR3Module,), members)


def bench_phy(system: System) -> PhySettings:
    """The PHY whose latencies the bench's DRAM model keeps."""
    return PhySettings(
        phytype="Bench",
        memtype="DDR3",
        databits=system.dq,
        dfi_databits=8 * system.line_bytes // system.phases,
        nphases=system.phases,
        rdphase=system.read_phase,
        wrphase=system.write_phase,
        cl=system.part.cl,
        cwl=system.part.cwl,
        read_latency=system.read_latency,
        write_latency=system.write_latency,
        nranks=system.ranks,
    )


@dataclass(frozen=True)
class AxiWidths:
    """Bits of the data, address and id of an AXI4 port."""

    data: int
    address: int = 32
    id: int = 4


class LiteDRAM(Module):
    """The controller with `ports` AXI4 ports and the DFI; `ios` are its ports, named as Weir's."""

    def __init__(self, phy: PhySettings, module: SDRAMModule, clock_hz: float, ports: int, widths: AxiWidths):
        self.ios = set()
        clock, reset = self._port("clock", 1), self._port("reset", 1)
        self.clock_domains.cd_sys = ClockDomain("sys")
        self.comb += [self.cd_sys.clk.eq(clock), self.cd_sys.rst.eq(reset)]

        self.submodules.controller = LiteDRAMController(
            phy, module.geom_settings, module.timing_settings, clock_hz, ControllerSettings()
        )
        self.submodules.crossbar = LiteDRAMCrossbar(self.controller.interface)
        for index in range(ports):
            self._add_axi(index, widths)
        self._add_dfi(self.controller.dfi)

    def _port(self, name: str, width: int) -> Signal:
        signal = Signal(width, name=name)
        self.ios.add(signal)
        return signal

    def _add_axi(self, index: int, widths: AxiWidths) -> None:
        native = self.crossbar.get_port()
        if native.data_width != widths.data:
            raise ValueError(f"AXI data of {widths.data} bits, but LiteDRAM's port has {native.data_width}")
        axi = AXIInterface(data_width=widths.data, address_width=widths.address, id_width=widths.id)
        self.submodules += LiteDRAMAXI2Native(axi, native)
        for channel_name, fields in AXI_CHANNELS.items():
            channel = getattr(axi, channel_name)
            for field in fields:
                inner = getattr(channel, field)
                outer = self._port(f"s_axi_{index}_{channel_name}{field}", len(inner))
                from_manager = (channel_name in ("aw", "w", "ar")) != (field == "ready")
                self.comb += inner.eq(outer) if from_manager else outer.eq(inner)

    def _add_dfi(self, dfi) -> None:
        for field in DFI_OUTPUTS:
            signals = [getattr(phase, field) for phase in dfi.phases]
            self.comb += self._port(f"dfi_{field}", sum(map(len, signals))).eq(Cat(*signals))
        for field in DFI_INPUTS:
            signals = [getattr(phase, field) for phase in dfi.phases]
            self.comb += Cat(*signals).eq(self._port(f"dfi_{field}", sum(map(len, signals))))


def write_verilog(top: LiteDRAM, path: Path) -> None:
    """Write the module `LiteDRAM`, without LiteX's comments that bear date and commit: one design gives one file."""
    text = str(verilog.convert(top, ios=top.ios, name="LiteDRAM"))
    text = re.sub(r"^//.*(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d|LiteX sha1).*\n", "", text, flags=re.MULTILINE)
    path.parent.mkdir(parents=True, exist_ok=True)
    # LiteX leaves memory images beside its output; this module has none, and the write is atomic for make's sake.
    new = path.with_suffix(".new")
    new.write_text(text)
    new.replace(path)


def main() -> None:
    parser = argparse.ArgumentParser(description="Write LiteDRAM's controller with AXI ports as Verilog.")
    parser.add_argument("system", choices=SYSTEMS)
    parser.add_argument("ports", type=int, choices=(1, 2, 4))
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()

    system = SYSTEMS[arguments.system]
    module = sdram_module(system.part)(system.clock_hz, f"1:{system.phases}")
    widths = AxiWidths(system.axi_data_bits, system.axi_address_bits, system.axi_id_bits)
    write_verilog(LiteDRAM(bench_phy(system), module, system.clock_hz, arguments.ports, widths), arguments.output)


if __name__ == "__main__":
    sys.exit(main())
