# SPDX-License-Identifier: Apache-2.0
"""Weir in LiteX SoCs: the memory controller in place of LiteDRAM's, behind the same PHYs, BIOS and CSRs.

``add_weir(soc, ...)`` is the counterpart of LiteX's ``soc.add_sdram(...)``.
"""

from litex_weir.core import WeirCore
from litex_weir.design import WeirDesign
from litex_weir.errors import WeirError
from litex_weir.soc import add_weir

__all__ = ["WeirCore", "WeirDesign", "WeirError", "add_weir"]
