# SPDX-License-Identifier: Apache-2.0
"""What clocks an ECP5's PLL can make of an oscillator's, and which of them a design takes."""

from litex.soc.cores.clock import ECP5PLL

from litex_weir.errors import WeirError


def reachable(input_hz, wanted_hz):
    """The frequencies next to `wanted_hz` that LiteX's ECP5PLL can make of `input_hz`: the largest that is not above
    it, and the least that is; None where there is none. All in Hz."""
    below = above = None
    for input_divider in range(*ECP5PLL.clki_div_range):
        phase_detector = input_hz / input_divider
        if not _within(phase_detector, ECP5PLL.pfd_freq_range):
            continue
        for factor in range(*ECP5PLL.clkfb_div_range):
            oscillator = phase_detector * factor
            if not _within(oscillator, ECP5PLL.vco_freq_range):
                continue
            for divider in range(*ECP5PLL.clko_div_range):
                made = oscillator / divider
                if not _within(made, ECP5PLL.clko_freq_range):
                    continue
                if made <= wanted_hz * (1 + 1e-9):
                    below = made if below is None else max(below, made)
                else:
                    above = made if above is None else min(above, made)
    return below, above


def nearest(design, input_hz, system_hz):
    """The controller clock, nearest to `system_hz` of those that the PLL can make of `input_hz` and that `design`
    takes; the PLL makes that of ECP5DDRPHY's DRAM, which is twice as fast. WeirError, which names the nearest that can
    be made, if the design takes none of them."""
    made = [hz / 2 for hz in reachable(input_hz, 2 * system_hz) if hz is not None]
    fits = [hz for hz in made if design.takes_clock(hz)]
    if not fits:
        names = " or ".join(f"{hz / 1e6:.6g}" for hz in made) or "no such clock,"
        raise WeirError(
            f"system_clock = {system_hz / 1e6:g} MHz: of input_clock = {input_hz / 1e6:g} MHz the PLL makes {names} "
            f"MHz, but {design.clocks()}"
        )
    return min(fits, key=lambda hz: abs(hz - system_hz))


def mend(pll):
    """Let the ECP5PLL `pll` feed back through a divider that makes its oscillator what LiteX computed: LiteX 2024.12
    rounds the divider down, so that 0.999... becomes 0."""
    computed = pll.compute_config

    def compute_config():
        config = computed()
        divider = config["vco"] * config["clki_div"] / (pll.clkin_freq * config["clkfb_div"])
        return config | {f"clko{config['clkfb']}_div": round(divider)}

    pll.compute_config = compute_config


def _within(hz, limits):
    return limits[0] <= hz <= limits[1]
