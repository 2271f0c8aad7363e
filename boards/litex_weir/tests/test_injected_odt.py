# SPDX-License-Identifier: Apache-2.0
"""ODT while software has the DFI, clock by clock, and what the mode registers hold. No Verilog is simulated here."""

import random
import re
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import pytest
from litedram.common import PhySettings
from litedram.init import get_sdram_phy_init_sequence
from litedram.phy import dfi
from migen import Signal, run_simulation
from test_litex_weir import DESIGN, Phy, ddr3

from litex_weir import WeirError, injected_odt
from litex_weir.mode_registers import check_termination, initialisation_timing, write_recovery

HOLD = 6  # JESD79-3F table 24, ODTH8


def pins(phases, ranks, writes, allowed=1, levels=None, selected=0, cycles=60):
    """ODT of rank 0 in each clock, of writes injected at these clocks; all ranks must agree."""
    master, outer = (dfi.Interface(14, 3, ranks, 32, phases) for _ in range(2))
    fields = SimpleNamespace(odt=Signal())
    levelling = Signal()
    phy = SimpleNamespace(dfi=outer)
    if levels is not None:
        phy._wlevel_en = SimpleNamespace(storage=levelling)
    dfii = SimpleNamespace(master=master, _control=SimpleNamespace(fields=fields), software_drives=Signal())
    dut = injected_odt.InjectedOdt(dfii, phy)
    seen = []

    def drive():
        yield fields.odt.eq(allowed)
        yield dfii.software_drives.eq(not selected)
        yield levelling.eq(levels or 0)
        for cycle in range(cycles):
            for number, phase in enumerate(master.phases):
                yield phase.wrdata_en.eq(cycle * phases + number in writes)
            yield
            for phase in outer.phases:
                odt = yield phase.odt
                assert odt in (0, (1 << ranks) - 1)
                seen.append(odt & 1)

    run_simulation(dut, drive())
    # what is set in a cycle shows after its edge
    return seen


def wanted(writes, clocks):
    return [int(any(clock - HOLD < write <= clock for write in writes)) for clock in range(clocks)]


@pytest.mark.parametrize("phases", [1, 2, 4])
@pytest.mark.parametrize("ranks", [1, 2])
def test_odt_is_high_for_six_clocks_from_each_injected_write(phases, ranks):
    chance = random.Random(phases)
    writes = {clock for clock in range(60 * phases) if chance.random() < 0.05}
    assert pins(phases, ranks, writes) == wanted(writes, 60 * phases)


@pytest.mark.parametrize("hold", [5, 7])
def test_a_pulse_of_another_length_is_found(monkeypatch, hold):
    monkeypatch.setattr(injected_odt, "ODT_HOLD", hold)
    assert pins(2, 1, {20}) != wanted({20}, 120)


def test_odt_is_low_where_software_does_not_allow_it_and_high_while_writes_are_levelled():
    assert not any(pins(2, 1, {20}, allowed=0))
    assert not any(pins(2, 1, {20}, allowed=0, levels=1))
    assert all(pins(2, 1, set(), levels=1))


def test_odt_is_the_controllers_where_it_has_the_dfi():
    assert not any(pins(2, 1, {20}, selected=1, levels=1))


def mode_register_0(memtype, phases, clock_ps, timing, cl, cwl):
    """As the BIOS gets it."""
    phy = PhySettings("Phy", memtype, 64, 64, phases, 0, 0, cl, 9, 1, nranks=1, cwl=cwl)
    phy.is_rdimm = False
    design = replace(DESIGN, timing=timing, phases=phases, t_ck_ps=clock_ps)
    settings = initialisation_timing(SimpleNamespace(tWTR=2, fine_refresh_mode="1x"), phy, design)
    sequence, _ = get_sdram_phy_init_sequence(phy, settings)
    (value,) = (address for comment, address, bank, *_ in sequence if re.search("Load Mode Register 0", comment))
    return value


# tWR is 15 ns: DRAM clock, clocks of tWR, code in A11:A9 (DDR4: A13 above) of JESD79-3F figure 9, JESD79-4B table 2
@pytest.mark.parametrize(
    ("memtype", "clock_ps", "clocks", "code"),
    [
        ("DDR3", 1250, 12, 0b110),
        ("DDR3", 1500, 10, 0b101),
        ("DDR3", 1875, 8, 0b100),
        ("DDR3", 6666, 3, 0b001),
        ("DDR3", 1071, 15, 0b000),
        ("DDR4", 833, 18, 0b0100),
        ("DDR4", 625, 24, 0b0110),
        ("DDR4", 1250, 12, 0b0001),
    ],
)
@pytest.mark.parametrize("phases", [1, 2, 4])
def test_write_recovery_covers_twr(memtype, clock_ps, clocks, code, phases):
    cl, cwl = (9, 9) if memtype == "DDR4" else (6, 5)
    found = mode_register_0(memtype, phases, clock_ps, {"tWR": clocks, "tRTP": 4}, cl, cwl)
    assert found >> 9 & 7 | (found >> 13 & 1) << 3 == code


def test_write_recovery_of_ddr4_is_twice_trtp_too_and_has_a_limit():
    assert write_recovery("DDR4", {"tWR": 12, "tRTP": 8}) == 16
    with pytest.raises(WeirError, match="tWR of 17 clocks: mode register 0 of DDR3 names 16 at most"):
        write_recovery("DDR3", {"tWR": 17, "tRTP": 4})


def test_other_timings_stay_as_they_are():
    settings = ddr3().timing_settings
    before = settings.tWTR
    seen = initialisation_timing(settings, Phy().settings, replace(DESIGN, timing={"tWR": 12, "tRTP": 6}))
    assert (seen.tWTR, settings.tWTR, seen.tREFI) == (Fraction(12, 4), before, settings.tREFI)


def test_odt_that_is_always_high_wants_rtt_nom_off():
    settings = Phy().settings
    check_termination(settings, DESIGN)
    high = replace(DESIGN, odt_by_command=False)
    with pytest.raises(WeirError, match="PHY: rtt_nom = LiteDRAM's default, but design 'a-design' holds ODT high"):
        check_termination(settings, high)
    settings.rtt_nom = "60ohm"
    with pytest.raises(WeirError, match="PHY: rtt_nom = 60ohm"):
        check_termination(settings, high)
    settings.rtt_nom = "disabled"
    check_termination(settings, high)
