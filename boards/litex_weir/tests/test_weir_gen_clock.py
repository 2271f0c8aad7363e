# SPDX-License-Identifier: Apache-2.0
"""The clock of weir_gen's cores with ECP5DDRPHY: what the PLL in the Verilog makes of the oscillator's."""

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
import yaml

from litex_weir import WeirError, weir_gen
from litex_weir.core_file import CoreFile
from litex_weir.standalone import StandaloneCore

ROOT = Path(__file__).resolve().parents[3]
ECP5 = yaml.safe_load((ROOT / "boards" / "litex_weir" / "examples" / "ecpix5.yml").read_text())
LITE = ROOT / "build" / "hw" / "ecp5-lite"
TREFI = Fraction(7_800, 10**9)
"""Of DDR3 up to 85 degrees, in seconds (JESD79-3F, Table 61)."""


@pytest.fixture(autouse=True)
def _in_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)


def design(folder, period_ps):
    """That of ecp5-lite, made for another clock of the DRAM; its Verilog is not read here."""
    found = json.loads((LITE / "Weir.json").read_text())
    found["timing"] |= {"tCKps": period_ps, "tREFI": 7_800_000 // period_ps}
    folder.mkdir()
    (folder / "Weir.json").write_text(json.dumps(found))
    (folder / "Weir.sv").symlink_to(LITE / "Weir.sv")
    return str(folder)


def asked(folder, input_clock, system_clock, period_ps):
    file = folder / "core.yml"
    clocks = {"input_clock": input_clock, "system_clock": system_clock}
    file.write_text(yaml.safe_dump(ECP5 | clocks | {"design": design(folder / "design", period_ps)}))
    return CoreFile.load(file)


def dram_clock(verilog, input_clock):
    """What the EHXPLLL in the text makes, by Lattice's description of it (FPGA-TN-02200): the oscillator that
    CLKFB_DIV and the divider of the output that is fed back hold."""
    divided = {name: int(value) for name, value in re.findall(r"\.(\w+_DIV)\s*\(\S*?(\d+)\)", verilog)}
    (path,) = re.findall(r'\.FEEDBK_PATH\s*\("INT_O(\w+)"\)', verilog)
    oscillator = Fraction(input_clock) / divided["CLKI_DIV"] * divided["CLKFB_DIV"] * divided[f"CLKO{path}_DIV"]
    assert 400e6 <= oscillator <= 800e6
    return oscillator / divided["CLKOP_DIV"]


@pytest.mark.parametrize(
    ("input_clock", "system_clock", "period_ps"),
    [
        (100_000_000, 75e6, 6666),
        (12_000_000, 75e6, 6666),
        (27_000_000, 74.25e6, 6734),
        (123_456_789, 74.96e6, 6668),
    ],
)
def test_the_pll_makes_the_clock_that_is_told_and_refreshes_come_in_time(
    tmp_path, capsys, input_clock, system_clock, period_ps
):
    core = asked(tmp_path, input_clock, system_clock, period_ps)
    built = weir_gen.build(StandaloneCore(core), tmp_path / "litex")
    made = dram_clock((built / "gateware" / f"{core.name}.v").read_text(), input_clock)
    assert float(made) == pytest.approx(2 * core.system_clock, rel=1e-6)
    assert float(made) == pytest.approx(2 * system_clock, rel=1e-3)
    assert core.design.timing["tREFI"] / made <= TREFI * (1 + Fraction(1, 10**6))
    assert made * period_ps <= 10**12 * (1 + Fraction(1, 10**6)), "minimum times are too short"
    header = (built / "software" / "include" / "generated" / "soc.h").read_text()
    assert f"#define CONFIG_CLOCK_FREQUENCY {int(core.system_clock)}" in header


@pytest.mark.parametrize(
    ("input_clock", "system_clock", "period_ps", "made"),
    [
        (27_000_000, 75e6, 6666, "74.25 or 75.6 MHz"),
        (123_456_789, 75e6, 6666, r"74.9\d+ or 75\.\d+ MHz"),
    ],
)
def test_an_oscillator_that_gives_no_such_clock_is_refused(tmp_path, input_clock, system_clock, period_ps, made):
    message = rf"of input_clock = [\d.]+ MHz the PLL makes {made}, but design 'ecp5-lite' was made for [\d.]+ MHz"
    with pytest.raises(WeirError, match=message):
        asked(tmp_path, input_clock, system_clock, period_ps)
