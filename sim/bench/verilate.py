# SPDX-License-Identifier: Apache-2.0
"""Build a bench: a controller on the DRAM model, Verilated, with a program that drives it.

The program's sources come beside those of this room. The DRAM model and the library of this room are expected built
(build.mk does that).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass, field, fields
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
HERE = Path(__file__).resolve().parent

# Fast models: no traces, no SystemVerilog assertions (Weir's own are conditions that end a run, and stay), two-state
# start values.
VERILATOR_FLAGS = (
    *("--cc", "--exe", "--build", "-j", "1", "-O3", "--top-module", "bench"),
    *("--x-assign", "fast", "--x-initial", "fast", "--noassert", "--no-timing"),
    # Generated Verilog is not written to please a linter.
    *("-Wno-fatal", "-Wno-lint", "-Wno-style"),
)
# What runs each cycle is optimised fully; code that runs once, of which there is more, is not.
COMPILER_FLAGS = "-g0 -std=gnu++17"
OPTIMISATION = "OPT_FAST=-O3"

# Configs that are drawn from a seed have names of this and their seed. Their benches run for seconds, so they are
# compiled in few.
DRAWN = "random-"
DRAWN_OPTIMISATION = "OPT_FAST=-O1"


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
    burst_beats: int
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
    channels: int = 1
    features: str = ""  # of the DRAM (sim/dram/README.md)
    terminated: int = 1  # whether its RTT_NOM is on; 0 where Weir holds ODT high
    first_nvm_byte: int = 0
    frames: int = 0  # pages that may live in DRAM; 0 without page mover
    source_id_high: int = field(default=0, compare=False)  # the AXI id bits that tell the source, of Weir
    source_id_low: int = field(default=0, compare=False)
    # Cycles without a handshake, while bursts are in flight, after which the controller hangs: more than eight
    # refreshes in a row take, less than the time in which a forced refresh comes and might end a standstill.
    silent_cycles: int = field(default=2000, compare=False)
    # The same of a port that others starve: more than all accesses that a controller can hold may take.
    silent_port_cycles: int = field(default=6000, compare=False)

    @property
    def row_bytes(self) -> int:
        return self.dq // 8 << self.column_bits

    @property
    def banks(self) -> int:
        """Of all ranks of a channel."""
        return self.ranks << self.bank_bits

    @property
    def bytes(self) -> int:
        return self.channels * self.row_bytes * self.banks << self.row_bits


def of_weir(path: Path) -> Parameters:
    """The parameters that Weir's generator wrote of a config (Weir.json)."""
    config = json.loads(path.read_text())
    geometry, timing, phy, axi, derived = (config[key] for key in ("geometry", "timing", "phy", "axi", "derived"))
    moves = config.get("migration") is not None
    silent_cycles, silent_port_cycles = silence(config)
    return Parameters(
        part=config["part"],
        tck_ps=timing["tCKps"],
        ranks=derived["chipSelects"],
        bank_bits=derived["bankPins"],
        address_pins=derived["addressPins"],
        row_bits=geometry["rowBits"],
        column_bits=geometry["columnBits"],
        dq=geometry["dqBits"],
        burst_beats=geometry["burstLength"],
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
        channels=config["channels"],
        features=features(config),
        terminated=int(config["odtByCommand"]),
        first_nvm_byte=derived["memoryBytes"] * config["nvm"]["firstRank"] // geometry["ranks"] if moves else 0,
        frames=config["remapping"]["frames"] if moves else 0,
        source_id_high=axi["sourceIdHigh"],
        source_id_low=axi["sourceIdLow"],
        silent_cycles=silent_cycles,
        silent_port_cycles=silent_port_cycles,
    )


def features(config: dict) -> str:
    """What the DRAM must be able to do for the refresh policy that a config starts with, and for its pseudo-ranks."""
    policies, geometry, pseudo_ranks = config["policies"], config["geometry"], config["derived"]["pseudoRanks"]
    electrical = geometry.get("wholeRank", geometry)
    found = []
    if policies["refresh"] == "none":
        found.append("refresh=none")
    elif policies["refresh"] in ("fine", "adaptive", "pausing") and policies["refreshGranularity"] > 1:
        found += [f"fine_refresh={policies['refreshGranularity']}", "on_the_fly"]
        if electrical["bankGroups"] == 1:
            found.append("optimistic_trfc")  # no DDR3 part refreshes in parts
    sets = "tREFSBRD" in config["timing"]  # of banks are refreshed by themselves
    if sets:
        found.append("fine_refresh=2")
    if sets or (pseudo_ranks > 1 and policies["beyondJedec"]):
        found.append(f"refresh_groups={pseudo_ranks}")
    return ",".join(found)


def silence(config: dict) -> tuple[int, int]:
    """`silent_cycles` and `silent_port_cycles` of a config. Two writes of a bank of NVM are tRCD + tWR + tRP apart, of
    which the slowest medium has nearly nine times as much as DRAM, but a forced refresh is no later than it was."""
    slowness = 3 if config.get("migration") is not None else 1
    cycles, port_cycles = 2000 * slowness, 6000 * slowness
    if not config["name"].startswith(DRAWN):
        return cycles, port_cycles
    # Of any shape: eight refreshes of each rank, one after the other, with a calibration; and each line that ports and
    # queues hold takes a row conflict, the youngest waiting for its age beside that.
    timing, policies, axi, phases = config["timing"], config["policies"], config["axi"], config["phy"]["phases"]
    refreshes = 8 * config["geometry"]["ranks"] * (timing["tRFC"] + timing["tRP"] + timing["tZQCS"]) // phases
    conflict = timing["tRCD"] + timing["cwl"] + timing["tWR"] + timing["tRP"] + timing["tRC"]
    if "nvm" in config:
        conflict *= 9
    lines = axi["ports"] * axi["readSlots"] + policies["readQueue"] + policies["writeQueue"]
    held = lines * (conflict // phases + 4) + 2 * policies["ageLimit"]
    return max(cycles, refreshes + 16 * conflict), max(port_cycles, refreshes + held)


def config_header(name: str, parameters: Parameters) -> str:
    """bench_config.hpp: the numbers of this build for the C++ side."""
    return f"""// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
namespace weir::bench::config {{
constexpr char kName[] = "{name}";
constexpr unsigned kPorts = {parameters.ports}, kIdBits = {parameters.id_bits};
constexpr unsigned kSourceIdHigh = {parameters.source_id_high}, kSourceIdLow = {parameters.source_id_low};
constexpr unsigned kSources = kPorts << (kSourceIdHigh - kSourceIdLow + 1);
constexpr unsigned kBusBytes = {parameters.data_bits // 8}, kAddressBits = {parameters.address_bits};
constexpr uint64_t kBase = {parameters.base:#x}, kBytes = {parameters.bytes:#x};
constexpr uint64_t kRowBytes = {parameters.row_bytes};
constexpr unsigned kBanks = {parameters.banks};  // of all ranks of a channel
// How memory is laid out (address_map.hpp).
constexpr char kAddressMap[] = "{parameters.address_map}";
constexpr unsigned kChannels = {parameters.channels}, kRanks = {parameters.ranks * parameters.pseudo_ranks};
constexpr unsigned kBanksOfRank = {(1 << parameters.bank_bits) // parameters.pseudo_ranks};
constexpr uint64_t kRows = {1 << parameters.row_bits};
constexpr unsigned kLinesOfRow = {(1 << parameters.column_bits) // parameters.burst_beats};
constexpr unsigned kLineBytes = {parameters.burst_beats * parameters.dq // 8};
// Cycles without a handshake of all ports, and of one, after which the run ends.
constexpr uint64_t kSilentCycles = {parameters.silent_cycles}, kSilentPortCycles = {parameters.silent_port_cycles};
// Where pages move between DRAM and NVM: offset of the NVM region's first byte, and how many may live in DRAM, else 0.
constexpr uint64_t kFirstNvmByte = {parameters.first_nvm_byte:#x};
constexpr unsigned kFrames = {parameters.frames};
}}  // namespace weir::bench::config
"""


def build(
    executable: Path,
    parameters: Parameters,
    module: str,
    verilog: list,
    sources: tuple,
    libraries: tuple = (),
) -> None:
    """Verilate `module` of the files and options `verilog` within bench.sv and link `executable` of `sources` and of
    the bench, in its own folder. A broken rule of the DRAM ends Weir's runs, and is counted of another controller."""
    folder = executable.parent
    folder.mkdir(parents=True, exist_ok=True)
    write_if_changed(folder / "bench_config.hpp", config_header(folder.name, parameters))
    drawn = folder.name.startswith(DRAWN)

    values = {each.name: getattr(parameters, each.name) for each in fields(Parameters) if each.compare}
    for name in ("ports", "base", "address_map", "channels", "first_nvm_byte", "frames"):
        del values[name]
    for name in ("part", "features"):
        values[name] = f'"{values[name]}"'
    defines = [f"CONTROLLER={module}", f"PORTS={parameters.ports}"]
    defines += [f"PORTS_{number}" for number in range(2, parameters.ports + 1)]
    defines += [f"CHANNELS_{number}" for number in range(2, parameters.channels + 1)]
    ours = module == "Weir"
    if ours:
        defines.append("WEIR_REGISTERS")
    if parameters.frames:
        defines.append("WEIR_MIGRATION")
    library = BUILD / "sim/dram/libweirdram.a"
    subprocess.run(
        [ROOT / "setup/verilate", *VERILATOR_FLAGS, "-Mdir", folder / "verilated", "-o", executable]
        + [f"+define+{define}" for define in defines]
        + [f"-G{name.upper()}={value}" for name, value in values.items()]
        + [f"-GFATAL={int(ours)}"]
        + ["-MAKEFLAGS", DRAWN_OPTIMISATION if drawn else OPTIMISATION]
        + ["-CFLAGS", f"{COMPILER_FLAGS} -I.. -I{HERE} -I{ROOT / 'sim/dram'}"]
        + [word for each in libraries for word in ("-LDFLAGS", f"-l{each}")]
        + [HERE / "bench.sv", *verilog, ROOT / "sim/dram/dfi_dram.sv", HERE / "bench.cpp", *sources]
        + [BUILD / "bench/libbench.a", library],
        check=True,
        # A jobserver of an outer make is not Verilator's to use.
        env={name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")},
    )


def write_if_changed(path: Path, text: str) -> None:
    """Keep the file's time when nothing changed, so that nothing is compiled for it."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main() -> None:
    parser = argparse.ArgumentParser(description="Build a program on a config of Weir.")
    parser.add_argument("config", type=Path, help="the folder that Weir's generator wrote")
    parser.add_argument("executable", type=Path, help="what to build, in a folder of its own")
    parser.add_argument("sources", type=Path, nargs="+", help="the program's, and libraries of ours")
    parser.add_argument("--library", action="append", default=[], help="a library of the system, without -l")
    parser.add_argument("--verilog", action="append", help="a file, or an option of Verilator; default CONFIG/Weir.sv")
    arguments = parser.parse_args()
    verilog = arguments.verilog or [arguments.config.absolute() / "Weir.sv"]
    build(
        arguments.executable.absolute(),
        of_weir(arguments.config / "Weir.json"),
        "Weir",
        verilog,
        tuple(each.absolute() for each in arguments.sources),
        tuple(arguments.library),
    )


if __name__ == "__main__":
    try:
        main()
    except (subprocess.CalledProcessError, ValueError, OSError) as error:
        sys.exit(f"verilate.py: {error}")
