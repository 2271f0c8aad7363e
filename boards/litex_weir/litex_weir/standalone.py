# SPDX-License-Identifier: Apache-2.0
"""StandaloneCore: Weir as a Verilog module for use outside LiteX."""

import math
from pathlib import Path
from types import SimpleNamespace

from litedram.common import GeomSettings, PhySettings, TimingSettings
from litedram.gen import LiteDRAMECP5DDRPHYCRG, get_dram_ios
from litedram.phy import ECP5DDRPHY, dfi
from litex.build.generic_platform import GenericPlatform, Pins, Subsignal
from litex.build.lattice.common import lattice_ecp5_special_overrides
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore
from litex.soc.interconnect import axi, wishbone
from litex.soc.interconnect.csr import AutoCSR, CSRStorage
from migen import Cat, ClockDomain, ClockSignal, If, Module, ResetSignal

from litex_weir import ecp5_clock
from litex_weir.core import DFI_SIGNALS, REGISTER_BYTES, WeirCore
from litex_weir.wishbone_hold import WishboneHold
from litex_weir.wishbone_port import WishbonePort

REGISTERS_ORIGIN = 0xF002_0000
"""Of Weir's registers on the control bus; without a CPU LiteX puts the CSRs at 0."""

INIT_CLOCK_HZ = 25e6  # of ECP5DDRPHY's own start, as LiteX's boards have it
INIT_MARGIN = 0.1  # of that clock, which nothing is timed by
MARGIN = 1e-6  # of the DRAM's clock, which was chosen of those that the PLL can make

# LiteDRAM's name of a timing -> Weir's.
_TIMINGS = {name: name for name in ("tRP", "tRCD", "tWR", "tRFC", "tFAW", "tREFI", "tRAS", "tRC", "tZQCS")}
_TIMINGS |= {"tWTR": "tWTR_L", "tCCD": "tCCD_L", "tRRD": "tRRD_L"}


class CorePlatform(GenericPlatform):
    """A platform whose pads are the core's ports and whose build writes Verilog only."""

    def __init__(self, name):
        GenericPlatform.__init__(self, name, [], name=name)

    def build(self, soc, build_dir, build_name=None, **_):
        """Write NAME.v into `build_dir`."""
        fragment = soc.get_fragment()
        self.finalize(fragment)
        verilog = self.get_verilog(
            fragment, name=self.name, special_overrides=lattice_ecp5_special_overrides, regular_comb=False
        )
        verilog.write(str(Path(build_dir) / f"{self.name}.v"))
        return verilog.ns


class DfiPins(Module):
    """A PHY outside the core: its DFI as ports, the phases side by side, phase 0 lowest."""

    def __init__(self, platform, design):
        self.settings = PhySettings(
            phytype="DFI",
            memtype=_memory_type(design),
            databits=design.data_bits,
            dfi_databits=8 * design.data_bits // design.phases,
            nphases=design.phases,
            rdphase=design.read_phase,
            wrphase=design.write_phase,
            cl=design.cl,
            cwl=design.cwl,
            read_latency=design.read_latency,
            write_latency=design.write_latency,
            nranks=design.ranks,
        )
        self.dfi = dfi.Interface(
            design.address_pins, design.bank_bits, design.ranks, self.settings.dfi_databits, design.phases
        )
        wires = {name: Cat(*[getattr(phase, name) for phase in self.dfi.phases]) for name, _ in DFI_SIGNALS}
        platform.add_extension([("dfi", 0, *[Subsignal(name, Pins(len(wire))) for name, wire in wires.items()])])
        pads = platform.request("dfi")
        for name, direction in DFI_SIGNALS:
            pad = getattr(pads, name)
            self.comb += pad.eq(wires[name]) if direction == "o" else wires[name].eq(pad)


class Initialisation(Module, AutoCSR):
    """CSRs in which the software that initialises the DRAM says that it is ready, or that it failed."""

    def __init__(self):
        self.init_done = CSRStorage(description="1: the DRAM is initialised; the user ports open.")
        self.init_error = CSRStorage(description="1: the initialisation failed; the user ports stay shut.")


class _ClockAndReset(Module):
    def __init__(self, platform):
        self.clock_domains.cd_sys = ClockDomain("sys")
        self.comb += [self.cd_sys.clk.eq(platform.request("clk")), self.cd_sys.rst.eq(platform.request("rst"))]


class StandaloneCore(SoCCore):
    """PHY (or DFI), DFI injector, Weir, and user ports, with a Wishbone control bus for CSRs and registers.

    The user ports are in the clock domain of `user_clk`, which is `sys`. They take nothing until the CSR
    `ddrctrl_init_done` is set: whoever owns the control bus initialises the DRAM first.

    Parameters
    ----------
    asked : CoreFile

    Raises WeirError if PHY and design do not fit.
    """

    def __init__(self, asked):
        design = asked.design
        platform = CorePlatform(asked.name)
        platform.add_extension(
            [(name, 0, Pins(1)) for name in ("clk", "rst", "user_clk", "user_rst", "init_done", "init_error")]
        )
        SoCCore.__init__(
            self,
            platform,
            int(asked.system_clock),
            cpu_type=None,
            with_uart=False,
            with_timer=False,
            with_ctrl=False,
            integrated_rom_size=0,
            integrated_sram_size=0,
        )
        control = wishbone.Interface()
        self.submodules.control = WishboneHold(control)
        self.bus.add_master(master=self.control.bus)
        platform.add_extension(control.get_ios("wb_ctrl"))
        self.comb += control.connect_to_pads(platform.request("wb_ctrl"), mode="slave")

        phy = self._add_phy(platform, asked, design)
        self.submodules.ddrctrl = Initialisation()
        done, error = self.ddrctrl.init_done.storage, self.ddrctrl.init_error.storage
        add = {"axi": self._axi, "wishbone": self._wishbone}
        ports = [add[port.bus](platform, port, design, done & ~error) for port in asked.ports]
        core = WeirCore(phy, _module(design), design, ports)
        self.add_module(name="sdram", module=core)
        registers = wishbone.Interface(data_width=32, address_width=32, addressing="word")
        self.bus.add_slave("weir", registers, SoCRegion(origin=REGISTERS_ORIGIN, size=REGISTER_BYTES, cached=False))
        self.submodules += axi.Wishbone2AXILite(registers, core.registers)
        if design.interrupt:
            platform.add_extension([("interrupt", 0, Pins(1))])
            self.comb += platform.request("interrupt").eq(core.ev.irq)

        self.comb += [
            platform.request("init_done").eq(done),
            platform.request("init_error").eq(error),
            platform.request("user_clk").eq(ClockSignal("sys")),
            platform.request("user_rst").eq(ResetSignal("sys")),
        ]

    def _add_phy(self, platform, asked, design):
        if asked.phy == "DFI":
            self.submodules.crg = _ClockAndReset(platform)
            self.submodules.phy = phy = DfiPins(platform, design)
            return phy
        pads = {
            "memtype": "DDR3",
            "sdram_module": SimpleNamespace(nrows=1 << design.row_bits, nbanks=1 << design.bank_bits),
            "sdram_module_nb": design.data_bits // 8,
            "sdram_rank_nb": design.ranks,
        }
        ((name, number, *pins),) = get_dram_ios(pads)
        driven = [
            pin for pin in pins if pin.name not in ("clk_n", "dqs_n")
        ]  # those of a pair belong to clk_p and dqs_p
        platform.add_extension([(name, number, *driven), ("pll_locked", 0, Pins(1))])
        clocks = {"input_clk_freq": asked.input_clock, "sys_clk_freq": asked.system_clock}
        self.crg = LiteDRAMECP5DDRPHYCRG(platform, {**pads, **clocks, "init_clk_freq": INIT_CLOCK_HZ})
        _set_margins(self.crg.pll, (0, 2 * asked.system_clock, MARGIN), (1, INIT_CLOCK_HZ, INIT_MARGIN))
        self.ddrphy = phy = ECP5DDRPHY(platform.request("ddram"), sys_clk_freq=asked.system_clock)
        self.comb += [self.crg.stop.eq(phy.init.stop), self.crg.reset.eq(phy.init.reset)]
        return phy

    def _axi(self, platform, port, design, ready):
        """The pins of an AXI4 port, on which memory begins at 0, and the bus from there to Weir."""
        bus, outside = (
            axi.AXIInterface(
                data_width=design.axi_data_bits, address_width=design.axi_address_bits, id_width=design.axi_id_bits
            )
            for _ in range(2)
        )
        platform.add_extension(outside.get_ios(port.name))
        self.comb += [
            *outside.connect_to_pads(platform.request(port.name), mode="slave"),
            outside.connect(bus, omit={"addr"}),
        ]
        for channel in ("aw", "w", "ar"):
            self.comb += If(~ready, getattr(bus, channel).valid.eq(0), getattr(outside, channel).ready.eq(0))
        # What is beyond the memory stays so, as addresses wrap around.
        for channel in ("aw", "ar"):
            self.comb += getattr(bus, channel).addr.eq(getattr(outside, channel).addr + design.base)
        return bus

    def _wishbone(self, platform, port, design, ready):
        """The pins of a Wishbone port, and the bus from there to Weir."""
        bridge = WishbonePort(
            design.axi_data_bits, design.axi_address_bits, design.axi_id_bits, base=design.base, size=design.bytes
        )
        inside, outside = (
            wishbone.Interface(data_width=port.data_bits, address_width=bits, addressing="word")
            for bits in (32, (design.bytes - 1).bit_length())
        )
        hold = WishboneHold(inside)
        self.submodules += bridge, hold, wishbone.Converter(hold.bus, bridge.bus)
        platform.add_extension(outside.get_ios(port.name))
        self.comb += [
            *outside.connect_to_pads(platform.request(port.name), mode="slave"),
            outside.connect(inside),
            If(~ready, inside.stb.eq(0)),
        ]
        return bridge.port


def _set_margins(pll, *outputs):
    """Let `pll` make the outputs, (number, Hz, part by which they may differ), as exactly as that: LiteDRAM's clocks
    ask for a hundredth."""
    ecp5_clock.mend(pll)
    for number, hertz, margin in outputs:
        signal, _, phase, _, adjusted = pll.clkouts[number]
        pll.clkouts[number] = (signal, hertz, phase, margin, adjusted)


def _memory_type(design):
    return "DDR4" if design.bank_groups > 1 else "DDR3"


def _module(design):
    """The DRAM in LiteDRAM's terms, in controller cycles, from what the design was made for: what LiteX makes its
    description of the initialisation of."""
    cycles = {name: math.ceil(design.timing[name] / design.phases) for name in _TIMINGS.values()}
    timing = TimingSettings(**{theirs: cycles[ours] for theirs, ours in _TIMINGS.items()})
    timing.fine_refresh_mode = "1x"
    geometry = GeomSettings(design.bank_bits, design.row_bits, design.column_bits)
    return SimpleNamespace(geom_settings=geometry, timing_settings=timing)
