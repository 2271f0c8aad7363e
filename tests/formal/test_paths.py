# SPDX-License-Identifier: Apache-2.0
"""Which combinational paths there are between the ports of modules: what docs/design.md says of ready and valid."""

import re
from functools import cache
from pathlib import Path

import paths
import pytest
import verilog

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/formal/paths"
CONFIGS = ("formal-2rank-4phase", "formal-1rank-2phase", "formal-1rank-shortest", "formal-remapping")


@cache
def design(config):
    return verilog.load((ROOT / f"build/hw/{config}/Weir.sv").read_text())


@cache
def modules(config):
    """The paths of each module of a config, from the whole controller down."""
    return paths.paths(paths.read(design(config), "Weir", BUILD / config))


def broken(config, top, old, new):
    """The paths of the modules from `top` down, with something of the Verilog replaced."""
    text = verilog.replace(verilog.only(design(config), top), old, new)
    return paths.paths(paths.read(text, top, BUILD / f"{config}-{top}-broken"))


def own_ready(known):
    """What is offered in a handshake and looks at the `ready` that answers it."""
    return [
        f"{module.name}.{out} looks at {ready}"
        for module in known.values()
        for valid, ready, bits in paths.ways(module)
        for out in (valid, *bits)
        if module.path(ready, out)
    ]


def between(module, sources, targets):
    """The paths from input ports to output ports whose names match."""
    return [
        f"{source} -> {target}"
        for target, reached in module.outputs.items()
        if re.fullmatch(targets, target)
        for source in sorted(reached)
        if re.fullmatch(sources, source)
    ]


@pytest.mark.parametrize("config", CONFIGS)
def test_nothing_is_offered_because_it_is_taken(config):
    known = modules(config)
    assert sum(len(paths.ways(module)) for module in known.values()) > 20
    assert own_ready(known) == []


def test_an_offer_that_looks_at_its_ready_is_found():
    """As the step towards B would that goes with a line, if it were made of that line's own `valid`."""
    known = broken(
        "formal-1rank-shortest",
        "WriteGather",
        r"assign io_owed_valid =((?s:.*?));",
        r"assign io_owed_valid = io_owed_ready & (\1);",
    )
    assert own_ready(known) == ["WriteGather.io_owed_valid looks at io_owed_ready"]


AXI = r"s_axil?_\w+"
NO_BURST_REGISTER = ("formal-1rank-shortest", "formal-2rank-4phase", "formal-remapping")


@pytest.mark.parametrize("config", CONFIGS)
def test_no_signal_of_axi_leads_to_another(config):
    """But AR's payload to ARREADY without `Pipeline.burst`."""
    found = between(modules(config)["Weir"], AXI, AXI)
    known = r"(s_axi_\d+_ar)(addr|burst|len|size) -> \1ready" if config in NO_BURST_REGISTER else r"(?!)"
    assert [path for path in found if not re.fullmatch(known, path)] == []


READY = r"io_axi_\d+_(ar|aw|w)ready"


@pytest.mark.parametrize("config", CONFIGS)
def test_no_ready_reaches_axi_through_front_but_where_place_answers_from_a_register(config):
    known = modules(config)
    assert between(known["Front"], r"io_axi_\d+_[rb]ready", READY) == []
    found = between(known["Front"], r"io_(reads|writes)_ready", READY)
    if found:
        assert found == [
            "io_writes_ready -> io_axi_0_awready",
            "io_writes_ready -> io_axi_0_wready",
            "io_reads_ready -> io_axi_0_arready",
        ]
        assert between(known["Place"], r"(?!clock|reset).*", r"io_(reads|writes)_ready") == []


def test_a_slice_that_lets_ready_through_is_found():
    text = design("formal-1rank-shortest")
    begin, end = verilog.module(text, "ReverseSlice")
    slice_ = verilog.replace(
        text[begin:end], r"assign io_in_ready = ~held;", "assign io_in_ready = ~held | io_out_ready;"
    )
    known = paths.paths(paths.read(text[:begin] + slice_ + text[end:], "Front", BUILD / "slice-broken"))
    assert between(known["Front"], r"io_(reads|writes)_ready", READY) == ["io_reads_ready -> io_axi_0_arready"]


def test_a_path_between_signals_of_axi_is_found():
    """As of a B that waits for BREADY."""
    ready = r"assign io_responses_valid = valid & io_responses_ready;"
    known = broken("formal-1rank-2phase", "Front", r"assign io_responses_valid = valid;", ready)
    assert between(known["Front"], r"io_axi_\w+", r"io_axi_\w+") == ["io_axi_0_bready -> io_axi_0_bvalid"]


@pytest.mark.parametrize("module", ["RemapWay", "RemapWay_1"])
def test_a_way_of_remapping_is_ready_as_it_says(module):
    """Where a line goes on every second cycle at most."""
    text = design("test-remapping-x16")
    known = paths.paths(paths.read(verilog.only(text, module), module, BUILD / f"test-remapping-x16-{module}"))
    assert known[module].outputs["io_in_ready"] == {"io_in_bits_line", "io_enable", "io_out_ready"}
    assert own_ready(known) == []
