#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Build LiteX's own simulator of a Rocket SoC, as litex_sim does: its SoC, its C program, its Makefile, its flags.

The SoC is litex_sim's SimSoC with one hart like those of Weir's SoC, a DDR3 bus as wide and LiteDRAM. What is added is
a counter that says on the standard output when a number of cycles is over, and that ends the run; litex_sim itself
never tells how far it is.
"""

import argparse
import subprocess
from pathlib import Path

from litex.build.sim.config import SimConfig
from litex.soc.integration.builder import Builder
from litex.tools.litex_sim import SimSoC
from migen import Display, Finish, If, Signal
from speed import FIRST, LAST

from litex_weir import rocket

SDRAM_MODULE, SDRAM_DATA_BITS = "MT41J128M16", 64
"""LiteDRAM's name of the chip, and bits of the data bus; as wide as the bus of Weir's SoC, with one rank."""


def soc():
    """litex_sim's SoC with one Rocket hart; it displays `CYCLE n` at cycles FIRST and LAST, and ends then."""
    rocket.select(1)
    made = SimSoC(
        with_sdram=True,
        sdram_module=SDRAM_MODULE,
        sdram_data_width=SDRAM_DATA_BITS,
        cpu_type="rocket",
        cpu_variant="linux",
        bus_data_width=64,
        uart_name="sim",
        integrated_rom_size=0x20000,
    )
    cycle = Signal(64)
    made.sync += [
        cycle.eq(cycle + 1),
        If(cycle == FIRST, Display("CYCLE %0d", cycle)),
        If(cycle == LAST, Display("CYCLE %0d", cycle), Finish()),
    ]
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, required=True, help="folder to write into")
    options = parser.parse_args()
    config = SimConfig()
    config.add_clocker("sys_clk", freq_hz=int(1e6))
    config.add_module("serial2console", "serial")
    # litex_sim builds and runs in one step; the run is left to the caller, who measures it. So is the start of LiteX's
    # build script, which belongs to the run.
    builder = Builder(soc(), output_dir=str(options.output))
    builder.build(sim_config=config, run=False, opt_level="O3", jobs=2)
    subprocess.run(["bash", "build_sim.sh"], cwd=options.output / "gateware", check=True)


if __name__ == "__main__":
    main()
