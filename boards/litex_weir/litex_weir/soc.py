# SPDX-License-Identifier: Apache-2.0
"""add_weir: the counterpart of LiteX's `LiteXSoC.add_sdram`."""

from litex.soc.cores.cpu.rocket.core import Rocket
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect import axi, wishbone

from litex_weir.core import REGISTER_BYTES, WeirCore
from litex_weir.design import WeirDesign
from litex_weir.errors import WeirError
from litex_weir.rocket import HartOrder


def add_weir(soc, phy, module, design, registers_origin=None, name="sdram"):
    """Give `soc` a DRAM behind Weir: main_ram on the CPU's memory buses, Weir's registers on the SoC's bus.

    Parameters
    ----------
    soc : litex.soc.integration.soc.LiteXSoC
        With a CPU that has AXI4 memory buses; bus n becomes port n of Weir. Rocket's ids are put in the order of its
        harts on the way, so that id[3:2] is the hart.
    phy : a LiteDRAM PHY
    module : litedram.modules.SDRAMModule
    design : WeirDesign, or the folder that `./mill hw.run --config ... --output ...` wrote it into
    registers_origin : int
        Bus address of Weir's registers (4 KiB, uncached); the SoC chooses if it is not given. The region is called
        `weir`, so the BIOS and firmware find it as WEIR_BASE in `generated/mem.h`.
    name : str
        Name of the core in the SoC, and of its interrupt if the design has one and the SoC an interrupt controller. The
        BIOS looks for the DFI injector's CSRs under `sdram`.

    Returns the WeirCore. Raises WeirError if something does not fit; the SoC is unchanged then.
    """
    if not isinstance(design, WeirDesign):
        design = WeirDesign.load(design)
    buses = _memory_buses(soc)
    orders = [HartOrder(bus, soc.cpu.cpu_num_cores) for bus in buses] if isinstance(soc.cpu, Rocket) else []
    origin = soc.mem_map["main_ram"]
    if design.base != origin:
        raise WeirError(f"design '{design.name}': base 0x{design.base:x} is not main_ram's address 0x{origin:x}")
    if registers_origin is not None and registers_origin % REGISTER_BYTES:
        raise WeirError(f"registers_origin 0x{registers_origin:x}: not a multiple of {REGISTER_BYTES}")
    core = WeirCore(phy, module, design, [order.bus for order in orders] or buses)

    soc.submodules += orders
    soc.add_module(name=name, module=core)
    if design.interrupt and soc.irq.enabled:
        soc.irq.add(name, use_loc_if_exists=True)
    soc.platform.add_source(design.verilog)
    soc.bus.add_region("main_ram", SoCRegion(origin=origin, size=design.bytes, mode="rwx"))
    registers = wishbone.Interface(data_width=32, address_width=32, addressing="word")
    soc.bus.add_slave(
        name="weir",
        slave=registers,
        region=SoCRegion(origin=registers_origin, size=REGISTER_BYTES, mode="rw", cached=False),
    )
    # Narrowed to 32 bits on the Wishbone side, where lanes that are not written are skipped: AXI4-Lite would write the
    # neighbour register with no strobes, and a read-only one answers that with an error.
    soc.submodules += axi.Wishbone2AXILite(registers, core.registers)
    return core


def _memory_buses(soc):
    buses = getattr(soc.cpu, "memory_buses", [])
    wrong = [bus for bus in buses if not isinstance(bus, axi.AXIInterface)]
    if not buses or wrong:
        raise WeirError(f"CPU '{soc.cpu.name}' has no AXI4 memory bus, to which Weir attaches")
    return buses
