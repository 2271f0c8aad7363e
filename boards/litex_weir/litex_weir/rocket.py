# SPDX-License-Identifier: Apache-2.0
"""Rocket harts of the packaged `pythondata-cpu-rocket` in LiteX 2024.12.

The package's Verilog has older names than LiteX asks for, and its `linux` variants have no FPU (rv64imac). `select`
tells LiteX's Rocket class which Verilog to take and what its harts can do. What has page tables gets a walker that
waits (`rocket_walker`): the changed file is written when the SoC is finalized, as only then its folder is known.

On the memory port, id[1:0] is 0 for the data cache and 2 for the instruction cache, and id[3:2] tells the hart, but
backwards: hart 0 has the highest number. `HartOrder` turns that round.
"""

from pathlib import Path

from litex import get_data_mod
from litex.soc.cores.cpu.rocket.core import Rocket
from litex.soc.interconnect.axi import AXIInterface
from migen import Instance, Module

from litex_weir import whole_files
from litex_weir.errors import WeirError
from litex_weir.rocket_walker import with_waiting_walker

LINE_BITS = 512
"""A block of Rocket's caches, which is all that it reads or writes of memory at a time."""

# (variant, harts, bits of the memory port) -> configuration in the package.
CONFIGURATIONS = {
    ("small", 1, 64): "LitexConfig",
    ("linux", 1, 64): "LitexLinuxConfig",
    ("linux", 4, 64): "LitexLinux4Config",
    ("linux", 1, 128): "LitexLinuxDConfig",
    ("linux", 2, 128): "LitexLinux2DConfig",
    ("linux", 1, 256): "LitexLinuxQConfig",
    ("linux", 2, 256): "LitexLinux2QConfig",
    ("full", 1, 64): "LitexFullConfig",
    ("full", 1, 128): "LitexFullDConfig",
    ("full", 4, 128): "LitexFull4DConfig",
    ("full", 1, 256): "LitexFullQConfig",
    ("full", 4, 256): "LitexFull4QConfig",
}


def memory_bits(harts, variant="linux"):
    """The narrowest memory port, in bits, with which the package has `harts` harts of `variant`.

    Raises WeirError if the package has no such Rocket.
    """
    widths = [bits for (v, h, bits) in CONFIGURATIONS if (v, h) == (variant, harts)]
    if not widths:
        raise WeirError(f"rocket: {harts} hart(s) of variant '{variant}': there are {_choices()}")
    return min(widths)


def select(harts, variant="linux", bits=None):
    """Make LiteX's `rocket` CPU the packaged one with `harts` harts and a memory port of `bits` bits.

    To be called before the SoC is made. Without `bits` the narrowest port is taken. Raises WeirError if the package has
    no such Rocket. LiteX keeps these choices in the class, so they hold for every SoC made afterwards.
    """
    bits = memory_bits(harts, variant) if bits is None else bits
    if (variant, harts, bits) not in CONFIGURATIONS:
        raise WeirError(
            f"rocket: {harts} hart(s) of variant '{variant}' with a {bits}-bit port: there are {_choices()}"
        )
    Rocket.cpu_num_cores = harts
    Rocket.cpu_mem_width = bits // 64
    Rocket.get_arch = staticmethod(_isa)
    Rocket.add_sources = staticmethod(_add_sources)
    Rocket.do_finalize = _finalize


class HartOrder(Module):
    """Rocket's memory port with ids that name the hart: id[3:2] of `bus` is the number of the hart.

    Parameters
    ----------
    port : AXIInterface
        The CPU's memory bus, in the `sys` clock domain.
    harts : int
        Rocket harts, a power of two.

    Attributes
    ----------
    bus : AXIInterface, as `port` but for the ids
    """

    def __init__(self, port, harts):
        self.bus = bus = AXIInterface(
            data_width=port.data_width, address_width=port.address_width, id_width=port.id_width
        )
        backwards = (harts - 1) << 2
        self.comb += port.connect(bus, omit={"id"})
        self.comb += [getattr(bus, channel).id.eq(getattr(port, channel).id ^ backwards) for channel in ("ar", "aw")]
        self.comb += [getattr(port, channel).id.eq(getattr(bus, channel).id ^ backwards) for channel in ("r", "b")]


def _choices():
    return ", ".join(f"{h} x {v} ({b}-bit port)" for v, h, b in CONFIGURATIONS)


def _isa(variant):
    return "rv64i2p0_mafdc" if variant == "full" else "rv64i2p0_mac"


def _configuration(variant):
    """The packaged system's name and the folder of its Verilog."""
    name = CONFIGURATIONS[(variant, Rocket.cpu_num_cores, Rocket.cpu_mem_width * 64)]
    folder = Path(get_data_mod("cpu", "rocket").data_location)
    return f"freechips.rocketchip.system.{name}", folder


def _add_sources(platform, variant):
    name, folder = _configuration(variant)
    platform.add_source(folder / "generated-src" / f"{name}.behav_srams.v")
    platform.add_sources(folder / "vsrc", "plusarg_reader.v", "AsyncResetReg.v", "EICG_wrapper.v")


def _finalize(cpu):
    """What LiteX's Rocket does, and its Verilog, changed, in the folder where the Builder has the SoC's own."""
    name, folder = _configuration(cpu.variant)
    verilog = (folder / "generated-src" / f"{name}.v").read_text()
    if cpu.variant != "small":  # which has no supervisor mode
        verilog = with_waiting_walker(verilog)
    gateware = Path(cpu.platform.output_dir or Path("build", cpu.platform.name)) / "gateware"
    whole_files.write(gateware, {f"{name}.v": verilog.encode()})
    cpu.platform.add_source(gateware / f"{name}.v")
    cpu.specials += Instance("ExampleRocketSystem", **cpu.cpu_params)
