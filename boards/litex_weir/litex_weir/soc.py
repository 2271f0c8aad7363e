# SPDX-License-Identifier: Apache-2.0
"""add_weir: the counterpart of LiteX's `LiteXSoC.add_sdram`."""

from litex.soc.cores.cpu.rocket.core import Rocket
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect import axi, wishbone
from migen import FullMemoryWE

from litex_weir.core import REGISTER_BYTES, WeirCore
from litex_weir.design import WeirDesign
from litex_weir.errors import WeirError
from litex_weir.rocket import LINE_BITS, HartOrder
from litex_weir.wider_port import WiderPort
from litex_weir.wishbone_port import WishbonePort


def add_weir(soc, phy, module, design, registers_origin=None, name="sdram", l2_cache_size=8192, clock=None):
    """Give `soc` a DRAM behind Weir: main_ram, and Weir's registers on the SoC's bus.

    main_ram is on the CPU's AXI4 memory buses, bus n on port n of Weir. Rocket's ids are put in the order of its harts
    on the way, so that id[3:2] is the hart, and its lines into beats as wide as the port; what is less than a line, as
    of DMA masters beside the harts, comes through as it is (WiderPort). Where the CPU has no memory bus (VexRiscv),
    main_ram is on the SoC's Wishbone bus, and between it and Weir's only port is the cache that LiteX puts before
    LiteDRAM too.

    Where each rank is one range of addresses after reset, the constant WEIR_RANK_BYTES says how many bytes it has, and
    Linux makes a node of each (sw/guest/machine). Of a design with an NVM region WEIR_NVM_BYTES says how many bytes at
    the end of main_ram it has.

    Parameters
    ----------
    soc : litex.soc.integration.soc.LiteXSoC
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
        Bytes of that cache, a power of two, at least two words of Weir's port. Nothing for a CPU with memory buses.
    clock : object
        Where Weir and `phy` have a clock of their own: `domain` is its name, and `crossing(bus)` a module whose `bus`
        is, in that domain, the AXI4 or AXI4-Lite `bus` of `sys`. Else all are in `sys`, whose frequency the design
        must take (WeirDesign.takes_clock).

    Returns the WeirCore. Raises WeirError if something does not fit; the SoC is unchanged then.
    """
    if not isinstance(design, WeirDesign):
        design = WeirDesign.load(design)
    buses, origin = _memory_buses(soc), soc.mem_map["main_ram"]
    if buses:
        if design.base != origin:
            raise WeirError(f"design '{design.name}': base 0x{design.base:x} is not main_ram's address 0x{origin:x}")
        bridges = [HartOrder(bus, soc.cpu.cpu_num_cores) for bus in buses] if isinstance(soc.cpu, Rocket) else []
        ports = [bridge.bus for bridge in bridges] or buses
        if bridges and ports[0].data_width < design.axi_data_bits <= LINE_BITS:
            bridges += [WiderPort(port, design.axi_data_bits) for port in ports]
            ports = [bridge.bus for bridge in bridges[len(ports) :]]
    else:
        cache, bridge = _cached_port(soc, design, origin, l2_cache_size)
        bridges, ports = [bridge], [bridge.port]
    if registers_origin is not None and registers_origin % REGISTER_BYTES:
        raise WeirError(f"registers_origin 0x{registers_origin:x}: not a multiple of {REGISTER_BYTES}")
    if clock is None:
        design.check_clock("the SoC's clock", soc.sys_clk_freq)
    if clock:
        crossings = [clock.crossing(port) for port in ports]
        bridges, ports = bridges + crossings, [crossing.bus for crossing in crossings]
    core = WeirCore(phy, module, design, ports, clock.domain if clock else "sys")

    soc.submodules += bridges
    soc.add_module(name=name, module=core)
    if design.interrupt and soc.irq.enabled:
        soc.irq.add(name, use_loc_if_exists=True)
    soc.platform.add_source(design.verilog)
    soc.bus.add_region("main_ram", SoCRegion(origin=origin, size=design.bytes, mode="rwx"))
    if design.address_map == "rank_row_bank_column":
        soc.add_constant("WEIR_RANK_BYTES", design.bytes // design.ranks)
    if design.nvm_bytes:
        soc.add_constant("WEIR_NVM_BYTES", design.nvm_bytes)
    if not buses:
        soc.bus.add_slave(name="main_ram", slave=cache.master)
        soc.add_module(name="l2_cache", module=FullMemoryWE()(cache))
        soc.add_config("L2_SIZE", l2_cache_size)
    registers = wishbone.Interface(data_width=32, address_width=32, addressing="word")
    soc.bus.add_slave(
        name="weir",
        slave=registers,
        region=SoCRegion(origin=registers_origin, size=REGISTER_BYTES, mode="rw", cached=False),
    )
    # Narrowed to 32 bits on the Wishbone side, where lanes that are not written are skipped: AXI4-Lite would write the
    # neighbour register with no strobes, and a read-only one answers that with an error.
    lite = axi.AXILiteInterface(data_width=32, address_width=32) if clock else core.registers
    soc.submodules += axi.Wishbone2AXILite(registers, lite)
    if clock:
        crossing = clock.crossing(lite)
        soc.submodules += crossing
        soc.comb += crossing.bus.connect(core.registers)
    return core


def _memory_buses(soc):
    """Those of the CPU; none where its memory is on the SoC's bus. `add_memory_buses` makes some of LiteDRAM's kind."""
    buses = getattr(soc.cpu, "memory_buses", [])
    if hasattr(soc.cpu, "add_memory_buses") or not all(isinstance(bus, axi.AXIInterface) for bus in buses):
        raise WeirError(f"CPU '{soc.cpu.name}' has a memory bus that is not AXI4, to which Weir attaches")
    return buses


def _cached_port(soc, design, origin, cache_bytes):
    """A cache, and the bridge from it to the design's port."""
    if soc.bus.standard != "wishbone":
        raise WeirError(
            f"CPU '{soc.cpu.name}' has no AXI4 memory bus, and the SoC's bus is {soc.bus.standard}, not wishbone"
        )
    word_bytes = design.axi_data_bits // 8
    if cache_bytes < 2 * word_bytes or cache_bytes & (cache_bytes - 1):
        raise WeirError(f"l2_cache_size {cache_bytes}: must be a power of two, at least {2 * word_bytes} bytes")
    if origin % design.bytes:
        raise WeirError(
            f"design '{design.name}': main_ram's address 0x{origin:x} must be a multiple of its {design.bytes} bytes"
        )
    bridge = WishbonePort(
        design.axi_data_bits, design.axi_address_bits, design.axi_id_bits, base=design.base, size=design.bytes
    )
    master = wishbone.Interface(data_width=soc.bus.data_width, address_width=32, addressing="word")
    cache = wishbone.Cache(cachesize=cache_bytes // 4, master=master, slave=bridge.bus, reverse=False)
    return cache, bridge
