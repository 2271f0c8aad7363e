# SPDX-License-Identifier: Apache-2.0
"""What the DRAM's mode registers must hold where Weir drives it; LiteDRAM's code computes them for the BIOS."""

import copy
from fractions import Fraction

from litex_weir.errors import WeirError

WRITE_RECOVERY = {"DDR3": (5, 6, 7, 8, 10, 12, 14, 16), "DDR4": (10, 12, 14, 16, 18, 20, 22, 24, 26, 28)}
"""DRAM clocks that the field WR of mode register 0 can name (JESD79-3F figure 9, JESD79-4B table 2)."""


def write_recovery(memtype, timing):
    """WR of mode register 0: the fewest clocks it can name that cover tWR (JESD79-3F 3.4.2.5), and on DDR4, where it
    names tRTP as half of it, twice tRTP.

    Parameters
    ----------
    memtype : "DDR3" or "DDR4"
    timing : dict, in DRAM clocks by the names in Weir.json

    Raises WeirError if there is no such code.
    """
    clocks = max(timing["tWR"], 2 * timing["tRTP"] if memtype == "DDR4" else 0)
    for named in WRITE_RECOVERY[memtype]:
        if named >= clocks:
            return named
    raise WeirError(f"tWR of {clocks} clocks: mode register 0 of {memtype} names {WRITE_RECOVERY[memtype][-1]} at most")


def initialisation_timing(settings, phy, design):
    """LiteDRAM's timing `settings` of the DRAM, as its initialisation code (`litedram.init`) must see them.

    That code takes `tWTR` times the phases for WR, which is too few clocks where tWR is longer (8 for 12 at DDR3-1600)
    and no code at all for other products. It reads tWTR for nothing else, and with Weir nobody else reads it.
    """
    if not design.timing or phy.memtype not in WRITE_RECOVERY:
        return settings
    seen = copy.copy(settings)
    seen.tWTR = Fraction(write_recovery(phy.memtype, design.timing), phy.nphases)
    return seen


def check_termination(phy, design):
    """WeirError where ODT is always high and the PHY's settings have RTT_NOM on: the DRAM would terminate its own reads
    (JESD79-3F 5.2.3). `rtt_nom` is LiteDRAM's attribute; without it LiteDRAM has RTT_NOM on."""
    rtt_nom = getattr(phy, "rtt_nom", "LiteDRAM's default")
    if not design.odt_by_command and rtt_nom != "disabled":
        raise WeirError(
            f"PHY: rtt_nom = {rtt_nom}, but design '{design.name}' holds ODT high: it must be 'disabled' "
            "(phy.settings.rtt_nom), or the design's odtByCommand true"
        )
