# SPDX-License-Identifier: Apache-2.0
"""What litex_weir refuses, that a SoC comes out of it, and that it can be installed. No Verilog is simulated here."""

import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from litedram.common import PhySettings
from litedram.phy import dfi
from litex import get_data_mod
from litex.build.generic_platform import GenericPlatform, Pins
from litex.soc.cores.cpu.rocket.core import Rocket
from litex.soc.integration.soc_core import SoCCore
from litex.soc.interconnect.axi import AXIInterface
from migen import Module
from migen.fhdl.structure import _Assign

from litex_weir import WeirDesign, WeirError, add_weir, rocket
from litex_weir.modules import MT41J128M8JP125, MT41K256M16HA125
from litex_weir.rocket_walker import with_waiting_walker

PACKAGE = Path(__file__).resolve().parents[1]

DESIGN = WeirDesign(
    name="a-design",
    verilog="Weir.sv",
    base=0x8000_0000,
    bytes=2 << 30,
    ranks=2,
    bank_bits=3,
    row_bits=14,
    column_bits=10,
    address_pins=14,
    data_bits=64,
    phases=4,
    read_phase=1,
    write_phase=0,
    read_latency=9,
    write_latency=1,
    t_ck_ps=1250,
    cl=11,
    cwl=8,
    ports=1,
    axi_data_bits=64,
    axi_id_bits=4,
    axi_address_bits=32,
    interrupt=False,
    refresh_interval_ps=7_800_000,
    address_map="row_rank_bank_column",
    timing={"tREFI": 6240, "tRTP": 6, "tWR": 12},
)


class Phy(Module):
    """A PHY without anything behind its DFI."""

    def __init__(self, ranks=2, databits=64, read_latency=9):
        self.settings = PhySettings(
            "Phy", "DDR3", databits, 2 * databits, 4, 1, 0, 11, read_latency, 1, nranks=ranks, cwl=8
        )
        self.dfi = dfi.Interface(14, 3, ranks, 2 * databits, 4)


class Soc(SoCCore):
    def __init__(self, harts=1, cpu_type="rocket", **options):
        if cpu_type == "rocket":
            rocket.select(harts)
            options["cpu_variant"] = "linux"
        platform = GenericPlatform("SIM", [("serial", 0, Pins(1))], name="board")
        SoCCore.__init__(
            self, platform, int(200e6), cpu_type=cpu_type, integrated_rom_size=0x8000, with_uart=False, **options
        )


def ddr3():
    return MT41J128M8JP125(200e6, "1:4")


def add(soc, phy=None, module=None, design=DESIGN, **options):
    return add_weir(soc, phy or Phy(), module or ddr3(), design, **options)


def test_main_ram_and_registers_are_on_the_map():
    soc = Soc()
    core = add(soc, registers_origin=0x2000_0000)
    assert soc.sdram is core
    assert (soc.bus.regions["main_ram"].origin, soc.bus.regions["main_ram"].size) == (0x8000_0000, 2 << 30)
    assert (soc.bus.regions["weir"].origin, soc.bus.regions["weir"].size) == (0x2000_0000, 65536)
    assert not soc.bus.regions["weir"].cached
    assert core.controller.settings.phy.cl == 11
    assert core.controller.settings.geom.rowbits == 14
    assert core.controller.settings.timing.tREFI > 0


def test_dram_is_held_in_reset_until_the_bios_takes_over():
    core = add(Soc())
    assert core.dfii._control.storage.reset.value == 0


def test_an_interrupt_goes_to_the_socs_controller(tmp_path):
    soc = Soc()
    soc.platform.output_dir = tmp_path
    core = add(soc, design=replace(DESIGN, interrupt=True), registers_origin=0x2000_0000)
    number = soc.irq.locs["sdram"]
    soc.finalize()
    lines = [each for each in soc.get_fragment().comb if isinstance(each, _Assign) and each.r is core.ev.irq]
    assert [(line.l.value, line.l.start) for line in lines] == [(soc.cpu.interrupt, number)]
    assert soc.constants["SDRAM_INTERRUPT"] == number


def test_a_design_without_an_interrupt_takes_none():
    soc = Soc()
    core = add(soc)
    assert "sdram" not in soc.irq.locs and not hasattr(core, "ev")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ranks": 1}, "PHY: nranks = 2, but design 'a-design' was made for 1"),
        ({"data_bits": 16}, "PHY: databits = 64, but design 'a-design' was made for 16"),
        ({"read_latency": 8}, "PHY: read_latency = 9, but design 'a-design' was made for 8"),
        ({"read_phase": 2}, "PHY: rdphase = 1, but design 'a-design' was made for 2"),
        ({"cwl": 9}, "PHY: cwl = 8, but design 'a-design' was made for 9"),
        ({"row_bits": 15}, "DRAM module: rowbits = 14, but design 'a-design' was made for 15"),
        ({"ports": 2}, "SoC: number of memory buses = 1, but design 'a-design' was made for 2"),
        ({"axi_data_bits": 32}, "memory bus 0: data_width = 64, but design 'a-design' was made for 32"),
        ({"axi_data_bits": 1024}, "memory bus 0: data_width = 64, but design 'a-design' was made for 1024"),
        ({"axi_id_bits": 5}, "memory bus 0: id_width = 4, but design 'a-design' was made for 5"),
        ({"base": 0x4000_0000}, "design 'a-design': base 0x40000000 is not main_ram's address 0x80000000"),
    ],
)
def test_a_design_that_does_not_fit_is_refused(change, message):
    soc = Soc()
    with pytest.raises(WeirError) as refusal:
        add(soc, design=replace(DESIGN, **change))
    assert message in str(refusal.value)
    assert "weir" not in soc.bus.regions
    assert not hasattr(soc, "sdram")


def test_registers_must_be_aligned():
    with pytest.raises(WeirError, match="registers_origin 0x20000004: not a multiple of 65536"):
        add(Soc(), registers_origin=0x2000_0004)


def test_a_cpu_without_memory_bus_reaches_main_ram_through_a_cache():
    """Whatever the design's base: the bridge puts main_ram there."""
    soc = Soc(cpu_type="vexriscv")
    add(soc, design=replace(DESIGN, bytes=1 << 30, base=0x1000), l2_cache_size=4096)
    assert (soc.bus.regions["main_ram"].origin, soc.bus.regions["main_ram"].size) == (0x4000_0000, 1 << 30)
    assert "main_ram" in soc.bus.slaves
    assert soc.constants["CONFIG_L2_SIZE"] == 4096


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({}, {"l2_cache_size": 0}, "l2_cache_size 0: must be a power of two, at least 16 bytes"),
        ({}, {"l2_cache_size": 3000}, "l2_cache_size 3000: must be a power of two, at least 16 bytes"),
        ({"bytes": 2 << 30}, {}, "main_ram's address 0x40000000 must be a multiple of its 2147483648 bytes"),
        ({"ports": 2}, {}, "SoC: number of memory buses = 1, but design 'a-design' was made for 2"),
    ],
)
def test_a_cache_or_design_that_does_not_fit_the_bus_is_refused(change, options, message):
    soc = Soc(cpu_type="vexriscv")
    with pytest.raises(WeirError, match=message):
        add(soc, design=replace(DESIGN, **{"bytes": 1 << 30} | change), **options)
    assert "weir" not in soc.bus.regions and "main_ram" not in soc.bus.regions
    assert not hasattr(soc, "sdram")


def test_a_cpu_with_memory_buses_of_another_kind_is_refused():
    soc = Soc()
    soc.cpu.memory_buses = [object()]
    with pytest.raises(WeirError, match="CPU 'rocket' has a memory bus that is not AXI4"):
        add(soc)


def test_phases_that_are_csrs_count_with_their_reset_value():
    phy = Phy()

    class Csr:
        class reset:
            value = 2

    phy.settings.rdphase = Csr
    with pytest.raises(WeirError, match="PHY: rdphase = 2"):
        add(Soc(), phy=phy)


@pytest.mark.parametrize("bits", [64, 128, 512])
def test_rockets_bus_becomes_as_wide_as_the_port(bits):
    core = add(Soc(), design=replace(DESIGN, axi_data_bits=bits))
    assert [len(port.r.data) for port in core.ports] == [bits]


@pytest.mark.parametrize(("harts", "bits"), [(1, 64), (2, 128), (4, 64)])
def test_rocket_of_each_number_of_harts(harts, bits):
    soc = Soc(harts)
    assert rocket.memory_bits(harts) == bits
    assert Rocket.cpu_num_cores == harts
    bus = soc.cpu.memory_buses[0]
    assert isinstance(bus, AXIInterface)
    assert (bus.data_width, bus.id_width) == (bits, 4)
    assert all(Path(source).is_file() for source, *_ in soc.platform.sources)
    assert soc.constants["CONFIG_CPU_ISA"] == "rv64i2p0_mac"


@pytest.mark.parametrize("choice", [{"harts": 3}, {"harts": 2, "bits": 64}, {"harts": 1, "variant": "huge"}])
def test_rockets_that_do_not_exist_are_refused(choice):
    with pytest.raises(WeirError, match=r"there are .*4 x linux \(64-bit port\)"):
        rocket.select(**choice)


def test_page_walkers_wait(tmp_path):
    """The one file with the tile is that of the SoC's own folder, changed so that Verilator takes it."""
    soc = Soc()
    soc.platform.output_dir = tmp_path
    soc.finalize()
    sources = [Path(path) for path, *_ in soc.platform.sources]
    tiles = [path for path in sources if "module RocketTile(" in path.read_text()]
    assert [path.parent for path in tiles] == [tmp_path / "gateware"]
    assert tiles[0].read_text().count("WalkerGate walkerGate (") == 1
    lint = ["verilator", "--lint-only", "-Wno-fatal", "--top-module", "RocketTile", *sources]
    result = subprocess.run(lint, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert not re.findall(r"(?:IMPLICIT|PIN\w*|MULTIDRIVEN):.*", result.stderr)


@pytest.mark.parametrize("name", [name for (variant, *_), name in rocket.CONFIGURATIONS.items() if variant != "small"])
def test_each_rocket_with_page_tables_can_be_changed(name):
    generated = Path(get_data_mod("cpu", "rocket").data_location) / "generated-src"
    verilog = with_waiting_walker((generated / f"freechips.rocketchip.system.{name}.v").read_text())
    assert verilog.count("& ~walker_waits;") == 2


@pytest.mark.parametrize("change", [("ptw_io_mem_req_valid;", "1'h0;"), ("module RocketTile(", "module Tile(")])
def test_another_rocket_is_refused(change):
    verilog = """\
module RocketTile(
);
  DCache dcache (
  );
  assign dcacheArb_io_requestor_0_req_valid = ptw_io_mem_req_valid;
  assign ptw_io_mem_req_ready = dcacheArb_io_requestor_0_req_ready;
endmodule
"""
    assert "ptw_io_mem_req_valid & ~walker_waits;" in with_waiting_walker(verilog)
    with pytest.raises(WeirError, match="0 times, where one is to be changed"):
        with_waiting_walker(verilog.replace(*change))


def test_parts_have_the_datasheets_timings():
    """(DRAM clocks, nanoseconds), of which the larger counts; tRRD and tFAW differ between the pages of x8 and x16."""
    names = ("tRP", "tRCD", "tWR", "tRAS", "tRFC", "tRRD", "tFAW", "tWTR")
    common = [(0, 13.75), (0, 13.75), (0, 15), (0, 35)]
    x8, x16 = ddr3(), MT41K256M16HA125(200e6, "1:4")
    assert [x8.get(name) for name in names] == [*common, (0, 110), (4, 6), (0, 30), (4, 7.5)]
    assert [x16.get(name) for name in names] == [*common, (0, 260), (4, 7.5), (0, 40), (4, 7.5)]
    assert (x8.nbanks, x8.nrows, x8.ncols) == (8, 1 << 14, 1 << 10)
    assert (x16.nbanks, x16.nrows, x16.ncols) == (8, 1 << 15, 1 << 10)


def test_a_missing_design_is_refused(tmp_path):
    with pytest.raises(WeirError, match=r"Weir\.sv does not exist"):
        WeirDesign.load(tmp_path)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"{", "Expecting property name"),
        (b"", "Expecting value"),
        (b"null", "the file is no object"),
        (b"[]", "the file is no object"),
        (b'"soc-64"', "the file is no object"),
        (b"\xff", "codec can't decode"),
        (100_000 * b"[", "recursion"),
        (b'{"channels": ' + 5000 * b"1" + b"}", "Exceeds the limit"),
        (json.dumps({"name": "x", "geometry": {}, "phy": {}, "axi": {}}).encode(), "timing is missing"),
        (json.dumps({"name": "x", "geometry": None}).encode(), "geometry is no object"),
    ],
)
def test_a_damaged_design_is_refused(tmp_path, text, what):
    (tmp_path / "Weir.sv").write_text("")
    (tmp_path / "Weir.json").write_bytes(text)
    with pytest.raises(WeirError, match=rf"Weir\.json is not a description of a Weir design: .*{what}"):
        WeirDesign.load(tmp_path)


@pytest.mark.parametrize("value", [None, [], {}, "7", 7.0, True, -1, 10**30])
def test_a_value_of_another_kind_in_a_design_is_refused(tmp_path, value):
    """Each value that is read, in turn, but for those that it fits."""
    good = json.loads((PACKAGE.parents[1] / "build" / "hw" / "soc-64" / "Weir.json").read_text())
    (tmp_path / "Weir.sv").write_text("")
    read = [("axi", "base"), ("axi", "dataBits"), ("phy", "phases"), ("timing", "tCKps"), ("timing", "tREFI")]
    read += [("geometry", "rowBits"), ("derived", "memoryBytes"), ("derived", "refreshIntervalPs")]
    for part, key in read:
        (tmp_path / "Weir.json").write_text(json.dumps(good | {part: good[part] | {key: value}}))
        with pytest.raises(WeirError, match=rf"is not a description of a Weir design: {part}\.{key} is no"):
            WeirDesign.load(tmp_path)


@pytest.mark.parametrize(
    ("period_ps", "trefi", "taken"),
    [
        (1250, 6240, True),
        (1249, 6230, True),  # 0.08 % slower than the design was made for
        (1250, 6241, False),  # refreshes come 1.2 ns late
        (1248, 6230, False),  # 0.16 % slower
        (1251, 6235, False),  # faster: the DRAM's least times are too short
    ],
)
def test_clocks_that_a_design_takes(period_ps, trefi, taken):
    assert replace(DESIGN, t_ck_ps=period_ps, timing={"tREFI": trefi}).takes_clock(200e6) == taken


def test_a_socs_clock_that_the_design_does_not_take_is_refused():
    soc = Soc()
    with pytest.raises(WeirError, match="the SoC's clock = 200 MHz, but design 'a-design' was made for 200"):
        add(soc, design=replace(DESIGN, t_ck_ps=1248))
    assert "weir" not in soc.bus.regions and not hasattr(soc, "sdram")


def test_the_generators_design_is_understood():
    design = WeirDesign.load(PACKAGE.parents[1] / "build" / "hw" / "soc-64")
    as_generated = {"name": "soc-64", "verilog": design.verilog, "address_map": "rank_row_bank_column"}
    assert replace(DESIGN, **as_generated) == design


def test_a_design_of_two_channels_is_refused(tmp_path):
    parameters = json.loads((PACKAGE.parents[1] / "build" / "hw" / "soc-64" / "Weir.json").read_text())
    (tmp_path / "Weir.sv").write_text("")
    (tmp_path / "Weir.json").write_text(json.dumps(parameters | {"channels": 2}))
    with pytest.raises(WeirError, match="soc-64 has 2 channels"):
        WeirDesign.load(tmp_path)


@pytest.mark.parametrize(("ranks", "first", "bytes_of_nvm"), [(2, 1, 1 << 30), (4, 3, 512 << 20)])
def test_a_soc_says_how_much_of_its_memory_is_nvm(tmp_path, ranks, first, bytes_of_nvm):
    parameters = json.loads((PACKAGE.parents[1] / "build" / "hw" / "soc-64" / "Weir.json").read_text())
    geometry = parameters["geometry"] | {"ranks": ranks}
    (tmp_path / "Weir.sv").write_text("module Weir(); endmodule\n")
    (tmp_path / "Weir.json").write_text(json.dumps(parameters | {"nvm": {"firstRank": first}, "geometry": geometry}))
    assert WeirDesign.load(tmp_path).nvm_bytes == bytes_of_nvm
    for held in (0, bytes_of_nvm):
        soc = Soc()
        add(soc, design=replace(DESIGN, nvm_bytes=held))
        assert soc.constants.get("WEIR_NVM_BYTES") == (held or None)


def test_the_package_can_be_installed(tmp_path):
    copy = tmp_path / "source"  # setuptools builds in the source folder
    shutil.copytree(PACKAGE, copy)
    target = tmp_path / "installed"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--target", target, copy], check=True)
    probe = "import litex_weir; print(litex_weir.__file__)"
    found = subprocess.run(
        [sys.executable, "-c", probe], env={"PYTHONPATH": str(target)}, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == str(target / "litex_weir" / "__init__.py")
