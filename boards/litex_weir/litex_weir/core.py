# SPDX-License-Identifier: Apache-2.0
"""WeirCore: LiteDRAM's DFI injector with Weir's Verilog as its master, the counterpart of `LiteDRAMCore`."""

from litedram.core.controller import ControllerSettings
from litex.soc.interconnect import axi
from litex.soc.interconnect.csr import AutoCSR
from migen import ClockDomainsRenamer, ClockSignal, Instance, Module, ResetSignal, Signal

from litex_weir.dfi_handover import HandoverInjector
from litex_weir.injected_odt import InjectedOdt
from litex_weir.mode_registers import check_termination, initialisation_timing

REGISTER_BYTES = 65536
"""Address range of Weir's AXI4-Lite registers."""

DFI_SIGNALS = [
    ("address", "o"),
    ("bank", "o"),
    ("ras_n", "o"),
    ("cas_n", "o"),
    ("we_n", "o"),
    ("act_n", "o"),
    ("reset_n", "o"),
    ("cs_n", "o"),
    ("cke", "o"),
    ("odt", "o"),
    ("wrdata", "o"),
    ("wrdata_mask", "o"),
    ("wrdata_en", "o"),
    ("rddata_en", "o"),
    ("rddata", "i"),
    ("rddata_valid", "i"),
]
"""DFI signals of a phase: (name, direction as Weir's Verilog sees it)."""

_ADDRESS_CHANNEL = ("id", "addr", "len", "size", "burst", "lock", "cache", "prot", "qos")


class _Controller:
    """What LiteX's Builder reads of a controller (it writes the BIOS's `sdram_phy.h` from it)."""

    def __init__(self, phy, module, design):
        self.settings = ControllerSettings()
        self.settings.phy = phy.settings
        self.settings.geom = module.geom_settings
        self.settings.timing = initialisation_timing(module.timing_settings, phy.settings, design)


class Interrupt:
    """Weir's interrupt where LiteX's SoC looks for that of a core: `irq` of the core's `ev`.

    It is no EventManager, as Weir's own registers tell and choose what it is raised for.
    """

    def __init__(self):
        self.irq = Signal(name="weir_interrupt")


class WeirCore(Module, AutoCSR):
    """Weir between AXI4 buses and a LiteDRAM PHY.

    The DFI injector stays between Weir and the PHY: the BIOS initialises and levels the PHY and the DRAM through the
    same CSRs as with LiteDRAM's controller. Software that takes the DFI later has it when Weir has let go of it
    (HandoverInjector).

    Parameters
    ----------
    phy : a LiteDRAM PHY (`.dfi`, `.settings`)
    module : litedram.modules.SDRAMModule
        Geometry and timings of the DRAM, for the BIOS.
    design : WeirDesign
        The elaborated controller.
    ports : list of litex.soc.interconnect.axi.AXIInterface
        One for each AXI4 port of the design, with its data and id widths and byte addresses as on the bus.
    domain : str
        Clock domain of Weir, its buses and its PHY. The injector's CSRs are in `sys`, which must be the same while
        software has the DFI.

    Attributes
    ----------
    registers : AXILiteInterface
        Weir's registers: 32-bit data, REGISTER_BYTES of byte addresses (higher address bits are ignored).
    ports : the AXI4 buses, as given
    controller.settings : what the Builder reads
    ev : Interrupt, high while the interrupt is raised; of designs that have one

    Raises WeirError if the design was not made for this PHY, this module or these ports.
    """

    def __init__(self, phy, module, design, ports, domain="sys"):
        design.check_phy(phy.settings)
        check_termination(phy.settings, design)
        design.check_geometry(module.geom_settings)
        design.check_ports(ports)

        self.ports = ports
        self.controller = _Controller(phy, module, design)
        self.submodules.dfii = dfii = HandoverInjector(
            addressbits=max(module.geom_settings.addressbits, design.address_pins, getattr(phy, "addressbits", 0)),
            bankbits=max(module.geom_settings.bankbits, getattr(phy, "bankbits", 0)),
            nranks=phy.settings.nranks,
            databits=phy.settings.dfi_databits,
            nphases=phy.settings.nphases,
            domain=domain,
        )
        if design.odt_by_command:
            self.comb += dfii.master.connect(phy.dfi, omit={"odt"})
            self.submodules.odt = ClockDomainsRenamer(domain)(InjectedOdt(dfii, phy))
        else:
            self.comb += dfii.master.connect(phy.dfi)

        self.registers = axi.AXILiteInterface(data_width=32, address_width=32)
        signals = {"i_clock": ClockSignal(domain), "i_reset": ResetSignal(domain)}
        signals |= {"i_dfi_phymstr_req": dfii.req, "o_dfi_phymstr_ack": dfii.ack}
        self._connect_dfi(signals, dfii, design)
        self._connect_registers(signals)
        for number, port in enumerate(ports):
            _connect_port(signals, f"s_axi_{number}_", port)
        if design.interrupt:
            self.ev = Interrupt()
            signals["o_interrupt"] = self.ev.irq
        self.specials += Instance("Weir", name="weir", **signals)

    def _connect_dfi(self, signals, dfii, design):
        # Weir takes what it asked the DRAM for, and nothing else, so it may see all that comes
        widths = {"address": design.address_pins, "bank": design.bank_bits}
        for name, direction in DFI_SIGNALS:
            dfi = dfii.slave if direction == "o" else dfii.master
            phases = [getattr(phase, name) for phase in dfi.phases]
            width = widths.get(name, len(phases[0]))
            whole = Signal(width * len(phases), name=f"weir_dfi_{name}")
            slices = [whole[width * n : width * (n + 1)] for n in range(len(phases))]
            if direction == "o":
                self.comb += [phase.eq(part) for phase, part in zip(phases, slices, strict=True)]
            else:
                self.comb += [part.eq(phase) for phase, part in zip(phases, slices, strict=True)]
            signals[f"{direction}_dfi_{name}"] = whole

    def _connect_registers(self, signals):
        bus = self.registers
        address_bits = REGISTER_BYTES.bit_length() - 1
        for channel in ("aw", "ar"):
            source = getattr(bus, channel)
            signals[f"i_s_axil_{channel}addr"] = source.addr[:address_bits]
            signals[f"i_s_axil_{channel}prot"] = source.prot
        signals.update(
            i_s_axil_awvalid=bus.aw.valid,
            o_s_axil_awready=bus.aw.ready,
            i_s_axil_wdata=bus.w.data,
            i_s_axil_wstrb=bus.w.strb,
            i_s_axil_wvalid=bus.w.valid,
            o_s_axil_wready=bus.w.ready,
            o_s_axil_bresp=bus.b.resp,
            o_s_axil_bvalid=bus.b.valid,
            i_s_axil_bready=bus.b.ready,
            i_s_axil_arvalid=bus.ar.valid,
            o_s_axil_arready=bus.ar.ready,
            o_s_axil_rdata=bus.r.data,
            o_s_axil_rresp=bus.r.resp,
            o_s_axil_rvalid=bus.r.valid,
            i_s_axil_rready=bus.r.ready,
        )


def _connect_port(signals, prefix, port):
    for channel in ("aw", "ar"):
        source = getattr(port, channel)
        for field in _ADDRESS_CHANNEL:
            signals[f"i_{prefix}{channel}{field}"] = getattr(source, field)
        signals[f"i_{prefix}{channel}valid"] = source.valid
        signals[f"o_{prefix}{channel}ready"] = source.ready
    signals.update(
        {
            f"i_{prefix}wdata": port.w.data,
            f"i_{prefix}wstrb": port.w.strb,
            f"i_{prefix}wlast": port.w.last,
            f"i_{prefix}wvalid": port.w.valid,
            f"o_{prefix}wready": port.w.ready,
            f"o_{prefix}bid": port.b.id,
            f"o_{prefix}bresp": port.b.resp,
            f"o_{prefix}bvalid": port.b.valid,
            f"i_{prefix}bready": port.b.ready,
            f"o_{prefix}rid": port.r.id,
            f"o_{prefix}rdata": port.r.data,
            f"o_{prefix}rresp": port.r.resp,
            f"o_{prefix}rlast": port.r.last,
            f"o_{prefix}rvalid": port.r.valid,
            f"i_{prefix}rready": port.r.ready,
        }
    )
