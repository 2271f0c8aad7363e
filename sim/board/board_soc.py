# SPDX-License-Identifier: Apache-2.0
"""SimulatedBoard: the SoC of an ECP5 board, with the PHY and the DRAM behind its DFI simulated.

CPU, bus, L2 cache, DFI injector, controller and the DRAM's geometry are those of the board's target; in the place of
what only the FPGA has stand a clock from outside, a ROM whose image is read when the simulator starts, a console of
byte streams, and SimulatedEcp5Phy.
"""

from pathlib import Path

from axi_log import AxiLog
from ecp5_phy import SimulatedEcp5Phy
from simulation_soc import SimulationSoC

from weir_boards.soc import L2_CACHE_BYTES

MEMTEST_BYTES = 16 * 1024
RETIREMENT = Path(__file__).with_name("vexriscv_retirement.sv")


class SimulatedBoard(SimulationSoC):
    """The SoC of a board in simulation, with VexRiscv (variant linux).

    Parameters
    ----------
    board : weir_boards.board.Board
    controller : one of weir_boards.board.CONTROLLERS
    design : WeirDesign or None
        The Weir that Board.build names, None for LiteDRAM.

    Raises BoardError or WeirError when the board has no such build or the design is not made for it.
    """

    def __init__(self, board, controller, design=None):
        board.check("vexriscv", controller, design)
        hz = board.build("vexriscv", controller)[1] * 1e6
        super().__init__(hz, [RETIREMENT], cpu_type="vexriscv", cpu_variant="linux")
        pads = board.platform().request("ddram")
        module = board.dram(hz, "1:2")
        phy = SimulatedEcp5Phy(pads, module, f"{board.dram.__name__}-125", hz, board.phy_options)
        board.set_termination(phy.settings)
        cache = {"l2_cache_size": L2_CACHE_BYTES}
        core = self.add_memory(phy, module, design, MEMTEST_BYTES, weir_options=cache, litedram_options=cache)
        if core:
            self.submodules += AxiLog(self.platform, core.ports[0])
