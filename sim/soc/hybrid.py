#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the policies for hybrid memory on a simulated SoC: build/results/hybrid.json, a table and a plot.

hybrid.json holds what was simulated (`soc`, `controller`, `harts`, `clock_mhz`, `dram`, `nvm`, `options`) and `rows`,
each with its `kind`: `policy` (as sw/firmware/policies prints it; `of_all_dram` is its time as a multiple of that with
all pages in DRAM), `latency` (a `path`, and `cycles` of a read that waits for the one before, rows closed, nobody else
there), `storage` (a `structure` and its `bits`, counted in the Verilog).
"""

import argparse
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import hybrid_memory
import hybrid_plot
from rich.console import Console
from rich.table import Table
from run import describe

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "boards" / "area"), str(ROOT / "sim" / "progress")]
from spoken import of_runs  # noqa: E402
from storage import storage  # noqa: E402

POLICIES = ("all_dram", "all_nvm", "flat_static", "utility_pages", "superpage_moves")
NUMBERS = {name: number for number, name in enumerate((*POLICIES, "latencies"))}
"""As in sw/firmware/policies/options.h."""

BEGIN, END = "=== begin policies rows ===", "=== end policies rows ==="
CYCLE_LIMIT = 60_000_000
AT_ONCE = 2

# What Rainbow's Table VI lists, and what else there is, by the instance in the Verilog.
STRUCTURES = {
    "migration bitmap cache": "place.remapUnit.bitmaps.store",
    "pointer cache": "place.remapUnit.pointers.store",
    "states of frames": "place.remapUnit.frames",
    "superpage counters": "place.monitor.superpages.counters.memory",
    "numbers of chosen superpages": "place.monitor.pages.chosen",
    "page counters": "place.monitor.pages.counters.memory",
    "hot list": "place.monitor.list.memory",
    "remapping, all else": None,
    "page mover": "mover",
    "NVM timing": "media",
}


class Failed(Exception):
    """A run did not end as it must."""


def script(policy, options):
    """The simulator's script for one run."""
    values = (
        NUMBERS[policy],
        int(options.pointers == "table"),
        options.time_scale,
        options.accesses,
        options.hot_pages,
        round(options.hot_share * 128),
        round(options.writes * 128),
        options.frames,
        options.interval,
        options.seed,
    )
    return "".join(f"{value} " for value in values)


def simulate(soc, policy, options, folder, images):
    """The rows that one run prints, with `images` (file, bus address) in memory. Raises Failed."""
    file = folder / f"{policy}.script"
    file.write_text(script(policy, options))
    command = [soc / "weir-sim", "--boot", f"{hybrid_memory.MAIN_RAM + hybrid_memory.FIRMWARE:#x}"]
    for image, address in images:
        command += ["--ram-image", f"{image}@{address:#x}"]
    command += ["--script", file, "--cycles", CYCLE_LIMIT, "--progress", "0"]
    result = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, errors="replace", check=False
    )
    (folder / f"{policy}.log").write_text(result.stdout + result.stderr)
    lines = result.stdout.replace("\r", "").splitlines()
    if result.returncode != 0 or END not in lines:
        last = (result.stderr.strip().splitlines() or ["no message"])[-1]
        raise Failed(f"{policy}: exit code {result.returncode}: {last}; see {folder}/{policy}.log")
    return [json.loads(line) for line in lines[lines.index(BEGIN) + 1 : lines.index(END)]]


def policy_rows(rows):
    """Those of the policies, with their times as multiples of that of DRAM."""
    dram = next((row["cycles"] for row in rows if row["policy"] == "all_dram"), None)
    return [
        {"kind": "policy", **row, **({"of_all_dram": round(row["cycles"] / dram, 4)} if dram else {})} for row in rows
    ]


def storage_rows(verilog):
    """Bits of each structure in the elaborated design."""
    found = storage(verilog)
    bits = {
        name: found[instance].memory_bits + found[instance].register_bits
        for name, instance in STRUCTURES.items()
        if instance
    }
    unit = found["place.remapUnit"]
    counted = sum(bits[name] for name in ("migration bitmap cache", "pointer cache", "states of frames"))
    bits["remapping, all else"] = unit.memory_bits + unit.register_bits - counted
    return [{"kind": "storage", "structure": name, "bits": bits[name], "bytes": bits[name] / 8} for name in STRUCTURES]


def table(rows):
    """A rich table of the policies."""
    found = Table(title="Hybrid memory, one Rocket hart")
    for heading in ("policy", "M cycles", "of all DRAM", "DRAM rd/wr", "NVM rd/wr", "pages moved", "MB moved", "wrong"):
        found.add_column(heading, justify="left" if heading == "policy" else "right", no_wrap=heading == "policy")
    for row in (row for row in rows if row["kind"] == "policy"):
        found.add_row(
            row["policy"],
            f"{row['cycles'] / 1e6:.3f}",
            f"{row.get('of_all_dram', '')}",
            f"{row['dram_reads']}/{row['dram_writes']}",
            f"{row['nvm_reads']}/{row['nvm_writes']}",
            f"{row['pages_promoted'] + row['pages_evicted']}",
            f"{row['bytes_moved'] / 1e6:.2f}",
            f"{row['wrong_words'] + row['wrong_reads']}",
        )
    return found


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("soc", type=Path, help="folder of a SoC with weir-sim and firmware/policies.bin")
    parser.add_argument("--design", type=Path, default=ROOT / "build/hw/soc-64-hybrid", help="default %(default)s")
    parser.add_argument("--output", type=Path, default=ROOT / "build/results", help="default %(default)s")
    parser.add_argument("--policies", nargs="+", choices=[*NUMBERS], default=[*NUMBERS], help="default all")
    parser.add_argument("--accesses", type=int, default=24000, help="of the workload, default %(default)s")
    parser.add_argument("--hot-pages", type=int, default=8, help="of each of 16 superpages, default %(default)s")
    parser.add_argument("--hot-share", type=float, default=0.9, help="accesses to hot pages, default %(default)s")
    parser.add_argument("--writes", type=float, default=0.25, help="accesses that write, default %(default)s")
    parser.add_argument("--frames", type=int, default=1024, help="DRAM for pages that move, default %(default)s")
    parser.add_argument("--interval", type=int, default=3000000, help="cycles, default %(default)s")
    parser.add_argument("--time-scale", type=int, default=4, help="how slow memory looks, default %(default)s")
    parser.add_argument("--pointers", choices=("table", "home"), default="table", help="default %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of the accesses, default %(default)s")
    return parser.parse_args(arguments)


def main(arguments=None):
    options = parse(arguments)
    console = Console()
    with tempfile.TemporaryDirectory() as temporary:
        firmware = (options.soc / "firmware" / "policies.bin").read_bytes()
        images = hybrid_memory.write_images(firmware, Path(temporary))
        folder = options.soc / "hybrid"
        folder.mkdir(exist_ok=True)

        try:
            with of_runs("policies", console) as progress, ThreadPoolExecutor(AT_ONCE) as pool:
                task = progress.add_task("policies", total=len(options.policies))

                def run(policy):
                    found = simulate(options.soc, policy, options, folder, images)
                    console.print(f"{policy}: done", highlight=False)
                    progress.advance(task)
                    return found

                results = dict(zip(options.policies, pool.map(run, options.policies), strict=True))
        except Failed as failure:
            console.print(f"hybrid.py: {failure}", style="red", markup=False, highlight=False, soft_wrap=True)
            return 1
    latencies = results.pop("latencies", [])
    rows = policy_rows([row for found in results.values() for row in found])
    rows += [{"kind": "latency", "time_scale": options.time_scale, **row} for row in latencies]
    rows += storage_rows((options.design / "Weir.sv").read_text())
    design = json.loads((options.design / "Weir.json").read_text())
    document = {
        **describe(options.soc),
        "dram": "two ranks of DDR3-1600 x8, DQ 64",
        "nvm": {"ranks": 1, "medium": design["nvm"]["medium"]},
        "options": {
            name: value for name, value in vars(options).items() if isinstance(value, int | float) or name == "pointers"
        },
        "rows": rows,
    }
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "hybrid.json").write_text(json.dumps(document, indent=1) + "\n")
    hybrid_plot.draw(document, options.output)
    console.print(table(rows))
    for row in latencies:
        console.print(f"{row['path']}: {row['cycles']} cycles", highlight=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
