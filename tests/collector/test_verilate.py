# SPDX-License-Identifier: Apache-2.0
"""What a full disk left of Verilator's files is not taken for whole the next time."""

import os
import resource
import signal
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERILOG = (
    "module adder(input clock, input [63:0] a, output reg [63:0] q); always @(posedge clock) q <= a * 3; endmodule\n"
)
LARGEST = 2800  # bytes of a file: more than the list of what was written has, less than the C++


def verilate(program, folder, *, full_disk=False):
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        if full_disk:
            resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, LARGEST))

    # a make that is told to fail stands for compiling what is cut, which takes longer
    make = "false" if full_disk else "true"
    command = [program, "--cc", "--build", "adder.v", "-Mdir", "model"]
    return subprocess.run(
        command, cwd=folder, capture_output=True, check=False, preexec_fn=limit, env=os.environ | {"MAKE": make}
    ).returncode


def cut(folder):
    return [path.name for path in (folder / "model").iterdir() if path.stat().st_size == LARGEST]


def test_what_is_cut_is_written_anew(tmp_path):
    (tmp_path / "adder.v").write_text(VERILOG)
    assert verilate(ROOT / "setup/verilate", tmp_path, full_disk=True) != 0
    assert cut(tmp_path)
    assert verilate(ROOT / "setup/verilate", tmp_path) == 0
    assert not cut(tmp_path)


def test_verilator_alone_leaves_it(tmp_path):
    """The test above would not fail for nothing."""
    verilator = f"{os.environ['VERILATOR_ROOT']}/bin/verilator"
    (tmp_path / "adder.v").write_text(VERILOG)
    assert verilate(verilator, tmp_path, full_disk=True) != 0
    assert verilate(verilator, tmp_path) == 0
    assert cut(tmp_path)
