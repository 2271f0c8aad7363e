# SPDX-License-Identifier: Apache-2.0
"""Builds the bench of a config with Verilator and runs a module of cocotb tests on it."""

import json
import os
import re
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from cocotb_tools.runner import Verilator, VerilatorControlFile
from testbench.config import Config

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
# With coverage (tests/coverage) everything is built apart, as it is slower.
COVERAGE = os.environ.get("WEIR_COVERAGE") == "1"
OUTPUT = ROOT / "build" / ("coverage/cocotb" if COVERAGE else "cocotb")
SEED = int(os.environ.get("COCOTB_RANDOM_SEED", "1"))


class BenchRunner(Verilator):
    """cocotb's runner, but only the bench's signals are public, as those of all of Weir make it several times slower,
    and what runs once is not optimised."""

    def _build_command(self):
        verilate, make = super()._build_command()
        return [[word for word in verilate if word != "--public-flat-rw"], [*make, "OPT_FAST=-O1", "OPT_SLOW=-O0"]]


@dataclass
class Result:
    """What a simulation left behind. `tests` has the message of each test that failed, None for one that passed."""

    log: Path
    tests: dict[str, str | None] = field(default_factory=dict)

    @property
    def ended_early(self) -> bool:
        """Whether a test ended the simulation, and with it those that follow."""
        return not self.tests or any("the simulation ended prematurely" in (text or "") for text in self.tests.values())

    def tail(self, lines: int = 30) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])


def hardware(config: str) -> Path:
    """The folder of a config's Verilog."""
    folder = ROOT / "build" / "hw" / config
    if not (folder / "Weir.sv").exists():
        raise FileNotFoundError(f"{folder / 'Weir.sv'} is missing: `make {folder.relative_to(ROOT)}/Weir.sv` makes it")
    return folder


@cache
def build(name: str) -> BenchRunner:
    """Compiles the bench of a config, if it is older than its sources."""
    folder = hardware(name)
    library = ROOT / "build" / "sim" / "dram" / "libweirdram.a"
    config = Config.load(folder / "Weir.json")
    executable = OUTPUT / name / "bench"
    if executable.exists() and executable.stat().st_mtime < library.stat().st_mtime:
        executable.unlink()  # make does not know that it depends on the library
    runner = BenchRunner()
    runner.build(
        sources=[
            folder / "Weir.sv",
            ROOT / "sim" / "dram" / "dfi_dram.sv",
            ROOT / "sim" / "dram" / "dfi_statistics.sv",
            *(ROOT / "sim" / "observe" / f"observe_{part}.sv" for part in ("all", "port", "channel")),
            HERE / "bench" / "axi_rules.sv",
            HERE / "bench" / "bench.sv",
            VerilatorControlFile(HERE / "bench" / "public.vlt"),
            *([VerilatorControlFile(HERE / "bench" / "coverage.vlt")] if COVERAGE else []),
        ],
        hdl_toplevel="bench",
        defines={f"PORTS_{ports}": "" for ports in range(2, config.ports + 1)}
        | {f"CHANNELS_{channels}": "" for channels in range(2, config.channels + 1)},
        parameters=_parameters(config),
        build_args=[
            *("--assert", "--no-timing", "--x-assign", "unique", "--x-initial", "unique", "-Wno-fatal", "-Wno-WIDTH"),
            *(("--coverage-line", "--coverage-toggle") if COVERAGE else ()),
            *("--timescale", "1ps/1ps", str(library)),
            *(str(ROOT / "sim" / "observe" / f"{part}.cpp") for part in ("observation", "dpi")),
            *("-CFLAGS", f"-I{ROOT / 'sim' / 'dram'}"),
            # testbench/cells.py calls the DRAM model by name
            *("-LDFLAGS", "-rdynamic"),
        ],
        build_dir=OUTPUT / name,
        log_file=OUTPUT / f"{name}.build.log",
        always=True,
    )
    return runner


def _parameters(config: Config) -> dict[str, object]:
    return {
        "ADDRESS_BITS": config.address_bits,
        "DATA_BITS": 8 * config.data_bytes,
        "ID_BITS": config.id_bits,
        "PART": f'"{config.part}"',
        "TCK_PS": config.clock_ps,
        "RANKS": config.chip_selects,
        "BANK_BITS": config.bank_pins,
        "PSEUDO_RANKS": config.pseudo_ranks,
        "REFRESH_GROUPS": config.refresh_groups,
        "ADDRESS_PINS": config.address_pins,
        "ROW_BITS": config.row_bits,
        "COLUMN_BITS": config.column_bits,
        "DQ": config.dq_bits,
        "BURST_BEATS": config.burst_length,
        "TERMINATED": int(config.odt_by_command),
        "PHASES": config.phases,
        "READ_PHASE": config.read_phase,
        "WRITE_PHASE": config.write_phase,
        "READ_LATENCY": config.read_latency,
        "WRITE_LATENCY": config.write_latency,
        "CL": config.cl,
        "CWL": config.cwl,
        "SOURCE_ID_HIGH": config.source_id_high,
        "SOURCE_ID_LOW": config.source_id_low,
        "BASE_PAGES": config.base >> 12,
    }


def run(config: str, module: str, tests: list[str], dram_features: str = "", **environment: str) -> Result:
    """Runs tests of a module, by name, on the bench of a config, with a DRAM that has features (sim/dram/README.md) and
    refreshes the config's groups of banks apart, if it has such, and with variables of the environment that the module
    knows."""
    folder = OUTPUT / "runs" / "-".join(filter(None, (config, module, dram_features, *environment.values())))
    return _run(config, module, rf"\.({'|'.join(tests)})(/.*)?$", folder, environment, dram_features)


def run_modules(config: str, chosen: dict[str, list[str]], dram_features: str = "") -> dict[str, Result]:
    """Runs chosen tests of modules, as `run` does, in one simulation: its start takes as long as many a test. Where a
    test ends it, the modules are run one by one, so that it takes none of theirs with it.

    Returns:
        the result of each module
    """
    folder = OUTPUT / "runs" / "-".join(filter(None, (config, "modules", dram_features)))
    names = "|".join(rf"{re.escape(module)}\.({'|'.join(tests)})" for module, tests in chosen.items())
    together = _run(config, ",".join(chosen), rf"^({names})(/.*)?$", folder, {}, dram_features)
    if together.ended_early:
        return {module: run(config, module, tests, dram_features) for module, tests in chosen.items()}
    of_module = _read(folder / "results.xml")
    return {module: Result(together.log, of_module.get(module, {})) for module in chosen}


def run_with_fault(config: str, fault: str) -> Result:
    """Runs traffic on the bench of a config that is broken in one of controller/mutations.py's ways."""
    folder = OUTPUT / "runs" / f"{config}-fault-{fault}"
    return _run(config, "controller.mutations", "traffic_with_a_fault", folder, {"WEIR_FAULT": fault})


def recount_with_fault(config: str, fault: str) -> Result:
    """Compares counters with what sim/observe counts, while the bench of a config is broken in such a way."""
    folder = OUTPUT / "runs" / f"{config}-recount-fault-{fault}"
    environment = {"WEIR_FAULT": fault, "WEIR_ACCESSES": "200"}
    return _run(config, "observe.recount", "counters_are_what_happened_on_axi_and_dfi", folder, environment)


def run_combinations(
    config: str, test: str, combinations: dict, dram_features: str = "", fault: str = "none"
) -> Result:
    """Runs a test of controller/pairwise.py for each of the combinations, as it reads them, with a DRAM that has
    features, on the bench of a config that is broken in one of controller/mutations.py's ways or in none."""
    parts = (config, "pairwise", test, dram_features, "" if fault == "none" else f"fault-{fault}")
    folder = OUTPUT / "runs" / "-".join(filter(None, parts))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "combinations.json"
    path.write_text(json.dumps(combinations, indent=1))
    environment = {"WEIR_COMBINATIONS": str(path), "WEIR_FAULT": fault}
    return _run(config, "controller.pairwise", rf"\.{test}/.*$", folder, environment, dram_features)


def _run(
    config: str, module: str, tests: str, folder: Path, environment: dict[str, str], dram_features: str = ""
) -> Result:
    runner = build(config)
    folder.mkdir(parents=True, exist_ok=True)
    shape = Config.load(hardware(config) / "Weir.json")
    features = dram_features
    if shape.refresh_groups > 1 and "refresh_groups" not in features:
        fine = "fine_refresh=2" if shape.refreshes_sets else ""
        features = ",".join(filter(None, (f"refresh_groups={shape.refresh_groups}", fine, features)))
    report = folder / "results.xml"
    log = folder / "log"
    report.unlink(missing_ok=True)
    (folder / "coverage.dat").unlink(missing_ok=True)
    # a failed test or a crash raises; the report tells which, or its absence
    with suppress(RuntimeError, SystemExit):
        runner.test(
            test_module=module,
            hdl_toplevel="bench",
            hdl_toplevel_lang="verilog",
            build_dir=OUTPUT / config,
            test_dir=folder,
            results_xml=str(report),
            test_filter=tests,
            seed=SEED,
            plusargs=[
                *(f"+dram{channel or ''}_features={features}" for channel in range(shape.channels)),
                *("+dram_statistics=dram.json", "+observation=observation.json"),
            ],
            extra_env={"WEIR_BUILD": str(hardware(config)), "COCOTB_ANSI_OUTPUT": "0", **environment},
            log_file=log,
        )
    of_module = _read(report) if report.exists() else {}
    return Result(log, {case: message for tests in of_module.values() for case, message in tests.items()})


def _read(report: Path) -> dict[str, dict[str, str | None]]:
    """The message of each test of each module, None for one that passed."""
    outcomes: dict[str, dict[str, str | None]] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        failure = next((child for child in case if child.tag in ("failure", "error")), None)
        message = None if failure is None else failure.get("message") or failure.text or "failed"
        outcomes.setdefault(case.get("classname"), {})[case.get("name")] = message
    return outcomes
