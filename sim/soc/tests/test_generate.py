# SPDX-License-Identifier: Apache-2.0
"""The generator of the SoC: its arguments, and the SoC with LiteDRAM's controller in Weir's place."""

import json
import re

import generate
import pytest
from conftest import ROOT

LIBRARY = ROOT / "build" / "soc" / "libc"
DESIGN = ROOT / "build" / "hw" / "soc-64"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--harts", "3", "--design", DESIGN], "argument --harts: invalid choice: 3 (choose from 1, 2, 4)"),
        (["--ranks", "3", "--design", DESIGN], "argument --ranks: invalid choice: 3 (choose from 2, 4)"),
        (["--controller", "other"], "argument --controller: invalid choice: 'other'"),
        ([], "--design is needed with --controller weir"),
        (["--controller", "litedram", "--design", DESIGN], "refused with litedram"),
    ],
)
def test_bad_arguments_are_refused(arguments, message, tmp_path, capsys):
    output = tmp_path / "soc"
    with pytest.raises(SystemExit) as end:
        generate.main([str(word) for word in (*arguments, "--libc", LIBRARY, "--output", output)])
    assert end.value.code == 2
    assert message in capsys.readouterr().err
    assert not output.exists()


@pytest.mark.parametrize(
    ("options", "folder", "message"),
    [
        (["--harts", "2"], DESIGN, "memory bus 0: data_width = 128, but design 'soc-64' was made for 64"),
        (["--harts", "1", "--ranks", "4"], DESIGN, "nranks = 4, but design 'soc-64' was made for 2"),
        (["--harts", "1"], ROOT / "nowhere", "Weir.sv does not exist"),
    ],
)
def test_a_design_that_does_not_fit_is_refused(options, folder, message, tmp_path):
    output = tmp_path / "soc"
    arguments = [*options, "--design", folder, "--libc", LIBRARY, "--output", output]
    with pytest.raises(SystemExit) as end:
        generate.main([str(word) for word in arguments])
    assert message in str(end.value.code)
    assert not output.exists()


def test_soc_with_litedrams_controller(tmp_path):
    output = tmp_path / "soc"
    arguments = ["--harts", "1", "--controller", "litedram", "--libc", LIBRARY, "--output", output]
    generate.main([str(word) for word in arguments])
    verilog = (output / "gateware" / "soc.v").read_text()
    assert "LiteDRAMController" in verilog
    assert "dfi_dram #(" in verilog
    assert "Weir.sv" not in (output / "gateware" / "sources.f").read_text()
    assert (output / "bios.bin").stat().st_size > 8192
    regions = json.loads((output / "csr.json").read_text())["memories"]
    assert regions["main_ram"] == {"base": 0x8000_0000, "size": 2 << 30, "type": "cached"}
    assert "weir" not in regions
    start = (output / "software/include/generated/sdram_phy.h").read_text()
    delays = [int(rounds) for rounds in re.findall(r"\bcdelay\((\d+)\);", start)]
    assert delays == [1000, 1000, 200, 200], "after the reset, after CKE, after MR0, after ZQCL"
