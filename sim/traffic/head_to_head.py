# SPDX-License-Identifier: Apache-2.0
"""Build the head to head: a controller of a memory system with the program that drives it.

usage: head_to_head.py weir|litedram SYSTEM PORTS      build/traffic/CONTROLLER-SYSTEM-pPORTS/traffic

Weir's Verilog is expected in build/hw/CONFIG, LiteDRAM's in the build folder (litedram_top.py writes it), the DRAM
model and the bench's library built (build.mk does all that).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

from systems import SYSTEMS, System

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = ROOT / "build"
sys.path.append(str(ROOT / "sim" / "bench"))
from verilate import Parameters, build, of_weir  # noqa: E402


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
        burst_beats=part.burst_length,
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
        features=system.features,
        terminated=int(not part.ddr5),  # it has no ODT pin
    )


def require_same(weir: Parameters, wanted: Parameters, path: Path) -> None:
    """Refuse to compare a Weir that is not built for the same memory system as LiteDRAM."""
    for each in fields(Parameters):
        got, expected = getattr(weir, each.name), getattr(wanted, each.name)
        if each.compare and got != expected:
            raise ValueError(f"{path}: {each.name} is {got}, but the head to head's system has {expected}")


def build_controller(controller: str, system: System, ports: int) -> None:
    parameters = of_system(system, ports)
    executable = BUILD / "traffic" / f"{controller}-{system.name}-p{ports}" / "traffic"
    sources = (ROOT / "sim/bench/session.cpp", HERE / "traffic.cpp")
    if controller == "weir":
        config = BUILD / "hw" / system.weir_config(ports)
        require_same(of_weir(config / "Weir.json"), parameters, config / "Weir.json")
        build(executable, parameters, "Weir", [config / "Weir.sv"], sources)
    else:
        build(executable, parameters, "LiteDRAM", [executable.parent / "LiteDRAM.v"], sources)


def main() -> None:
    parser = argparse.ArgumentParser(description="Build a controller of the head to head.")
    parser.add_argument("controller", choices=("weir", "litedram"))
    parser.add_argument("system", choices=SYSTEMS)
    parser.add_argument("ports", type=int, choices=(1, 2, 4))
    arguments = parser.parse_args()
    build_controller(arguments.controller, SYSTEMS[arguments.system], arguments.ports)


if __name__ == "__main__":
    try:
        main()
    except (subprocess.CalledProcessError, ValueError, OSError) as error:
        sys.exit(f"head_to_head.py: {error}")
