# SPDX-License-Identifier: Apache-2.0
"""add_weir: the counterpart of LiteX's `LiteXSoC.add_sdram`."""

from litex.soc.cores.cpu.rocket.core import Rocket
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect import axi, wishbone

from litex_weir.core import REGISTER_BYTES, WeirCore
from litex_weir.design import WeirDesign
from litex_weir.errors import WeirError
from litex_weir.rocket import HartOrder
from litex_weir.wishbone import CachedBus


def add_weir(soc, phy, module, design, registers_origin=None, name="sdram", l2_cache_size=8192):
    """Give `soc` a DRAM behind Weir: main_ram on the CPU's memory buses or on the SoC's bus, Weir's registers there too.

    Parameters
    ----------
    soc : litex.soc.integration.soc.LiteXSoC
        If its CPU has AXI4 memory buses, bus n becomes port n of Weir. Rocket's ids are put in the order of its harts
        on the way, so that id[3:2] is the hart. A CPU without (VexRiscv) reaches main_ram over the SoC's bus, through
        an L2 cache, as with LiteX's add_sdram; the design then has one port, whatever its width and base.
    phy : a LiteDRAM PHY
    module : litedram.modules.SDRAMModule
    design : WeirDesign, or the folder that `./mill hw.run --config ... --output ...` wrote it into
    registers_origin : int
        Bus address of Weir's registers (4 KiB, uncached); the SoC chooses if it is not given. The region is called
        `weir`, so the BIOS and firmware find it as WEIR_BASE in `generated/mem.h`.
    name : str
        Name of the core in the SoC, and of its interrupt if the design has one and the SoC an interrupt controller. The
        BIOS looks for the DFI injector's CSRs under `sdram`.
    l2_cache_size : int
        Bytes of the L2 cache before main_ram on the SoC's bus, a power of two, in lines as wide as the design's port; 0
        for none. Without effect where the CPU has memory buses.

    Returns the WeirCore. Raises WeirError if something does not fit; the SoC is unchanged then.
    """
    if not isinstance(design, WeirDesign):
        design = WeirDesign.load(design)
    buses = _memory_buses(soc)
    origin = soc.mem_map["main_ram"]
    bridges = []
    if not buses:
        port = axi.AXIInterface(
            data_width=design.axi_data_bits, address_width=design.axi_address_bits, id_width=design.axi_id_bits
        )
        bridges = [CachedBus(soc.bus.data_width, port, design.base, design.bytes, l2_cache_size)]
        ports = [port]
    elif design.base != origin:
        raise WeirError(f"design '{design.name}': base 0x{design.base:x} is not main_ram's address 0x{origin:x}")
    elif isinstance(soc.cpu, Rocket):
        bridges = [HartOrder(bus, soc.cpu.cpu_num_cores) for bus in buses]
        ports = [order.bus for order in bridges]
    else:
        ports = buses
    if registers_origin is not None and registers_origin % REGISTER_BYTES:
        raise WeirError(f"registers_origin 0x{registers_origin:x}: not a multiple of {REGISTER_BYTES}")
    core = WeirCore(phy, module, design, ports)

    soc.submodules += bridges
    soc.add_module(name=name, module=core)
    if design.interrupt and soc.irq.enabled:
        soc.irq.add(name, use_loc_if_exists=True)
    soc.platform.add_source(design.verilog)
    main_ram = SoCRegion(origin=origin, size=design.bytes, mode="rwx")
    if buses:
        soc.bus.add_region("main_ram", main_ram)
    else:
        soc.bus.add_slave("main_ram", bridges[0].bus, main_ram)
        if l2_cache_size:
            soc.add_config("L2_SIZE", l2_cache_size)
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
    """The CPU's AXI4 memory buses; none for a CPU that has no memory buses."""
    buses = getattr(soc.cpu, "memory_buses", [])
    wrong = [bus for bus in buses if not isinstance(bus, axi.AXIInterface)]
    if wrong or hasattr(soc.cpu, "add_memory_buses"):
        raise WeirError(f"CPU '{soc.cpu.name}' has memory buses that are not AXI4, to which Weir attaches")
    return buses
