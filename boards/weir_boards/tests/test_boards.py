# SPDX-License-Identifier: Apache-2.0
"""The boards: that each of their SoCs can be elaborated, and what is said when there is no such build."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from litex.soc.cores.cpu.rocket.core import Rocket
from litex.soc.interconnect import axi, wishbone

from litex_weir import WeirDesign, WeirError
from weir_boards import BOARDS, BoardError, board, load
from weir_boards.check import check
from weir_boards.soc import BoardSoC

ROOT = Path(__file__).resolve().parents[3]
BUILDS = [
    (name, cpu, controller)
    for name, each in BOARDS.items()
    for cpu, builds in each.builds.items()
    for controller in builds
]


@pytest.fixture
def design(tmp_path):
    """Makes the folder of a board's design: that of ecp5-lite as the generator wrote it, with the board's chip and
    clock in its place, main_ram where the CPU has it, and no Verilog."""
    lite = json.loads((ROOT / "build" / "hw" / "ecp5-lite" / "Weir.json").read_text())

    def make(name, cpu, controller):
        made = board(name)
        config, clock_mhz = made.build(cpu, controller)
        chip = made.dram(1e8, "1:2")
        found = lite | {"name": config}
        period_ps = 1000000 // (2 * clock_mhz)
        found["timing"] = found["timing"] | {"tCKps": period_ps, "tREFI": 7_800_000 // period_ps}
        found["geometry"] = found["geometry"] | {"rowBits": (chip.nrows - 1).bit_length()}
        found["derived"] = found["derived"] | {
            "memoryBytes": chip.nbanks * chip.nrows * chip.ncols * 2,
            "addressPins": max(13, (chip.nrows - 1).bit_length()),
        }
        if cpu == "rocket":
            found["axi"] = found["axi"] | {"base": 0x8000_0000}
        (tmp_path / "Weir.json").write_text(json.dumps(found))
        (tmp_path / "Weir.sv").write_text("module Weir; endmodule\n")
        return tmp_path

    return make


@pytest.mark.parametrize(("name", "cpu", "controller"), BUILDS)
def test_a_boards_soc_has_what_is_on_the_board(design, name, cpu, controller):
    made = board(name)
    _, clock_mhz = made.build(cpu, controller)
    folder = design(name, cpu, controller)
    soc = BoardSoC(made, cpu, controller, folder)
    chip = made.dram(1e8, "1:2")
    assert soc.bus.regions["main_ram"].size == chip.nbanks * chip.nrows * chip.ncols * 2
    assert soc.sys_clk_freq == clock_mhz * 1e6
    assert {"weir", "main_ram", "rom", "sram"} <= soc.bus.regions.keys()
    assert WeirDesign.load(folder).takes_clock(soc.crg.pll.compute_config()["clko0_freq"] / 2)
    pins = {resource[0] for resource, _ in soc.platform.constraint_manager.matched}
    assert {made.clock, made.reset, "serial", "ddram"} <= pins


def test_rocket_has_one_hart_with_an_mmu_at_weirs_port_and_the_registers_where_it_does_not_cache(design):
    soc = BoardSoC(board("ecpix5"), "rocket", "weir-lite", design("ecpix5", "rocket", "weir-lite"))
    assert (soc.cpu.variant, Rocket.cpu_num_cores, soc.constants["CONFIG_CPU_MMU"]) == ("linux", 1, "sv39")
    assert [(bus.data_width, bus.id_width) for bus in soc.cpu.memory_buses] == [(128, 4)]
    assert [type(port) for port in soc.sdram.ports] == [axi.AXIInterface]
    assert not hasattr(soc, "l2_cache")
    regions = soc.bus.regions
    assert (regions["main_ram"].origin, regions["weir"].origin, regions["weir"].cached) == (1 << 31, 1 << 29, False)
    (uncached,) = soc.cpu.io_regions.items()
    assert uncached[0] <= regions["weir"].origin < sum(uncached) - regions["weir"].size


def test_a_design_for_the_other_cpu_is_refused_whatever_it_is_called(design, tmp_path):
    """Names are compared first; here a design of the right name is for VexRiscv's main_ram."""
    folder = design("ecpix5", "rocket", "weir-lite")
    found = json.loads((folder / "Weir.json").read_text())
    found["axi"]["base"] = 0
    (folder / "Weir.json").write_text(json.dumps(found))
    complaint = "design 'ecpix5-rocket-lite': base 0x0 is not main_ram's address 0x80000000"
    with pytest.raises(WeirError, match=complaint):
        BoardSoC(board("ecpix5"), "rocket", "weir-lite", folder)


@pytest.mark.parametrize(("name", "cpu"), [(name, cpu) for name, each in BOARDS.items() for cpu in each.builds])
def test_the_same_soc_with_litedram_has_the_same_clock_and_cache(design, name, cpu):
    lite = design(name, cpu, "weir-lite")
    socs = BoardSoC(board(name), cpu, "litedram"), BoardSoC(board(name), cpu, "weir-lite", lite)
    for what in (
        lambda soc: soc.sys_clk_freq,
        lambda soc: soc.constants.get("CONFIG_L2_SIZE"),
        lambda soc: soc.bus.regions["main_ram"].size,
        lambda soc: soc.bus.regions["main_ram"].origin,
    ):
        assert what(socs[0]) == what(socs[1])
    if cpu == "vexriscv":
        assert socs[0].constants["CONFIG_L2_SIZE"] == 8192
        assert isinstance(socs[0].l2_cache.slave, wishbone.Interface)
    else:
        assert not any(hasattr(soc, "l2_cache") for soc in socs)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (
            ("ecpix", "vexriscv", "weir", "1"),
            "BOARD=ecpix: there are ecpix5, orangecrab-25f, orangecrab-85f, versa_ecp5",
        ),
        (("ecpix5", "ibex", "weir", "1"), "CPU=ibex: BOARD=ecpix5 has builds with vexriscv, rocket"),
        (("orangecrab-85f", "rocket", "weir", "1"), "CPU=rocket: BOARD=orangecrab-85f has builds with vexriscv"),
        (("ecpix5", "vexriscv", "lite", "1"), "CONTROLLER=lite: there are weir, weir-lite, litedram"),
        (
            ("orangecrab-25f", "vexriscv", "weir", "1"),
            "CONTROLLER=weir: BOARD=orangecrab-25f CPU=vexriscv has builds with weir-lite, litedram",
        ),
        (("ecpix5", "vexriscv", "weir", "0"), "SEEDS=0: must be a number from 1 to 100"),
        (("ecpix5", "vexriscv", "weir", "many"), "SEEDS=many: must be a number from 1 to 100"),
    ],
)
def test_what_there_is_not_is_refused_and_what_there_is_is_named(words, complaint):
    with pytest.raises(BoardError, match=re.escape(complaint)):
        check(*words)


def test_the_config_of_a_build_is_told():
    assert check("ecpix5", "vexriscv", "weir", "3") == "ecpix5-full"
    assert check("ecpix5", "vexriscv", "weir-lite", "3") == "ecpix5-lite"
    assert check("ecpix5", "vexriscv", "litedram", "3") == ""
    assert check("ecpix5", "rocket", "weir", "3") == "ecpix5-rocket-full"
    assert check("ecpix5", "rocket", "weir-lite", "3") == "ecpix5-rocket-lite"
    assert check("ecpix5", "rocket", "litedram", "3") == ""


@pytest.mark.parametrize(
    ("cpu", "config", "made_for", "clock"),
    [("vexriscv", "ecpix5-lite", "99.80", "100.00"), ("rocket", "ecpix5-rocket-lite", "39.92", "40.00")],
)
def test_a_design_of_another_clock_is_refused(design, cpu, config, made_for, clock):
    made = WeirDesign.load(design("ecpix5", cpu, "weir-lite"))
    board("ecpix5").check(cpu, "weir-lite", made)
    slower = replace(made, t_ck_ps=made.t_ck_ps + made.t_ck_ps // 500)
    complaint = f"design '{config}' was made for {made_for} MHz, but BOARD=ecpix5 CPU={cpu} CONTROLLER=weir-lite has a "
    with pytest.raises(BoardError, match=re.escape(f"{complaint}clock of {clock} MHz")):
        board("ecpix5").check(cpu, "weir-lite", slower)


@pytest.mark.parametrize(
    ("controller", "of", "name", "config"),
    [
        ("weir", None, None, "ecpix5-full"),
        ("weir", "weir-lite", "ecpix5-lite", "ecpix5-full"),
        ("weir-lite", "weir", "ecpix5-full", "ecpix5-lite"),
        ("litedram", "weir-lite", "ecpix5-lite", "None"),
    ],
)
def test_a_design_that_is_not_the_builds_is_refused(design, controller, of, name, config):
    folder = design("ecpix5", "vexriscv", of) if of else None
    complaint = f"design '{name}': BOARD=ecpix5 CPU=vexriscv CONTROLLER={controller} has '{config}'"
    with pytest.raises(BoardError, match=complaint):
        BoardSoC(board("ecpix5"), "vexriscv", controller, folder)


def test_a_bad_name_is_said_in_one_line_before_anything_is_built():
    made = subprocess.run(
        [sys.executable, "-m", "weir_boards.check", "ulx3s", "vexriscv", "weir", "4"],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 1
    assert made.stderr.splitlines() == [
        "weir_boards: BOARD=ulx3s: there are ecpix5, orangecrab-25f, orangecrab-85f, versa_ecp5"
    ]


@pytest.mark.parametrize(
    ("target", "variables", "complaint"),
    [
        ("bitstream", {"BOARD": ""}, "BOARD=: there are ecpix5, "),
        ("bitstream", {"BOARD": "ecpix5 versa_ecp5"}, "BOARD=ecpix5 versa_ecp5: there are "),
        ("bitstream", {"BOARD": "a:b"}, "BOARD=a:b: there are "),
        ("bitstream", {"BOARD": "it's"}, "BOARD=it's: there are "),
        ("bitstream", {"BOARD": "%"}, "BOARD=%: there are "),
        ("bitstream", {"BOARD": "ecpix5;false"}, "BOARD=ecpix5;false: there are "),
        ("bitstream", {"CPU": ""}, "CPU=: BOARD=ecpix5 has builds with vexriscv, rocket"),
        ("bitstream", {"CONTROLLER": ""}, "CONTROLLER=: there are weir, weir-lite, litedram"),
        ("bitstream", {"SEEDS": ""}, "SEEDS=: must be a number from 1 to 100"),
        ("load", {"BOARD": ""}, "BOARD=: there are ecpix5, "),
        ("load", {"CPU": ""}, "build/boards/ecpix5--weir/ecpix5--weir.bit is not there"),
    ],
)
def test_what_is_wrong_on_the_command_line_of_make_is_said_in_one_line(target, variables, complaint):
    words = [f"{name}={value}" for name, value in variables.items()]
    made = subprocess.run(
        ["make", "--old-file=build/stamps/tools", target, *words],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 2
    said = [line for line in made.stderr.splitlines() if not line.startswith("make")]
    assert len(said) == 1 and said[0].startswith(f"weir_boards: {complaint}"), made.stderr


@pytest.mark.parametrize("module", ["bitstream", "check", "generate", "load", "place", "synthesise"])
def test_a_command_with_other_words_than_it_takes_says_its_usage(module):
    made = subprocess.run(
        [sys.executable, "-m", f"weir_boards.{module}", *"abcdefgh"],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 2
    assert re.fullmatch(rf"usage: python -m weir_boards\.{module} [A-Z].*\n", made.stderr)


def test_a_bitstream_is_loaded_by_the_boards_cable(tmp_path):
    with pytest.raises(BoardError, match=r"soc\.bit is not there; `make bitstream` writes it"):
        load.command("ecpix5", tmp_path / "soc.bit")
    (tmp_path / "soc.bit").write_bytes(b"")
    assert load.command("orangecrab-25f", tmp_path / "soc.bit")[:3] == ["openFPGALoader", "-b", "orangeCrab"]
