# SPDX-License-Identifier: Apache-2.0
"""SimulatedEcp5Phy: LiteDRAM's ECP5DDRPHY as the BIOS and a controller see it, with the C++ DRAM model behind it."""

from dataclasses import dataclass

from dfi_dram import DfiDram, all_phases
from litedram.phy import ECP5DDRPHY, dfi
from litex.soc.interconnect.csr import CSR, AutoCSR, CSRStatus, CSRStorage
from migen import Array, Case, Cat, If, Module, Signal

_BURST = 8


@dataclass(frozen=True)
class Lane:
    """How the reads of a byte lane must be trained on a board.

    `bitslip` is the only setting (0 to 3) with which a burst's beats come in their places. With a read delay (0 to 7)
    from `first` to `last` the data are sampled in the middle of the eye; within one step around that the burst is still
    detected, but its data are not right; beyond, DQSBUFM sees no burst.
    """

    bitslip: int
    first: int
    last: int


LANES = (Lane(bitslip=1, first=2, last=5), Lane(bitslip=2, first=1, last=4))
"""Two lanes that differ, so that the BIOS must train each by itself."""


class SimulatedEcp5Phy(Module, AutoCSR):
    """A PHY with the settings, widths and CSRs that LiteDRAM's ECP5DDRPHY has on the board's pads.

    Phases, latencies and bursts are those of `settings`, which LiteDRAM computes. Reads must be trained before they are
    right, as on the board: after reset no lane's settings fit. A wrong bitslip moves the beats of a lane, a read delay
    at the edge of the eye inverts them, and one outside detects no burst. Delay, bitslip and `burstdet_seen` are
    counted and cleared as in the real PHY.

    Parameters
    ----------
    pads : the board's `ddram` pads
    module : litedram.modules.SDRAMModule
        The board's DRAM. Its timings are not passed on: the DRAM model has its own table, found by `part`.
    part : str
        The chip's name in the DRAM model's part table.
    sys_clk_freq : float
        Controller clock in Hz; the DRAM clock is twice as fast.
    options : the board's own for ECP5DDRPHY
    lanes : of each byte of DQ, how it must be trained

    Attributes
    ----------
    dfi, settings : as of the real PHY
    violations : Signal(32), rules the checker has seen broken so far
    """

    def __init__(self, pads, module, part, sys_clk_freq, options, lanes=LANES):
        # for its settings only: nothing of it is simulated
        real = ECP5DDRPHY(pads, sys_clk_freq=sys_clk_freq, **options)
        self.settings = settings = real.settings
        databits, modules = settings.databits, settings.databits // 8
        if len(lanes) != modules:
            raise ValueError(
                f"lanes: {len(lanes)} byte lanes described, but the board's DQ of {databits} has {modules}"
            )
        self.dfi = dfi.Interface(
            len(real.dfi.p0.address), len(real.dfi.p0.bank), settings.nranks, settings.dfi_databits, settings.nphases
        )

        self._dly_sel = CSRStorage(modules)
        self._rdly_dq_rst = CSR()
        self._rdly_dq_inc = CSR()
        self._rdly_dq_bitslip_rst = CSR()
        self._rdly_dq_bitslip = CSR()
        self._burstdet_clr = CSR()
        self._burstdet_seen = CSRStatus(modules)

        dram = DfiDram(self.dfi, settings, module, part, sys_clk_freq)
        self.specials += dram.instance
        self.violations = dram.violations
        self.comb += all_phases(self.dfi, "rddata_valid").eq(dram.rddata_valid)
        for number, lane in enumerate(lanes):
            self._lane(number, lane, dram)

    def _lane(self, number, lane, dram):
        """What the reads of one byte lane become with the settings of its delay and bitslip."""
        selected = self._dly_sel.storage[number]
        delay, slip = Signal(3), Signal(2)
        self.sync += [
            If(selected & self._rdly_dq_rst.re, delay.eq(0)),
            If(selected & self._rdly_dq_inc.re, delay.eq(delay + 1)),
            If(selected & self._rdly_dq_bitslip.re, slip.eq(slip + 1)),
            If(selected & self._rdly_dq_bitslip_rst.re, slip.eq(0)),
        ]
        beats = [dram.rddata[beat * self.settings.databits + 8 * number :][:8] for beat in range(_BURST)]
        moved = Signal(8 * _BURST)
        self.comb += Case(
            slip,
            {
                tried: moved.eq(Cat(*[beats[(beat + tried - lane.bitslip) % _BURST] for beat in range(_BURST)]))
                for tried in range(4)
            },
        )
        sampled, detected = Signal(), Signal()
        self.comb += [
            sampled.eq((delay >= lane.first) & (delay <= lane.last)),
            detected.eq((delay + 1 >= lane.first) & (delay <= lane.last + 1)),
        ]
        self.sync += [
            If(self._burstdet_clr.re, self._burstdet_seen.status[number].eq(0)),
            If(dram.rddata_valid[0] & detected, self._burstdet_seen.status[number].eq(1)),
        ]
        per_phase = _BURST // self.settings.nphases
        for beat in range(_BURST):
            phase, low = self.dfi.phases[beat // per_phase], beat % per_phase * self.settings.databits + 8 * number
            byte = moved[8 * beat : 8 * beat + 8]
            self.comb += phase.rddata[low : low + 8].eq(Array([~byte, byte])[sampled])
