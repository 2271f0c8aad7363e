# SPDX-License-Identifier: Apache-2.0
"""The change to a target of litex-boards that docs/litex.md shows, made to the target of the pinned package."""

import importlib.util
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from litex.soc.integration.builder import Builder
from litex_boards.targets import lambdaconcept_ecpix5

from litex_weir import WeirCore, WeirError

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def target(tmp_path, monkeypatch):
    """The target with the page's patch, as a module, run from the repository's root."""
    file = tmp_path / "lambdaconcept_ecpix5.py"
    shutil.copyfile(lambdaconcept_ecpix5.__file__, file)
    (patch,) = re.findall(r"```diff\n(.*?)```", (ROOT / "docs" / "litex.md").read_text(), re.DOTALL)
    subprocess.run(["patch", "--strip=1", "--fuzz=0"], cwd=tmp_path, input=patch, text=True, check=True)
    spec = importlib.util.spec_from_file_location("patched_target", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.chdir(ROOT)
    return module


def test_the_target_elaborates_with_weir(target, tmp_path):
    soc = target.BaseSoC(cpu_type="vexriscv", cpu_variant="linux", integrated_rom_size=0x20000)
    assert isinstance(soc.sdram, WeirCore)
    builder = Builder(soc, output_dir=str(tmp_path / "out"), compile_software=False, compile_gateware=False)
    builder.build()
    verilog = (tmp_path / "out" / "gateware" / "lambdaconcept_ecpix5.v").read_text()
    assert re.search(r"^Weir weir\(", verilog, re.MULTILINE) and "DQSBUFM" in verilog
    script = (tmp_path / "out" / "gateware" / "lambdaconcept_ecpix5.ys").read_text()
    assert "build/hw/ecp5-lite/Weir.sv" in script
    assert (soc.bus.regions["main_ram"].origin, soc.bus.regions["main_ram"].size) == (0x4000_0000, 512 << 20)


def test_the_target_without_its_controller_says_where_it_should_be(target, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(WeirError, match=r"design: build/hw/ecp5-lite/Weir\.sv does not exist"):
        target.BaseSoC(cpu_type="vexriscv")
