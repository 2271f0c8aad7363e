# SPDX-License-Identifier: Apache-2.0
"""A LiteX platform whose pads are the top-level ports of a Verilated model and whose build writes Verilog only."""

from pathlib import Path

from litex.build.generic_platform import GenericPlatform, Pins, Subsignal
from migen import Memory

TOP = "soc"
"""Name of the Verilog top module."""

_PADS = [
    ("sys_clk", 0, Pins(1)),
    ("sys_rst", 0, Pins(1)),
    # Console, byte streams: `source` leaves the SoC, `sink` enters it.
    (
        "serial",
        0,
        Subsignal("source_valid", Pins(1)),
        Subsignal("source_ready", Pins(1)),
        Subsignal("source_data", Pins(8)),
        Subsignal("sink_valid", Pins(1)),
        Subsignal("sink_ready", Pins(1)),
        Subsignal("sink_data", Pins(8)),
    ),
    # The guest's exit code, valid for one cycle.
    ("finisher", 0, Subsignal("valid", Pins(1)), Subsignal("code", Pins(32))),
    # The guest asks to be frozen, for a cycle; it has taken `script_next`, the next byte of its script (bit 8: valid).
    ("host", 0, Subsignal("freeze", Pins(1)), Subsignal("script_taken", Pins(1)), Subsignal("script_next", Pins(9))),
    # Whether the coming rising edge of sys_clk is one of the memory's clock too, which is high and low with it then.
    # And whether it is slower than sys_clk.
    (
        "memory_clock",
        0,
        Subsignal("tick", Pins(1)),
        Subsignal("clk", Pins(1)),
        Subsignal("divided", Pins(1)),
    ),
    # Rules that the DRAM checker has seen broken so far.
    ("violations", 0, Pins(32)),
]


class SimulationPlatform(GenericPlatform):
    """Pads of the simulated SoC, in the `sys` clock domain but for `memory_clock`. Reset is synchronous and active
    high."""

    def __init__(self):
        GenericPlatform.__init__(self, "SIM", list(_PADS), name=TOP)

    def build(self, soc, build_dir, build_name=TOP, **_):
        """Write TOP.v, the Verilog that LiteX makes, and sources.f, all files for Verilator, into `build_dir`."""
        fragment = soc.get_fragment()
        self.finalize(fragment)
        for memory in fragment.specials:
            # LiteX would let an empty memory read a file of no words, from wherever the simulator happens to run.
            if isinstance(memory, Memory) and not memory.init:
                memory.init = None
        folder = Path(build_dir)
        verilog = self.get_verilog(fragment, name=build_name, regular_comb=False)
        verilog.write(str(folder / f"{build_name}.v"))
        sources = [path for path, *_ in self.sources] + [str(folder / f"{build_name}.v")]
        (folder / "sources.f").write_text("".join(f"{path}\n" for path in sources))
        return verilog.ns
